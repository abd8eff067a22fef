"""The navigator's parameters, and what ends a round in every mode."""

from typing import Literal, Self

from pydantic import Field, model_validator

from forager.browsing.search_frontier import STEP_CLASS_COUNT
from forager.browsing.trajectory import steps_of_round
from forager.budget import exhausted_limit, smaller_limit
from forager.domain.actions import Action
from forager.domain.base import Frozen
from forager.domain.state import State

CALL_REFUSED = "the budget allows no further call"
DRAWN = "the page drawn for this round"
NOTHING_OPEN = "nothing is left open"


class NavigatorParams(Frozen):
    """How the navigator sees and how far it goes."""

    mode: Literal["links", "site", "search", "browser", "visual"] = Field(
        "links",
        description="where actions come from; site adds unread arms and a search to the links,"
        " visual adds screenshots",
    )
    steps: int = Field(10, ge=1, description="actions in a round, the first page included")
    least: float = Field(
        0.0, ge=0, description="relevance a link or result needs to be followed without a model"
    )
    browser: bool = Field(
        False, description="use the search boxes and filter forms of pages when links end"
    )
    results: int = Field(10, ge=1, description="results shown of each search")
    finds: int = Field(2, ge=0, description="searches within a page before an action, at most")
    eager: bool = Field(True, description="in a browser, read each new page at once")
    tree: bool = Field(
        False, description="in a browser, search best-first and go back where needed"
    )
    contexts: int = Field(3, ge=1, le=5, description="prompts that propose actions in a tree")
    frontier: int = Field(
        STEP_CLASS_COUNT, ge=STEP_CLASS_COUNT, description="actions of a tree kept waiting, at most"
    )

    @model_validator(mode="after")
    def _tree_in_a_browser(self) -> Self:
        if self.tree and self.mode not in {"browser", "visual"}:
            raise ValueError("tree needs mode browser or visual")
        return self


def spent_reason(state: State, params: NavigatorParams) -> str:
    """Why no further step may be taken; empty while one may."""
    limit = smaller_limit(params.steps, state.question.budget.steps)
    exhausted = exhausted_limit(state.question.budget, state.spend)
    if len(steps_of_round(state)) >= limit or exhausted:
        return f"the budget of {exhausted or 'steps'} is spent"
    return ""


def last_action(reason: str, *, unread: bool) -> Action:
    """The action that ends a round: an unread page is read first."""
    return Action(kind="aggregate" if unread else "stop", reason=reason)
