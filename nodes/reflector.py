"""Judges the attempt that just ended, rewards its arm, and writes down the lesson."""

from typing import Literal, NamedTuple

from pydantic import Field

from forager.bandit.posterior import dry_attempts
from forager.bandit.rewards import REWARDS
from forager.domain.base import Frozen
from forager.domain.experience import Outcome
from forager.domain.state import Evidence, Lesson, State, Step, Update
from forager.evidence.ledger import share_gained
from forager.node_type import NodeType, state_keys
from forager.offline.reflector import judge_attempt
from forager.ports import Embedder, Ports, RoleReply, Task
from forager.prompts.sections import Section, list_items, text_section
from forager.questions.subquestions import (
    distinct_texts,
    has_notes,
    label_subquestion,
    open_sub_questions,
)
from forager.util.concurrency import run_concurrently

PROMPT = """\
You judge one attempt to answer a question by walking on from one page of a site. You see the
question, what is still open, the steps of the attempt with those that failed, and the quotes that
it added to the ledger. Choose the `outcome` by this evidence alone:
- `adequate`: nothing is open any more, and the quotes say so;
- `partial`: at least one quote answers something that was open, and something is still open;
- `feasible`: no quote answers anything open, yet a step led to a page or section that names what
  is open, so that another walk from here has a definite place to go to;
- `infeasible`: the pages were about other things, led in circles or could not be had.
A hope is not evidence: without a title or a quote to point at, an attempt that found nothing is
infeasible.

`lesson` is one sentence for whoever draws the next page: what was found or ruled out here, by
name, and where to look instead, or which page to go on from."""


class ReflectorParams(Frozen):
    """How an outcome is rewarded."""

    rewards: Literal["forager", "mango"] = Field(
        "forager", description="by new evidence, or by the outcome alone as in Mango"
    )
    asked: bool = Field(True, description="ask a model; otherwise the built-in rule judges")


class Reflection(RoleReply):
    """The judgement of an attempt."""

    lesson: str = Field(description="one sentence for the next attempt")
    outcome: Outcome = Field(description="what the attempt came to")


class Reflect(Task[Reflection]):
    """Judge an attempt; `noted` if a model that had read pages wrote what is open."""

    ROLE = "reflector"
    PROMPT = PROMPT
    REPLY = Reflection

    question: str
    open: tuple[str, ...]
    noted: bool = False
    trail: tuple[str, ...]
    failures: tuple[str, ...]
    found: tuple[str, ...]
    quoted: tuple[str, ...] = ()
    """The pages of the quotes, by title."""

    def sections(self) -> tuple[Section, ...]:
        """What is open, the steps, and the quotes they added."""
        failures = [f"failed: {reason}" for reason in self.failures]
        return (
            text_section("Question", self.question),
            Section(
                title="Still open", items=list_items(self.open), tokens=300, material=self.noted
            ),
            Section(title="Pages opened", items=list_items(self.trail, newest=True), tokens=400),
            Section(title="Steps that failed", items=list_items(failures, newest=True), tokens=200),
            Section(title="Quotes added", items=list_items(self.found), tokens=1200),
        )

    def _pages(self) -> tuple[str, ...]:
        return self.quoted or self.trail

    def unasked(self) -> Reflection | None:
        """Nothing is open any more, and the attempt found quotes."""
        if self.open or not self.found:
            return None
        outcome, lesson = judge_attempt(self._pages(), self.failures, self.found, self.open)
        return Reflection(outcome=outcome, lesson=lesson)

    def faults(self, reply: Reflection) -> list[str]:
        """An outcome that the evidence contradicts."""
        wrong = []
        if reply.outcome == "adequate" and self.open:
            wrong.append("Something is still open, so the attempt is not adequate.")
        if reply.outcome in ("adequate", "partial") and not self.found:
            wrong.append(f"No quote was added, so the attempt is not {reply.outcome}.")
        return wrong

    def offline(self, embedder: Embedder) -> Reflection:
        """By the quotes that were found, what is open, and what failed."""
        open = [label_subquestion(text, self.question) for text in self.open]
        outcome, lesson = judge_attempt(self._pages(), self.failures, self.found, open)
        return Reflection(outcome=outcome, lesson=lesson)


async def reflect(state: State, ports: Ports, params: ReflectorParams) -> Update:
    """Write a lesson for each arm of the round, with its reward; none if no arm was drawn."""
    lessons = await run_concurrently(
        _learn_from(state, attempt, ports, params) for attempt in _attempts(state)
    )
    lessons.sort(key=lambda lesson: lesson.outcome == "adequate")
    return {"lessons": tuple(lessons)} if lessons else {}


