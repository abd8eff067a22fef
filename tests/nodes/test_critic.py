"""The critic goes through the parts one by one."""

from dataclasses import replace

import pytest

from forager.domain.state import Arm, Evidence, Feedback, Meaning, Recall, State, Turn, Verdict
from nodes.critic import CriticParams, Judged, JudgePart, criticise
from tests.fake_ports import ports
from tests.fakes import MemoryBlobs, ScriptedModel
from tests.nodes.states import SITE, document, entry, part, passage, state, step, url

PARAMS = CriticParams()
P1, P2 = part("p1", "Who?"), part("p2", "When?")


SAID = entry(1, passage("It was Ann, in 1821.", p1=0.9, p2=0.9))


def knowing(*ledger: Evidence) -> State:
    return replace(state(P1, P2), evidence=ledger)


def yes(*ids: str, quotes: tuple[str, ...] = ("e1",), reason: str = "") -> Judged:
    return Judged(quotes=list(quotes), covered=list(ids), reason=reason)


async def verdict(start: State, *replies: Judged) -> Verdict:
    update = await criticise(start, ports(*replies), PARAMS)
    assert set(update) == {"verdict"}
    return update["verdict"]


async def test_it_is_enough_when_every_part_is_covered() -> None:
    found = await verdict(knowing(SAID), yes("p1"), yes("p2"))
    grounds: dict[str, tuple[str, ...]] = {"p1": ("e1",), "p2": ("e1",)}
    assert found == Verdict(sufficient=True, covered=("p1", "p2"), open=(), grounds=grounds, seen=1)


async def test_a_part_that_is_not_covered_is_open_with_the_reason() -> None:
    found = await verdict(knowing(SAID), yes(reason="No quote names her."), yes("p2"))
    assert (found.sufficient, found.covered, found.open) == (False, ("p2",), ("p1",))
    assert found.reason == "No quote names her."


async def test_unknown_part_ids_are_ignored() -> None:
    found = await verdict(knowing(SAID), yes("p9", ""), yes("p2"))
    assert (found.covered, found.open) == (("p2",), ("p1",))


async def test_a_judgement_of_one_look_up_covers_no_other() -> None:
    found = await verdict(knowing(SAID), yes("p1", "p2"), yes())
    assert (found.covered, found.open) == (("p1",), ("p2",))


@pytest.mark.parametrize("quotes", [(), ("e7",)])
async def test_a_verdict_without_a_quote_of_the_ledger_counts_for_nothing(
    quotes: tuple[str, ...],
) -> None:
    found = await verdict(knowing(SAID), yes("p1", quotes=quotes), yes("p2"))
    assert (found.covered, found.open) == (("p2",), ("p1",))


async def test_each_look_up_is_judged_by_a_call_of_its_own() -> None:
    model = ScriptedModel(yes("p1"), yes("p2"))
    await criticise(knowing(SAID), replace(ports(), model=model), PARAMS)
    tasks = [task for task in model.asked if isinstance(task, JudgePart)]
    assert [[part.id for part in task.parts] for task in tasks] == [["p1"], ["p2"]]


async def test_what_is_covered_is_judged_again_only_when_something_new_bears_on_it() -> None:
    before = Verdict(
        sufficient=False, covered=("p1",), open=("p2",), grounds={"p1": ("e1",)}, seen=1
    )
    new = entry(2, passage("It is blue.", 100, p2=0.9))
    start = replace(knowing(SAID, new), verdict=before)
    model = ScriptedModel(yes("p2", quotes=("e2",)))
    found = (await criticise(start, replace(ports(), model=model), PARAMS))["verdict"]
    assert found.grounds == {"p1": ("e1",), "p2": ("e2",)}
    assert len(model.asked) == 1

    again = entry(2, passage("It was Bea.", 100, p1=0.9))
    start = replace(start, evidence=(SAID, again))
    model = ScriptedModel(yes(reason="They contradict each other."), yes())
    found = (await criticise(start, replace(ports(), model=model), PARAMS))["verdict"]
    assert found.open == ("p1", "p2")

    gone = SAID.model_copy(update={"dropped": True})
    start = replace(start, evidence=(gone, new))
    model = ScriptedModel(yes(), yes("p2", quotes=("e2",)))
    found = (await criticise(start, replace(ports(), model=model), PARAMS))["verdict"]
    assert found.open == ("p1",)


