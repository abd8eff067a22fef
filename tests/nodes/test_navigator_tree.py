"""Best-first search: contexts propose, the best of all is done, and the walk can go back."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from forager.domain.actions import Action, Candidate
from forager.domain.browser import View
from forager.ports import ActionCheck, ActionResult
from nodes.navigator import NavigatorParams
from nodes.navigator.browser import ActInBrowser, Move
from nodes.navigator.tree import RateActions, Rated, Rating
from tests.fake_browser import FakeBrowser
from tests.fakes import MemoryBlobs
from tests.nodes.browser_states import DOME, HOME, MOVES, PARAMS, PRESS, SCREENS, Walk, kinds
from tests.nodes.states import SITE

TREE = PARAMS.model_copy(update={"tree": True})
DOME_LINK, PRESS_LINK, GO = (Move(kind="click", ref=ref) for ref in ("e5", "e6", "e4"))
TO_DOME = Move(kind="goto", value=DOME)


def rated(*scores: float) -> Rated:
    return Rated(ratings=[Rating(number=n, score=each) for n, each in enumerate(scores, start=1)])


def browser(walk: Walk, **given: object) -> FakeBrowser:
    """Another browser for a walk, over the same screens."""
    blobs = walk.doors.blobs
    assert isinstance(blobs, MemoryBlobs)
    made = FakeBrowser(blobs, SCREENS, MOVES, **given)  # type: ignore[arg-type]
    walk.browser = made
    walk.doors = replace(walk.doors, browser=made)
    return made


async def grown(*replies: Move | Rated, params: NavigatorParams = TREE) -> Walk:
    """A search that has opened the home page, and read it."""
    walk = Walk(*replies, params=params)
    await walk.proposed()
    await walk.acted()
    walk.read()
    return walk


def test_a_tree_grows_in_a_browser_alone() -> None:
    with pytest.raises(ValidationError, match="tree needs mode browser or visual"):
        NavigatorParams(tree=True)


async def test_contexts_differ_and_the_best_rated_is_done_first() -> None:
    walk = await grown(GO, PRESS_LINK, DOME_LINK, rated(0.1, 0.4, 0.9))
    action = await walk.proposed()
    assert kinds([action]) == ["click e5"]
    *contexts, rating = walk.model.asked
    assert isinstance(rating, RateActions)
    assert len(contexts) == TREE.contexts
    assert len({each.model_dump_json() for each in contexts}) == TREE.contexts
    waiting = {each.action.target: each.progress for each in walk.state.frontier}
    assert waiting == {"e4": 0.1, "e6": 0.4}


async def test_equal_effects_merge_and_votes_are_bounded() -> None:
    walk = await grown(DOME_LINK, TO_DOME, PRESS_LINK, rated(0.5, 0.6))
    assert kinds([await walk.proposed()]) == ["click e5"], "0.5 with two votes is 0.625"
    [waiting] = walk.state.frontier
    assert (waiting.action.target, waiting.votes) == ("e6", 1)


async def test_answers_end_it_only_when_they_agree() -> None:
    one, other = Move(kind="stop", value="Ottilie."), Move(kind="stop", value="Marius")
    walk = await grown(one, other, PRESS_LINK, rated(1, 1, 0.2))
    assert kinds([await walk.proposed()]) == ["click e6"]
    agreeing = one.model_copy(update={"value": " ottilie"})
    walk = await grown(one, agreeing, PRESS_LINK, rated(0.6, 0.9))
    action = await walk.proposed()
    assert (action.kind, action.value) == ("stop", "Ottilie.")


async def test_an_answer_that_waited_is_taken_at_the_end() -> None:
    short = TREE.model_copy(update={"steps": 2})
    stop = Move(kind="stop", value="Ottilie")
    walk = await grown(stop, PRESS_LINK, PRESS_LINK, rated(0.6, 0.9), params=short)
    assert kinds([await walk.proposed()]) == ["click e6"]
    await walk.acted()
    walk.read()
    action = await walk.proposed()
    assert (action.kind, action.value) == ("stop", "Ottilie")


async def test_it_goes_back_to_where_another_way_is_better() -> None:
    away = Move(kind="stop")
    walk = await grown(PRESS_LINK, DOME_LINK, DOME_LINK, rated(0.9, 0.5), away, away, away)
    assert kinds(await walk.go(2)) == ["click e6", "click e5"]
    assert walk.browser.stood[-1] == ("1.1",), "the second way begins where the first one did"
    assert walk.state.steps[-1].action.at == "1.1"
    assert walk.state.steps[-1].view is not None
    assert walk.state.steps[-1].view.url == DOME


async def test_where_no_way_leads_back_the_next_best_is_taken() -> None:
    away = Move(kind="stop")
    walk = await grown(PRESS_LINK, DOME_LINK, GO, rated(0.9, 0.5, 0.3), away, away, away)
    assert kinds(await walk.go(1)) == ["click e6"]
    walk.read()
    lost = browser(walk, lost=(HOME,))
    await lost.perform("1 " + SITE, Action(kind="goto", target=PRESS))
    assert kinds(await walk.go(1)) == ["click e5"]
    last = walk.state.steps[-1]
    assert (last.outcome, last.view) == ("failed", None)
    assert "leads elsewhere" in last.reason
    asked = len(walk.model.asked)
    assert kinds([await walk.proposed()]) == ["click e4"], "what was proposed before still waits"
    assert len(walk.model.asked) == asked, "nobody is asked again for the same page"


async def test_destructive_actions_wait_and_discard_earlier_proposals() -> None:
    delete = Move(kind="click", ref="e16")
    harm = "It deletes something."
    walk = await grown(DOME_LINK, PRESS_LINK, PRESS_LINK, rated(0.9, 0.5))
    walk.model.replies.extend([delete, Move(kind="click", ref="e15"), delete, rated(0.9, 0.8)])
    walk.model.replies.extend([Move(kind="stop")] * 3)
    deleted = ActionResult(view=View(url=DOME), opened=await walk.browser.render(DOME), harm=harm)
    made = browser(
        walk,
        examined={("click", "e16"): ActionCheck(harm=harm)},
        performed={(DOME, "click", "e16"): deleted},
    )
    await made.perform("1 " + SITE, Action(kind="goto", target=HOME))
    await walk.go(1)
    walk.read()
    assert kinds([await walk.proposed()]) == ["click e15"], "although deleting was rated higher"
    harms = {each.action.target: each.harm for each in walk.state.frontier}
    assert harms == {"e6": "", "e16": harm}
    step = walk.state.steps[-1]
    destroyed = step.model_copy(update={"id": "1.3", "harm": harm})
    walk.state = replace(walk.state, steps=(*walk.state.steps, destroyed))
    await walk.proposed()
    assert {each.action.at for each in walk.state.frontier} <= {"1.3"}


async def test_what_the_live_page_refuses_is_left_out() -> None:
    walk = await grown(GO, DOME_LINK, DOME_LINK)
    made = browser(walk, examined={("click", "e4"): ActionCheck(fault="It is covered.")})
    await made.perform("1 " + SITE, Action(kind="goto", target=HOME))
    assert kinds([await walk.proposed()]) == ["click e5"]
    assert walk.state.frontier == ()


async def test_by_rule_the_contexts_propose_different_guesses() -> None:
    walk = await grown()
    assert kinds(await walk.go(2)) == ["click e5", "click e15"]
    assert "e6" in {each.action.target for each in walk.state.frontier}


async def test_by_rule_it_goes_back_and_gives_up_only_when_nothing_is_left() -> None:
    walk = await grown()
    done = await walk.go(9)
    assert kinds(done) == ["click e5", "click e15", "click e6", "type e3", "stop"]
    assert walk.state.proposal is not None
    assert walk.state.proposal.nothing_left


async def test_where_anything_may_be_followed_each_page_is_opened_once() -> None:
    walk = await grown(params=TREE.model_copy(update={"least": 0.0}))
    done = kinds(await walk.go(9))
    assert done[-1] == "stop"
    assert sorted(done[:-1]) == ["click e15", "click e5", "click e6", "click e7", "type e3"]


async def test_the_frontier_is_bounded() -> None:
    walk = await grown()
    waiting = tuple(
        Candidate(
            number=number,
            action=Action(kind="click", target=f"e{number}", at="1.1"),
            progress=number / 100,
            effect=f"click e{number}",
        )
        for number in range(20, 40)
    )
    walk.state = replace(walk.state, frontier=waiting)
    await walk.proposed()
    assert len(walk.state.frontier) == TREE.frontier


async def test_another_round_begins_with_nothing_waiting() -> None:
    walk = await grown()
    await walk.proposed()
    assert walk.state.frontier
    draw = walk.state.draw.model_copy(update={"round": 2})
    walk.state = replace(walk.state, draw=draw)
    assert (await walk.proposed()).kind == "goto"
    assert walk.state.frontier == ()


# ---- ratings


def task(*actions: Action) -> RateActions:
    return RateActions(question="?", open=("the dome",), actions=actions, terms={"dome": 1.0})


def test_ratings_that_lack_or_exceed_go_back() -> None:
    two = task(Action(kind="back"), Action(kind="forward"))
    assert two.faults(rated(0.2, 0.4)) == []
    assert two.faults(rated(0.2)) == ["Action 2 has no rating."]
    assert len(two.faults(rated(0.2, 1.4, 0.1))) == 2


@given(
    st.lists(
        st.builds(
            Rating, number=st.integers(0, 4), score=st.floats(allow_nan=False, allow_infinity=False)
        )
    )
)
def test_a_score_is_a_share_whatever_the_reply(ratings: list[Rating]) -> None:
    scores = task(*[Action(kind="back")] * 3).bounded_scores(Rated(ratings=ratings))
    assert len(scores) == 3
    assert all(0 <= score <= 1 for score in scores)


def test_prompts_of_contexts_are_all_for_the_navigator() -> None:
    assert ActInBrowser.ROLE == "navigator"
    assert RateActions.ROLE == "rater"