def _outcome_route(state: State) -> str:
    """Was the last attempt adequate?"""
    return "done" if state.lessons and state.lessons[-1].outcome == "adequate" else "continue"


NODE_TYPE = NodeType(
    name="reflector",
    family="judge",
    summary="Judges the attempt, rewards its arm, and writes down the lesson.",
    function=reflect,
    params=ReflectorParams,
    routes=("continue", "done"),
    route=_outcome_route,
    enough="done",
    reads=state_keys("question survey draw"),
    looks=state_keys("meaning proposal steps evidence feedback verdict lessons"),
    writes=state_keys("lessons"),
    tasks=(Reflect,),
)


class Attempt(NamedTuple):
    """What a round did from one of its arms: the steps, and the entries that they added."""

    url: str
    steps: tuple[Step, ...]
    found: tuple[Evidence, ...]


def _attempts(state: State) -> list[Attempt]:
    """The attempts of this round; steps that no other arm led to belong to the first.

    An entry found on several arms counts for each.
    """
    steps = [step for step in state.steps if step.round == state.draw.round]
    entries = _found_entries(state)
    first, *others = state.draw.urls or ("",)
    if not first:
        return []
    apart: list[Attempt] = []
    for url in others:
        own = [step for step in steps if step.action.target == url]
        pages = {url, *(step.page.url for step in own if step.page)}
        found = [item for item in entries if not pages.isdisjoint(_pages_of(item))]
        apart.append(Attempt(url, tuple(own), tuple(found)))
    taken = [step for each in apart for step in each.steps]
    elsewhere = {step.page.url for step in taken if step.page}
    left = tuple(step for step in steps if step not in taken)
    here = tuple(item for item in entries if not _pages_of(item) <= elsewhere)
    return [Attempt(first, left, here), *apart]


def _pages_of(item: Evidence) -> set[str]:
    return {item.passage.url, *item.also}


async def _learn_from(
    state: State, attempt: Attempt, ports: Ports, params: ReflectorParams
) -> Lesson:
    task = _make_task(state, attempt)
    reflection = await ports.model.ask(task) if params.asked else task.offline(ports.embedder)
    return _make_lesson(state, attempt, reflection, params)


def _make_task(state: State, attempt: Attempt) -> Reflect:
    steps, open = attempt.steps, _open_questions(state)
    return Reflect(
        question=state.asked,
        open=open,
        noted=has_notes(open, state.survey.parts),
        trail=tuple(step.page.title or step.page.url for step in steps if step.page),
        failures=tuple(step.reason for step in steps if step.outcome == "failed"),
        found=tuple(item.passage.text for item in attempt.found),
        quoted=tuple(item.passage.title or item.passage.url for item in attempt.found),
    )


def _make_lesson(
    state: State, attempt: Attempt, reflection: Reflection, params: ReflectorParams
) -> Lesson:
    """The lesson, with the reward of the outcome for the arm drawn."""
    url, round = attempt.url, state.draw.round
    kept = [item for item in state.evidence if not item.dropped]
    ids = {item.id for item in attempt.found}
    gain = share_gained(kept, ids, len(state.survey.parts))
    outcome = _tenable_outcome(reflection.outcome, state)
    reward = REWARDS[params.rewards].reward_attempt(outcome, gain, dry_attempts(url, state.lessons))
    exhausted = state.proposal is not None and state.proposal.nothing_left
    return Lesson(
        id=f"r{round}:{url}",
        round=round,
        url=url,
        outcome=outcome,
        alpha=reward.alpha,
        beta=reward.beta,
        retired=reward.retired or (exhausted and params.rewards == "forager"),
        text=reflection.lesson,
    )


def _found_entries(state: State) -> list[Evidence]:
    """The entries that this round added, and that were kept."""
    return [item for item in state.evidence if item.round == state.draw.round and not item.dropped]


def _tenable_outcome(outcome: Outcome, state: State) -> Outcome:
    """The outcome; adequate only if the ledger has entries and no critic misses anything."""
    if outcome != "adequate":
        return outcome
    if all(item.dropped for item in state.evidence):
        return "infeasible"
    return "partial" if state.verdict and not state.verdict.sufficient else outcome


def _open_questions(state: State) -> tuple[str, ...]:
    """What the critic left open, or else the aggregator."""
    if state.verdict:
        return distinct_texts(open_sub_questions(state.survey, state.verdict))
    return state.feedback.open if state.evidence else distinct_texts(state.survey.parts)
