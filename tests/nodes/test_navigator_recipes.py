"""A way that worked before is followed without asking anybody, as long as it is there."""

from dataclasses import replace

from forager.domain.actions import Action, Element
from forager.domain.experience import Recipe
from forager.domain.state import Recall
from nodes.navigator import NavigatorParams
from nodes.navigator.browser import Move
from nodes.navigator.forced_moves import RECIPE_STEP
from tests.nodes.browser_states import HOME, Walk, kinds
from tests.nodes.states import SITE, state, url


def way(*actions: Action) -> Recall:
    return Recall(round=1, recipe=Recipe(question="?", site=SITE, actions=actions))


FOUND = Element(role="link", name="Who founded the dome", ancestors=())


async def test_a_recipe_is_followed_without_asking_anybody() -> None:
    walk = Walk(Move(kind="stop"))
    click = Action(kind="click", target="e99", element=FOUND, reason="once")
    goto = Action(kind="goto", target=HOME)
    walk.state = replace(walk.state, recall=way(goto, click))
    done = await walk.go(2)
    assert kinds(done) == [f"goto {HOME}", "click e5"]
    assert {each.reason for each in done} == {RECIPE_STEP}
    assert not walk.model.asked
    assert (await walk.proposed()).kind == "aggregate"
    walk.read()
    assert (await walk.proposed()).kind == "stop"
    assert walk.model.asked


async def test_links_give_way_to_a_recipe() -> None:
    walk = Walk(params=NavigatorParams(mode="links", browser=True))
    click = Action(kind="click", target="e99", element=FOUND)
    walk.state = replace(walk.state, recall=way(Action(kind="goto", target=HOME), click))
    assert kinds(await walk.go(2)) == [f"goto {HOME}", "click e5"]
    assert not walk.model.asked
    plain = Walk(params=NavigatorParams(mode="links"), start=walk.state)
    plain.state = replace(plain.state, steps=())
    assert (await plain.proposed()).kind == "visit"


async def test_if_a_recipe_does_not_fit_the_page_the_navigator_takes_over() -> None:
    walk = Walk(Move(kind="click", ref="e6"))
    gone = Action(kind="click", target="e5", element=FOUND.model_copy(update={"name": "Founder"}))
    walk.state = replace(walk.state, recall=way(Action(kind="goto", target=HOME), gone))
    assert kinds(await walk.go(2)) == [f"goto {HOME}", "click e6"]


async def test_if_a_recipe_cannot_be_followed_links_start_at_the_arm() -> None:
    walk = Walk(params=NavigatorParams(mode="links", browser=True))
    walk.state = replace(walk.state, recall=way(Action(kind="goto", target=url("gone"))))
    done = [*await walk.go(1), await walk.proposed()]
    assert kinds(done) == [f"goto {url('gone')}", f"visit {SITE}"]


async def test_an_arm_that_a_recipe_led_past_is_not_exhausted() -> None:
    walk = Walk(Move(kind="stop"), params=NavigatorParams(mode="links", browser=True))
    start = replace(state(urls=[url("arm")]), recall=way(Action(kind="goto", target=HOME)))
    walk.state = start
    assert kinds(await walk.go(2)) == [f"goto {HOME}", "stop"]
    assert walk.state.proposal
    assert not walk.state.proposal.nothing_left
    walk.state = replace(walk.state, draw=start.draw.model_copy(update={"round": 2}))
    assert (await walk.proposed()).kind == "visit"


async def test_a_recipe_leads_to_no_other_site() -> None:
    walk = Walk()
    walk.state = replace(walk.state, recall=way(Action(kind="goto", target="http://elsewhere/")))
    assert (await walk.proposed()).target == SITE