async def test_news_of_branches_that_gave_no_feedback_is_judged() -> None:
    before = Verdict(
        sufficient=False, covered=("p1",), open=("p2",), grounds={"p1": ("e1",)}, seen=1
    )
    added = entry(2, passage("It was Bea.", 100, p1=0.9)), entry(3, passage("Blue.", 200, p2=0.1))
    model = ScriptedModel(yes(reason="They contradict each other."), yes())
    start = replace(knowing(SAID, *added), verdict=before)
    found = (await criticise(start, replace(ports(), model=model), PARAMS))["verdict"]
    assert (found.open, found.seen) == (("p1", "p2"), 3)


async def test_dropped_entries_are_not_judged() -> None:
    model = ScriptedModel(yes(), yes())
    start = knowing(entry(1, passage("x", p1=0.9), dropped=True), entry(2, passage("y", p2=0.9)))
    await criticise(start, replace(ports(), model=model), PARAMS)
    task = model.asked[0]
    assert isinstance(task, JudgePart)
    assert [item.passage.text for item in task.ledger] == ["y"]


def test_a_judgement_that_names_what_is_not_there_is_sent_back() -> None:
    task = JudgePart(question="?", parts=(P1,), ledger=(SAID,), elsewhere={}, params=PARAMS)
    assert task.faults(yes("p1")) == []
    assert task.faults(yes("p2", quotes=("e9",))) == [
        "There is no id 'p2' to cover.",
        "There is no quote 'e9'.",
    ]
    assert "Name the quotes" in task.faults(yes("p1", quotes=()))[0]


async def test_the_built_in_rule_wants_a_strong_passage_for_each_part() -> None:
    start = knowing(entry(1, passage("x", p1=0.9)), entry(2, passage("y", 100, p2=0.01)))
    found = await verdict(start)
    assert (found.covered, found.open) == (("p1",), ("p2",))
    assert "When?" in found.reason
    assert (await verdict(knowing(entry(1, passage("x", p1=0.9, p2=0.9))))).sufficient
    assert not (await verdict(knowing())).sufficient


def arm(name: str, **scores: float) -> Arm:
    return Arm(url=url(name), site=SITE, scores=scores)


async def test_the_built_in_rule_reads_on_while_a_better_page_is_unread() -> None:
    blobs = MemoryBlobs()
    arms = (arm("a", p1=0.5, p2=0.5), arm("b", p1=0.9))
    start = knowing(entry(1, passage("x", p1=0.9, p2=0.9)))
    start = replace(start, arms=arms, steps=(step(blobs, document("a")),))
    assert (await verdict(start)).open == ("p1",)
    both = replace(start, steps=(*start.steps, step(blobs, document("b"), 1, 2)))
    assert (await verdict(both)).sufficient


@pytest.mark.parametrize(
    ("text", "enough"), [("The sea is deep.", False), ("The tide is high.", True)]
)
async def test_a_follow_up_goes_on_from_quotes_that_say_what_it_adds(
    text: str, enough: bool
) -> None:
    blobs = MemoryBlobs()
    [before] = [step(blobs, document("a")).page]
    assert before is not None
    asked = part(text="And the tide?", sea=1.0, tide=1.0).model_copy(update={"own": ("tide",)})
    start = replace(
        state(asked),
        meaning=Meaning(text="And the tide (sea)?", context="sea"),
        past=(Turn(number=1, question=state().question, pages=(before,)),),
        recall=Recall(round=0, pages=(before,)),
        arms=(arm("a", p1=0.9), arm("b", p1=0.85)),
        evidence=(entry(1, passage(text, p1=0.9)),),
    )
    assert (await verdict(start)).sufficient == enough
    both = replace(start, steps=(step(blobs, document("b")),))
    assert (await verdict(both)).sufficient == enough


