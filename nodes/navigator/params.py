"""The navigator's parameters, whatever its mode."""

from typing import Literal, Self

from pydantic import Field, model_validator

from forager.browsing.search_frontier import CLASSES
from forager.domain.base import Frozen


class NavigatorParams(Frozen):
    """How the navigator sees and how far it goes."""

    mode: Literal["links", "search", "browser", "visual"] = Field(
        "links", description="what the actions are taken from; visual adds screenshots"
    )
    steps: int = Field(10, ge=1, description="actions in one round, the first page included")
    least: float = Field(
        0.0, ge=0, description="relevance a link or a result needs to be followed offline"
    )
    browser: bool = Field(
        False, description="where links end, use the search boxes and filter forms of pages"
    )
    results: int = Field(10, ge=1, description="results shown of each search")
    finds: int = Field(2, ge=0, description="looks for words in a whole page, before an action")
    eager: bool = Field(True, description="in a browser, each new page is read at once")
    tree: bool = Field(False, description="in a browser, best-first search that can go back")
    contexts: int = Field(3, ge=1, le=5, description="contexts that propose actions in a tree")
    frontier: int = Field(CLASSES, ge=CLASSES, description="actions of a tree that wait at most")

    @model_validator(mode="after")
    def _tree_in_a_browser(self) -> Self:
        if self.tree and self.mode not in {"browser", "visual"}:
            raise ValueError("tree needs mode browser or visual")
        return self


class PromptContext(Frozen):
    """What one prompt is made of: so many steps back, lessons or not, all look-ups or the first.

    `place` is the guess taken by the rule without a model: contexts propose different ones.
    """

    name: str = "all"
    history: int = 6
    lessons: bool = True
    first: bool = False
    place: int = 0


PLAIN_CONTEXT = PromptContext()
