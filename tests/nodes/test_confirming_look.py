"""A rule that sees no value of the kind asked for looks at one more page before it is content."""

from dataclasses import replace

import pytest

from forager.answers.ending import left_open
from forager.domain.state import Arm, Reading, State, Verdict
from forager.ports import OFFLINE
from forager.questions.subquestions import standing_verdict
from forager.text.answer_types import missing_kinds
from nodes.critic import CriticParams, Judged, criticise
from nodes.navigator import NavigatorParams, navigate
from nodes.navigator.params import NOTHING_OPEN
from nodes.selector import SelectorParams, select
from tests.fake_ports import ports
from tests.fakes import MemoryBlobs, ScriptedModel
from tests.nodes.states import SITE, document, entry, part, passage, state, step, url

PARAMS = CriticParams()
ASK = "How many doors has the hall?"
VAGUE, EXACT = "The hall has doors of oak.", "The hall has seven doors."
BLOBS = MemoryBlobs()


def holding(text: str, *, unread: float = 0.6) -> State:
    """One page was read, another one might hold the answer."""
    arms = [Arm(url=url(path), site=SITE, scores={"p1": 0.9}) for path in "ab"]
    arms[1] = arms[1].model_copy(update={"scores": {"p1": unread} if unread else {}})
    return replace(
        state(part(text=ASK), urls=[url("a"), url("b")]),
        arms=tuple(arms),
        steps=(step(BLOBS, document("a")),),
        evidence=(entry(1, passage(text, p1=0.9)),),
    )


async def judged(start: State, *replies: Judged) -> Verdict:
    """By a model that replies so, else by the rule."""
    model = ScriptedModel(*replies)
    if not replies:
        model.name = OFFLINE
    return (await criticise(start, replace(ports(), model=model), PARAMS))["verdict"]


def after(start: State, verdict: Verdict, *opened: str) -> State:
    """The state once the verdict is in and these pages were opened."""
    steps = [step(BLOBS, document(path), 1, 2 + place) for place, path in enumerate(opened)]
    return replace(start, verdict=verdict, steps=(*start.steps, *steps))


async def test_a_quote_without_a_value_waits_for_a_look_at_another_page() -> None:
    start = holding(VAGUE)
    verdict = await judged(start)
    assert (verdict.sufficient, verdict.open) == (False, ("p1",))
    assert verdict.pending == {"p1": ("e1",)}
    assert left_open(after(start, verdict)) == (ASK,)
    looked = after(start, verdict, "b")
    assert left_open(looked) == ()
    standing = standing_verdict(looked)
    assert standing
    assert standing.grounds == {"p1": ("e1",)}
    again = await judged(looked)
    assert (again.sufficient, again.pending) == (True, {})


@pytest.mark.parametrize("start", [holding(EXACT), holding(VAGUE, unread=0)])
async def test_a_value_or_no_other_page_needs_no_look(start: State) -> None:
    verdict = await judged(start)
    assert (verdict.sufficient, verdict.pending) == (True, {})


async def test_a_model_is_believed() -> None:
    verdict = await judged(holding(VAGUE), Judged(quotes=["e1"], covered=["p1"]))
    assert (verdict.sufficient, verdict.pending) == (True, {})


async def test_one_look_is_enough() -> None:
    start = holding(VAGUE)
    verdict = await judged(start)
    draw = (await select(after(start, verdict), ports(), SelectorParams()))["draw"]
    assert draw.urls
    looked = after(start, verdict, "b")
    draw = (await select(looked, ports(), SelectorParams()))["draw"]
    assert (draw.urls, draw.reason) == ((), "a look at another page found no better quote")
    looked = replace(looked, reading=Reading(step="1.2"))
    update = await navigate(looked, ports(blobs=BLOBS), NavigatorParams())
    action = update["proposal"].action
    assert (action.kind, action.reason) == ("stop", NOTHING_OPEN)


async def test_what_else_is_open_goes_on() -> None:
    start = holding(VAGUE)
    both = replace(start, survey=state(part(text=ASK), part("p2", "Who built it?")).survey)
    verdict = await judged(both)
    looked = after(both, verdict, "b")
    assert left_open(looked) == ("Who built it?",)
    assert (await select(looked, ports(), SelectorParams()))["draw"].urls


@pytest.mark.parametrize(
    ("text", "missing"), [(VAGUE, True), (EXACT, False), ("It has 7 of them.", False)]
)
def test_a_value_of_the_kind_asked_for_is_recognised(text: str, *, missing: bool) -> None:
    assert bool(missing_kinds(ASK, text)) is missing
    assert missing_kinds("Tell me about the hall.", text) == ()
