"""Judges the attempt that just ended, rewards its arm, and writes down the lesson."""

from typing import Literal

from pydantic import BaseModel, Field

from forager.bandit import dry_attempts
from forager.ports import Embedder, Ports, Task
from forager.ranking import shares
from forager.rewards import REWARDS
from forager.state import Frozen, Lesson, Outcome, State, Update

PROMPT = """\
You judge one attempt to answer a question from one page onwards. You see the question, what is
open, the steps of the attempt and what it added to the ledger. Say one of:
`adequate`: with what this attempt found, the question is answered;
`partial`: it found something that counts, and something is still open;
`feasible`: it found nothing, but the trail looks right and another attempt from here may succeed;
`infeasible`: this page leads nowhere; do not come back.
Judge by what is in the steps and the quotes, not by hope. `lesson`: one sentence for the next
attempt: what was found or ruled out here, and where to look instead."""


class ReflectorParams(Frozen):
    """What an outcome is worth to its arm."""

    rewards: Literal["forager", "mango"] = Field(
        "forager", description="by new evidence, or by outcome as Mango does"
    )


class Reflection(BaseModel):
    """The judgement of an attempt."""

    outcome: Outcome
    lesson: str = Field(description="one sentence for the next attempt")


class Reflect(Task[Reflection]):
    """Judge an attempt."""

    ROLE = "reflector"
    PROMPT = PROMPT
    REPLY = Reflection

    question: str
    open: tuple[str, ...]
    trail: tuple[str, ...]
    failures: tuple[str, ...]
    found: tuple[str, ...]

    def offline(self, embedder: Embedder) -> Reflection:
        """By what was found, and what is open."""
        where = self.trail[0] if self.trail else "nothing"
        if self.found and not self.open:
            return Reflection(outcome="adequate", lesson=f"{where}: answered here.")
        if self.found:
            said = f"{len(self.found)} passages; open: {'; '.join(self.open)}"
            return Reflection(outcome="partial", lesson=f"{where}: {said}.")
        if self.failures:
            return Reflection(outcome="infeasible", lesson=f"{where}: {self.failures[-1]}")
        return Reflection(outcome="infeasible", lesson=f"{where}: nothing on what is asked.")


async def reflect(state: State, ports: Ports, params: ReflectorParams) -> Update:
    """One lesson per round; the reward is the arm's."""
    round = state.draw.round
    walked = [step for step in state.steps if step.round == round]
    found = [item for item in state.evidence if item.round == round and not item.dropped]
    reflection = await ports.model.ask(
        Reflect(
            question=state.question.text,
            open=_open(state),
            trail=tuple(step.page.title or step.page.url for step in walked if step.page),
            failures=tuple(step.reason for step in walked if step.outcome == "failed"),
            found=tuple(item.passage.text for item in found),
        )
    )
    url = state.draw.urls[0]
    reward = REWARDS[params.rewards].judge(
        reflection.outcome, _gain(state, round), dry_attempts(url, state.lessons)
    )
    walked_out = state.proposal is not None and state.proposal.nothing_left
    lesson = Lesson(
        id=f"r{round}:{url}",
        round=round,
        url=url,
        outcome=reflection.outcome,
        alpha=reward.alpha,
        beta=reward.beta,
        retired=reward.retired or (walked_out and params.rewards == "forager"),
        text=reflection.lesson,
    )
    return {"lessons": (lesson,)}


def _open(state: State) -> tuple[str, ...]:
    texts = {part.id: part.text for part in state.survey.parts}
    if state.verdict:
        return tuple(dict.fromkeys(texts[id] for id in state.verdict.open))
    return state.feedback.open if state.evidence else tuple(dict.fromkeys(texts.values()))


def _gain(state: State, round: int) -> float:
    """The share of the odds of all parts that this round's entries hold, 0 to 1."""
    kept = [item for item in state.evidence if not item.dropped]
    held = shares([item.passage.scores for item in kept])
    ours = [of for item, of in zip(kept, held, strict=True) if item.round == round]
    return min(1.0, sum(sum(of.values()) for of in ours) / max(1, len(state.survey.parts)))
