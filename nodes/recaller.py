"""Brings back what earlier attempts taught, and a way through the site that worked before."""

from typing import Literal

from pydantic import Field

from forager.frozen import Frozen
from forager.ports import Ports
from forager.recipe import Recipe
from forager.state import Recall, State, Update


class RecallerParams(Frozen):
    """Which episodes come back."""

    episodes: Literal["arm", "run"] = Field(
        "arm", description="lessons of the drawn arm, or of the whole run"
    )


async def recall(state: State, ports: Ports, params: RecallerParams) -> Update:
    """The lessons so far, the newest last, and the way for this question on this site."""
    lessons = tuple(
        f"{lesson.url}: {lesson.text}"
        for lesson in state.lessons
        if params.episodes == "run" or lesson.url in state.draw.urls
    )
    recipe = await _recipe(state, ports)
    return {"recall": Recall(round=state.draw.round, lessons=lessons, recipe=recipe)}


async def _recipe(state: State, ports: Ports) -> Recipe | None:
    """Of the drawn arm's site, or else of the sites asked; none that this run has tried."""
    drawn = [arm.site for arm in state.arms if arm.url in state.draw.urls and arm.site]
    begun = {(step.action.kind, step.action.target) for step in state.steps}
    for site in dict.fromkeys(drawn or state.question.sites):
        found = await ports.recipes.find(state.asked, site)
        if found and (found.actions[0].kind, found.actions[0].target) not in begun:
            return found
    return None
