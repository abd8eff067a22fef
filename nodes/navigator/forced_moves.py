"""In a browser, what is done without asking a model: open, read, return, end, follow a recipe."""

from forager.browsing.element_match import match_element
from forager.browsing.page.aria import to_element
from forager.browsing.shown_page import shown_page
from forager.browsing.trajectory import current_step, has_unread_page, steps_of_round, viewed_steps
from forager.domain.actions import Action
from forager.domain.experience import Recipe
from forager.domain.state import Proposal, State, Step
from forager.domain.urls import forbidding_entry, page_identity, same_site
from forager.ports import Blobs, Ports
from forager.questions.subquestions import nothing_is_open
from nodes.navigator.params import (
    DRAWN,
    NOTHING_OPEN,
    NavigatorParams,
    last_action,
    spent_reason,
)

NO_PAGE_OPENED = "no page could be opened"
OFF_SITE = "this page is on another site"
RECIPE_STEP = "a step of a saved path"


def forced_action(state: State, ports: Ports, params: NavigatorParams) -> Action | None:
    """The only thing to do now; None if there is a choice."""
    fresh = _has_new_text(state, params)
    if reason := spent_reason(state, params):
        return last_action(reason, unread=fresh)
    if current_step(state) is None:
        return _first_action(state)
    if fresh and params.eager:
        return Action(kind="aggregate", reason="just opened")
    if state.verdict is None and nothing_is_open(state):
        return Action(kind="stop", reason=NOTHING_OPEN)
    if is_off_site(state) and not state.frontier:
        return _return_to_site(state)
    return _next_of_recipe(state, ports.blobs)


def make_proposal(state: State, params: NavigatorParams, action: Action) -> Proposal:
    """The proposal; a stop without an answer, before any limit, has nothing left to try."""
    left = action.kind == "stop" and not action.value and not spent_reason(state, params)
    return Proposal(round=state.draw.round, action=action, nothing_left=left)


def start_addresses(state: State) -> tuple[str, ...]:
    """Where a round may start: the arm drawn and the sites, or else every arm."""
    urls = (*state.draw.urls, *state.question.sites) or tuple(arm.url for arm in state.arms)
    urls = tuple(url for url in urls if not forbidding_entry(state.question.forbidden, url))
    return tuple({page_identity(url): url for url in reversed(urls)}.values())[::-1]


def untried_starts(state: State) -> tuple[str, ...]:
    """The start addresses that this round has not tried."""
    steps = steps_of_round(state)
    pages = {page_identity(step.page.url) for step in steps if step.page}
    gone = {page_identity(step.action.target) for step in steps if step.action.kind == "goto"}
    return tuple(url for url in start_addresses(state) if page_identity(url) not in pages | gone)


def is_off_site(state: State) -> bool:
    """Does the browser show a page of another site than those asked?"""
    here = current_step(state)
    return here is not None and here.page is None


def _return_to_site(state: State) -> Action:
    """Go back, or, if that did not work, to the last page of the sites."""
    here = current_step(state)
    last = steps_of_round(state)[-1]
    if last.action.kind != "back" or last == here:
        return Action(kind="back", reason=OFF_SITE)
    shown = [step.view.url for step in viewed_steps(state) if step.page and step.view]
    return Action(kind="goto", target=[*start_addresses(state), *shown][-1], reason=OFF_SITE)


def _has_new_text(state: State, params: NavigatorParams) -> bool:
    """Has the page not been read yet, and does its text differ from every page before?"""
    if not has_unread_page(state):
        return False
    *before, last = [step.page.blob for step in state.steps if step.page]
    return not params.eager or last not in before


def _first_action(state: State) -> Action:
    recipe = state.recall.recipe
    if (
        recipe
        and recipe.actions
        and not steps_of_round(state)
        and _stays_on_sites(state, recipe.actions[0])
    ):
        return recipe.actions[0].model_copy(update={"reason": RECIPE_STEP})
    for url in untried_starts(state):
        reason = DRAWN if url in state.draw.urls else "a page to start from"
        return Action(kind="goto", target=url, reason=reason)
    return Action(kind="stop", reason=NO_PAGE_OPENED)


def _next_of_recipe(state: State, blobs: Blobs) -> Action | None:
    """The next action of the recipe, if the round has followed it so far and the page allows it."""
    recipe, steps = state.recall.recipe, steps_of_round(state)
    if recipe is None or len(steps) >= len(recipe.actions) or not _keeps_to_recipe(recipe, steps):
        return None
    action = recipe.actions[len(steps)]
    last = current_step(state)
    if last is None or not (action.element or _stays_on_sites(state, action)):
        return None
    update: dict[str, object] = {"at": last.id, "reason": RECIPE_STEP}
    if action.element:
        found = match_element(action.element, shown_page(state, blobs).root).node
        if found is None:
            return None
        update |= {"target": found.ref, "element": to_element(found)}
    return action.model_copy(update=update)


def _keeps_to_recipe(recipe: Recipe, steps: list[Step]) -> bool:
    return all(
        step.outcome == "moved" and _same_recipe_step(step.action, action)
        for step, action in zip(steps, recipe.actions, strict=False)
    )


def _same_recipe_step(one: Action, other: Action) -> bool:
    """Are both the same step of a recipe? Refs and the words around an element may differ."""
    if one.element is None or other.element is None:
        return (one.kind, one.target, one.value) == (other.kind, other.target, other.value)
    alike = one.element.role == other.element.role
    return alike and (one.kind, one.value, one.submit) == (other.kind, other.value, other.submit)


def _stays_on_sites(state: State, action: Action) -> bool:
    """Does an action without an element stay on the sites that were asked?"""
    if action.kind not in {"goto", "new_tab"}:
        return True
    return any(
        same_site(url, action.target) for url in (*start_addresses(state), *state.question.sites)
    )
