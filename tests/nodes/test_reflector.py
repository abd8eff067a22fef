"""Each attempt is judged once, and its arm rewarded: by outcome, or by what it brought."""

from dataclasses import replace

import pytest

from forager.domain.actions import Action
from forager.domain.experience import Outcome
from forager.domain.state import Draw, Feedback, Lesson, Proposal, State, Verdict
from nodes.reflector import Reflect, Reflection, ReflectorParams, reflect
from tests.fake_ports import ports
from tests.fakes import FakeEmbedder, MemoryBlobs, ScriptedModel
from tests.nodes.states import document, entry, failed, lesson, part, passage, state, step, url

FORAGER = ReflectorParams(rewards="forager")
MANGO = ReflectorParams(rewards="mango")
P1, P2 = part("p1", "Who?"), part("p2", "When?")
BRANDT = passage("It was founded by Ottilie Brandt.", p1=0.9)


def attempted(*, found: bool = True, open: tuple[str, ...] = ("p2",)) -> State:
    """The first round, on arm `a`, has ended."""
    blobs = MemoryBlobs()
    start = state(P1, P2, urls=[url("a"), url("b")])
    return replace(
        start,
        steps=(step(blobs, document("a")), failed(url("gone"), number=2)),
        evidence=(entry(1, BRANDT),) if found else (),
        verdict=Verdict(sufficient=not open, open=open),
        proposal=Proposal(round=1, action=Action(kind="stop")),
    )


async def learnt(start: State, params: ReflectorParams, outcome: str | None = None) -> Lesson:
    replies = [Reflection.model_validate({"outcome": outcome, "lesson": "so"})] if outcome else []
    update = await reflect(start, ports(*replies), params)
    assert set(update) == {"lessons"}
    [one] = update["lessons"]
    assert (one.round, one.url) == (start.draw.round, start.draw.urls[0])
    return one


@pytest.mark.parametrize(
    ("outcome", "alpha", "beta", "retired"),
    [
        ("partial", 1, 0, False),
        ("feasible", 1, 0, False),
        ("infeasible", 0, 1, True),
    ],
)
@pytest.mark.parametrize("found", [True, False])
async def test_mango_rewards_the_outcome(
    outcome: str, alpha: float, beta: float, retired: bool, found: bool
) -> None:
    one = await learnt(attempted(found=found), MANGO, outcome)
    assert (one.outcome, one.text) == (outcome, "so")
    assert (one.alpha, one.beta, one.retired) == (alpha, beta, retired)


async def test_mango_retires_an_arm_where_all_was_found() -> None:
    one = await learnt(attempted(open=()), MANGO, "adequate")
    assert (one.outcome, one.alpha, one.beta, one.retired) == ("adequate", 1, 0, True)


async def test_where_no_arm_was_drawn_there_is_nothing_to_judge() -> None:
    nothing = replace(attempted(), draw=Draw(round=2))
    assert await reflect(nothing, ports(), FORAGER) == {}


async def test_an_attempt_is_not_adequate_while_the_critic_misses_something() -> None:
    assert (await learnt(attempted(), FORAGER, "adequate")).outcome == "partial"
    unjudged = replace(attempted(), verdict=None)
    assert (await learnt(unjudged, FORAGER, "adequate")).outcome == "adequate"


@pytest.mark.parametrize("dropped", [True, False])
async def test_an_attempt_is_not_adequate_with_nothing_in_the_ledger(dropped: bool) -> None:
    start = attempted(found=False, open=())
    start = replace(start, evidence=(entry(1, BRANDT, dropped=True),) if dropped else ())
    assert (await learnt(start, MANGO, "adequate")).outcome == "infeasible"


@pytest.mark.parametrize("outcome", ["adequate", "partial", "feasible"])
async def test_forager_rewards_what_the_attempt_brought(outcome: str) -> None:
    one = await learnt(attempted(), FORAGER, outcome)
    assert one.alpha == pytest.approx(0.5)  # all of one part of two
    assert one.alpha + one.beta == pytest.approx(1)
    assert not one.retired
    none = await learnt(attempted(found=False), FORAGER, outcome)
    assert (none.alpha, none.beta) == (0, 1)


async def test_forager_does_not_let_a_strict_reflector_retire_what_still_brings() -> None:
    assert not (await learnt(attempted(), FORAGER, "infeasible")).retired
    assert (await learnt(attempted(found=False), FORAGER, "infeasible")).retired


async def test_forager_retires_what_brought_nothing_twice() -> None:
    start = attempted(found=False)
    again = replace(
        start,
        lessons=(lesson(1, url("a"), alpha=0.0), lesson(2, url("b"), alpha=0.0)),
        draw=Draw(round=3, urls=(url("a"),)),
    )
    assert not (await learnt(start, FORAGER, "feasible")).retired
    assert (await learnt(again, FORAGER, "feasible")).retired