async def test_one_site_may_do_for_a_look_up_that_does_not_name_it() -> None:
    named, other = part("p1s1", "Who?"), part("p1s2", "Who?", "http://other/")
    other = other.model_copy(update={"weight": 0.25})
    start = replace(state(named, other), evidence=(entry(1, passage("x", p1s1=0.9)),))
    assert (await verdict(start)).sufficient
    strict = replace(
        start, survey=start.survey.model_copy(update={"parts": (named, part("p1s2", "Who?"))})
    )
    assert (await verdict(strict)).open == ("p1s2",)


async def test_what_the_named_site_covers_is_not_open_on_another_one() -> None:
    named, other = part("p1s1", "Who?"), part("p1s2", "Who?", "http://other/")
    other = other.model_copy(update={"weight": 0.25})
    before = Verdict(
        sufficient=False,
        covered=("p1s1",),
        open=("p1s2",),
        grounds={"p1s1": ("e1",)},
        seen=1,
    )
    start = replace(
        state(named, other), evidence=(entry(1, passage("x", p1s1=0.9)),), verdict=before
    )
    assert (await verdict(start)).sufficient


async def test_a_page_where_a_like_question_found_nothing_may_stay_unread() -> None:
    arms = (arm("a", p1=0.5, p2=0.5), arm("b", p1=0.9).model_copy(update={"vain": 1.0}))
    start = knowing(entry(1, passage("x", p1=0.9, p2=0.9)))
    start = replace(start, arms=arms, steps=(step(MemoryBlobs(), document("a")),))
    assert (await verdict(start)).sufficient
    half = (arms[0], arms[1].model_copy(update={"vain": 0.5}))
    assert (await verdict(replace(start, arms=half))).open == ("p1",)


def told(start: State, **grounds: tuple[str, ...]) -> State:
    return replace(start, feedback=Feedback(grounds=grounds))


async def test_what_the_aggregator_judged_is_taken_over_without_a_call() -> None:
    model = ScriptedModel()
    start = told(knowing(SAID), p1=("e1",), p2=())
    found = (await criticise(start, replace(ports(), model=model), PARAMS))["verdict"]
    assert (found.covered, found.open, found.grounds) == (("p1",), ("p2",), {"p1": ("e1",)})
    assert model.asked == []
    found = (await criticise(told(knowing(SAID), p1=("e1",), p2=("e1",)), ports(), PARAMS))[
        "verdict"
    ]
    assert found.sufficient


async def test_a_gate_judges_once_more_what_is_said_to_be_covered() -> None:
    model = ScriptedModel(yes(reason="That is another Ann."))
    start = told(knowing(SAID), p1=("e1",), p2=())
    gate = CriticParams(gate=True)
    found = (await criticise(start, replace(ports(), model=model), gate))["verdict"]
    assert (found.covered, found.open) == ((), ("p1", "p2"))
    assert [task.parts[0].id for task in model.asked if isinstance(task, JudgePart)] == ["p1"]


@pytest.mark.parametrize(("score", "asked"), [(0.0, 0), (0.3, 1)])
async def test_a_part_that_was_not_judged_is_judged_if_a_new_quote_bears_on_it(
    score: float, asked: int
) -> None:
    model = ScriptedModel(yes())
    start = told(knowing(entry(1, passage("It was Ann.", p1=0.9, p2=score))), p1=("e1",))
    found = (await criticise(start, replace(ports(), model=model), PARAMS))["verdict"]
    assert (found.open, len(model.asked)) == (("p2",), asked)


async def test_a_part_asked_on_two_sites_is_judged_when_it_is_covered_on_one() -> None:
    here, there = part("p1s1", "Who?"), part("p1s2", "Who?", site="http://other/")
    model = ScriptedModel(yes("p1s2"))
    start = replace(state(here, there), evidence=(entry(1, passage("By Ann.", p1s1=0.9)),))
    start = told(start, p1s1=("e1",))
    found = (await criticise(start, replace(ports(), model=model), PARAMS))["verdict"]
    assert (found.sufficient, len(model.asked)) == (True, 1)
