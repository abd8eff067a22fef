"""What earlier attempts taught comes back: of the arm that was drawn, or of all."""

from dataclasses import replace

from forager.action import Action
from forager.recipe import Recipe
from forager.state import Draw, Step
from nodes.recaller import RecallerParams, recall
from tests.browsing import FakeRecipes
from tests.doors import ports
from tests.nodes.made import lesson, state, url

START = replace(
    state(urls=[url("a"), url("b")]),
    lessons=(lesson(1, url("a")), lesson(2, url("b")), lesson(3, url("a"))),
    draw=Draw(round=4, urls=(url("a"),)),
)


async def test_the_lessons_of_the_drawn_arm_come_back_in_order() -> None:
    update = await recall(START, ports(), RecallerParams())
    assert set(update) == {"recall"}
    assert update["recall"].round == 4
    assert update["recall"].lessons == (
        f"{url('a')}: partial in round 1",
        f"{url('a')}: partial in round 3",
    )


async def test_or_those_of_the_whole_run() -> None:
    update = await recall(START, ports(), RecallerParams(episodes="run"))
    assert len(update["recall"].lessons) == 3


async def test_a_first_attempt_recalls_nothing() -> None:
    update = await recall(state(urls=[url("a")]), ports(), RecallerParams())
    assert update["recall"].lessons == ()


async def test_a_way_that_worked_on_the_site_comes_back_until_it_was_tried() -> None:
    begin = Action(kind="goto", target=url("find"))
    recipe = Recipe(question="Who founded it?", site=url(), actions=(begin,))
    doors = ports(recipes=FakeRecipes(recipe))
    update = await recall(START, doors, RecallerParams())
    assert update["recall"].recipe == recipe
    begun = Step(id="3.1", round=3, number=1, action=begin, outcome="moved")
    update = await recall(replace(START, steps=(begun,)), doors, RecallerParams())
    assert update["recall"].recipe is None


async def test_without_an_arm_the_sites_asked_are_looked_at() -> None:
    begin = Action(kind="goto", target=url("find"))
    recipe = Recipe(question="Who founded it?", site=url(), actions=(begin,))
    doors = ports(recipes=FakeRecipes(recipe))
    update = await recall(replace(START, arms=(), draw=Draw(round=1)), doors, RecallerParams())
    assert update["recall"].recipe == recipe