async def test_forager_retires_an_arm_with_nothing_left_to_open() -> None:
    start = attempted()
    stopped = Proposal(round=1, action=Action(kind="stop"), nothing_left=True)
    start = replace(start, proposal=stopped)
    assert (await learnt(start, FORAGER, "partial")).retired
    assert not (await learnt(start, MANGO, "partial")).retired


async def test_only_what_this_round_brought_counts() -> None:
    start = replace(attempted(), draw=Draw(round=2, urls=(url("b"),)))
    one = await learnt(start, FORAGER, "partial")
    assert one.alpha == 0
    dropped = replace(attempted(), evidence=(entry(1, BRANDT, dropped=True),))
    assert (await learnt(dropped, FORAGER, "partial")).alpha == 0


async def test_every_attempt_has_a_lesson_of_its_own() -> None:
    ids = set()
    for round, arm in ((1, "a"), (2, "a"), (3, "b")):
        start = replace(attempted(), draw=Draw(round=round, urls=(url(arm),)))
        ids.add((await learnt(start, FORAGER, "partial")).id)
    assert len(ids) == 3


async def test_the_model_sees_the_walk_and_what_is_open() -> None:
    model = ScriptedModel()
    await reflect(attempted(), replace(ports(), model=model), FORAGER)
    [task] = model.asked
    assert isinstance(task, Reflect)
    assert task.open == ("When?",)
    assert task.trail == ("a",)
    assert task.failures == ("It answered 404.",)
    assert task.found == (BRANDT.text,)


@pytest.mark.parametrize(("open", "material"), [("Who?", False), ("the year", True)])
async def test_what_a_model_noted_of_pages_is_material(open: str, material: bool) -> None:
    model = ScriptedModel()
    start = replace(attempted(), verdict=None, feedback=Feedback(open=(open,)))
    await reflect(start, replace(ports(), model=model), FORAGER)
    sections = model.asked[0].sections()
    assert [each.material for each in sections if each.title == "Still open"] == [material]


async def test_without_a_critic_the_feedback_says_what_is_open() -> None:
    start = replace(attempted(), verdict=None, feedback=Feedback(open=("the year",)))
    model = ScriptedModel()
    await reflect(start, replace(ports(), model=model), MANGO)
    assert isinstance(model.asked[0], Reflect)
    assert model.asked[0].open == ("the year",)
    nothing = replace(attempted(found=False), verdict=None)
    await reflect(nothing, replace(ports(), model=model), MANGO)
    assert isinstance(model.asked[1], Reflect)
    assert model.asked[1].open == ("Who?", "When?")


@pytest.mark.parametrize(
    ("start", "outcome"),
    [
        (attempted(open=()), "adequate"),
        (attempted(), "partial"),
        (attempted(found=False), "infeasible"),
        (replace(attempted(found=False), steps=()), "infeasible"),
    ],
)
async def test_the_built_in_rule_judges_by_what_was_found(start: State, outcome: str) -> None:
    one = await learnt(start, FORAGER)
    assert one.outcome == outcome
    assert one.text


@pytest.mark.parametrize(
    ("outcome", "open", "found", "faults"),
    [
        ("adequate", (), ("x",), 0),
        ("adequate", ("when",), ("x",), 1),
        ("adequate", ("when",), (), 2),
        ("partial", ("when",), ("x",), 0),
        ("partial", ("when",), (), 1),
        ("feasible", ("when",), (), 0),
        ("infeasible", ("when",), (), 0),
    ],
)
def test_an_outcome_against_the_evidence_is_sent_back(
    outcome: Outcome, open: tuple[str, ...], found: tuple[str, ...], faults: int
) -> None:
    task = Reflect(question="?", open=open, trail=(), failures=(), found=found)
    assert len(task.faults(Reflection(outcome=outcome, lesson="so"))) == faults


def test_what_was_left_open_of_a_longer_question_ends_as_a_question() -> None:
    asked = "Who built the engine, and when was it lit?"
    task = Reflect(
        question=asked, open=("Who built the engine",), trail=("A",), failures=(), found=("x",)
    )
    assert task.offline(FakeEmbedder()).lesson == "A: 1 passage; open: Who built the engine?"


async def test_the_rule_judges_where_no_model_is_asked() -> None:
    model = ScriptedModel()
    doors = replace(ports(), model=model)
    for found, outcome in ((True, "partial"), (False, "infeasible")):
        update = await reflect(attempted(found=found), doors, ReflectorParams(asked=False))
        assert [each.outcome for each in update["lessons"]] == [outcome]
    assert model.asked == []
