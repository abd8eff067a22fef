"""Judges whether the ledger is enough, part by part."""

from pydantic import BaseModel, Field

from forager.ports import Embedder, Ports, Task
from forager.ranking import odd
from forager.sites import identity, tried
from forager.state import Frozen, Part, Passage, State, Update, Verdict

PROMPT = """\
You judge whether a ledger of quotes is enough to answer a question. You see the parts of the
question, each with an id, and the quotes with theirs. Take the parts one by one. A part is covered
only if a quote says its answer outright: not if it is likely, known from elsewhere, or about
something similar. Check that the quote is about the very thing asked: the same person, version,
unit, year. List the ids of the covered parts in `covered`, and say in `reason`, in one sentence,
what the others lack."""


class CriticParams(Frozen):
    """When the built-in rule is content."""

    least: float = Field(0.65, ge=0, description="score that covers a part")
    elsewhere: float = Field(
        0.1, ge=0, le=1, description="share of a part's odds that unopened arms may still hold"
    )


class Judged(BaseModel):
    """Which parts are covered."""

    covered: list[str] = Field(description="ids of the covered parts")
    reason: str = Field("", description="what the others lack")


class JudgeLedger(Task[Judged]):
    """Judge the ledger; `elsewhere` is the share of each part's odds on pages not yet opened."""

    ROLE = "critic"
    PROMPT = PROMPT
    REPLY = Judged

    question: str
    parts: tuple[Part, ...]
    passages: tuple[Passage, ...]
    elsewhere: dict[str, float]
    params: CriticParams

    def offline(self, embedder: Embedder) -> Judged:
        """A strong passage, and little left to find on known pages; one site may do for an ask."""
        best = {part.id: self._best(part) for part in self.parts}
        done = {
            part.id
            for part in self.parts
            if best[part.id] >= self.params.least
            and self.elsewhere.get(part.id, 0.0) <= self.params.elsewhere
        }
        asked = {part.text for part in self.parts if part.id in done}
        covered = [
            part.id
            for part in self.parts
            if part.id in done or (part.weight < 1 and part.text in asked)
        ]
        open = [part.text for part in self.parts if part.id not in covered]
        return Judged(covered=covered, reason=f"open: {'; '.join(open)}" if open else "")

    def _best(self, part: Part) -> float:
        return max((passage.scores.get(part.id, 0.0) for passage in self.passages), default=0.0)


async def criticise(state: State, ports: Ports, params: CriticParams) -> Update:
    """Sufficient when no part is open."""
    parts = state.survey.parts
    task = JudgeLedger(
        question=state.question.text,
        parts=parts,
        passages=tuple(item.passage for item in state.evidence if not item.dropped),
        elsewhere=_elsewhere(state),
        params=params,
    )
    judged = await ports.model.ask(task)
    covered = tuple(part.id for part in parts if part.id in judged.covered)
    open = tuple(part.id for part in parts if part.id not in judged.covered)
    return {
        "verdict": Verdict(sufficient=not open, covered=covered, open=open, reason=judged.reason)
    }


def _elsewhere(state: State) -> dict[str, float]:
    """Per part, the share of the odds that arms not yet opened hold."""
    opened = tried(state.steps)
    found: dict[str, float] = {}
    for part in state.survey.parts:
        scores = {arm.url: arm.scores[part.id] for arm in state.arms if part.id in arm.scores}
        top = max(scores.values(), default=0.0)
        held = {url: odd(score - top) for url, score in scores.items()}
        left = sum(odds for url, odds in held.items() if identity(url) not in opened)
        found[part.id] = left / (sum(held.values()) or 1.0)
    return found
