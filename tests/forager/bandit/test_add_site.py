"""A site joins those that were surveyed."""

from dataclasses import replace

from forager.bandit.add_site import add_site_survey
from forager.domain.state import Arm, Draw, Question, State, Survey
from tests.nodes.states import part

OLD, NEW = "http://old/", "http://new/"
STATE = State(
    question=Question(text="Who?", sites=(OLD,)),
    survey=Survey(parts=(part("p1"), part("p2s1")), pages={OLD: 7}, notes=("old",)),
    arms=(Arm(url=f"{OLD}a", part="p1", scores={"p1": 0.5}, alpha=3.0),),
    draw=Draw(round=4),
)
FOUND = Survey(parts=(part("p1", site=NEW), part("p2", site=NEW)), pages={NEW: 3}, whole=(NEW,))


def test_parts_and_arms_get_ids_of_their_own() -> None:
    arms = (Arm(url=f"{NEW}b", part="p2", scores={"p1": 0.1, "p2": 0.9}, alpha=2.0),)
    survey, joined = add_site_survey(STATE, FOUND, arms)
    assert [each.id for each in survey.parts] == ["p1", "p2s1", "p3", "p4"]
    assert [each.since for each in survey.parts] == [0, 0, 4, 4]
    assert survey.parts[:2] == STATE.survey.parts
    assert survey.pages == {OLD: 7, NEW: 3}
    assert (survey.whole, survey.notes) == ((NEW,), ("old",))
    assert joined[:1] == STATE.arms
    assert joined[1].part == "p4"
    assert joined[1].scores == {"p3": 0.1, "p4": 0.9}


def test_an_arm_that_was_there_holds_both() -> None:
    arms = (Arm(url=f"{OLD}a", part="p1", scores={"p1": 0.9}, alpha=2.0),)
    _, (arm,) = add_site_survey(STATE, FOUND, arms)
    assert (arm.alpha, arm.scores) == (3.0, {"p1": 0.5, "p3": 0.9})


def test_before_the_first_round_its_parts_are_new_too() -> None:
    survey, _ = add_site_survey(replace(STATE, draw=Draw(round=0)), FOUND, ())
    assert survey.parts[2].since == 1
