"""What a walk in a browser does before anybody is asked: open, read, end, or follow a recipe."""

from forager.browsing.element_match import match
from forager.browsing.page.aria import describe
from forager.browsing.trajectory import standing, viewed
from forager.domain.actions import Action
from forager.domain.experience import Recipe
from forager.domain.state import State, Step
from forager.domain.url_rules import forbidden
from forager.domain.urls import identity, same_site
from forager.ports import Ports
from nodes.navigator.browser_view import page
from nodes.navigator.open_work import SETTLED, ended, settled, spent, taken, unread
from nodes.navigator.params import NavigatorParams

UNOPENED = "no page could be opened"
ASTRAY = "this is not a site that was asked"
FOLLOWED = "as it worked before"


def forced(state: State, ports: Ports, params: NavigatorParams) -> Action | None:
    """The one thing to do, if there is only one."""
    fresh = _fresh(state, params)
    if reason := spent(state, params):
        return ended(reason, unread=fresh)
    if standing(state) is None:
        return _opening(state)
    if fresh and params.eager:
        return Action(kind="aggregate", reason="it was just opened")
    if state.verdict is None and settled(state):
        return Action(kind="stop", reason=SETTLED)
    if astray(state) and not state.frontier:
        return _returning(state)
    return _followed(state, ports)


def starts(state: State) -> tuple[str, ...]:
    """Where a walk may begin: the arm drawn, or else the sites, or what a search found."""
    urls = (*state.draw.urls, *state.question.sites) or tuple(arm.url for arm in state.arms)
    urls = tuple(url for url in urls if not forbidden(state.question.forbidden, url))
    return tuple({identity(url): url for url in reversed(urls)}.values())[::-1]


def untried(state: State) -> tuple[str, ...]:
    """The starts where this walk has not been."""
    steps = taken(state)
    pages = {identity(step.page.url) for step in steps if step.page}
    gone = {identity(step.action.target) for step in steps if step.action.kind == "goto"}
    return tuple(url for url in starts(state) if identity(url) not in pages | gone)


def astray(state: State) -> bool:
    """Does the browser show a page of a site that was not asked?"""
    here = standing(state)
    return here is not None and here.page is None


def _returning(state: State) -> Action:
    """Back, or to the page before where there is no way back."""
    here = standing(state)
    last = taken(state)[-1]
    if last.action.kind != "back" or last == here:
        return Action(kind="back", reason=ASTRAY)
    shown = [step.view.url for step in viewed(state) if step.page and step.view]
    return Action(kind="goto", target=[*starts(state), *shown][-1], reason=ASTRAY)


def _fresh(state: State, params: NavigatorParams) -> bool:
    """Has the page not been read yet, and said something else than any before it?"""
    if not unread(state):
        return False
    *before, last = [step.page.blob for step in state.steps if step.page]
    return not params.eager or last not in before


def _opening(state: State) -> Action:
    recipe = state.recall.recipe
    if recipe and recipe.actions and not taken(state) and _leads_in(state, recipe.actions[0]):
        return recipe.actions[0].model_copy(update={"reason": FOLLOWED})
    for url in untried(state):
        reason = "the arm drawn" if url in state.draw.urls else "where the walk begins"
        return Action(kind="goto", target=url, reason=reason)
    return Action(kind="stop", reason=UNOPENED)


def _followed(state: State, ports: Ports) -> Action | None:
    """The next action of a recipe that the walk has kept to, its element found in the page."""
    recipe, steps = state.recall.recipe, taken(state)
    if recipe is None or len(steps) >= len(recipe.actions) or not _keeps_to(recipe, steps):
        return None
    action = recipe.actions[len(steps)]
    last = standing(state)
    if last is None or not (action.element or _leads_in(state, action)):
        return None
    update: dict[str, object] = {"at": last.id, "reason": FOLLOWED}
    if action.element:
        found = match(action.element, page(state, ports).root).node
        if found is None:
            return None
        update |= {"target": found.ref, "element": describe(found)}
    return action.model_copy(update=update)


def _keeps_to(recipe: Recipe, steps: list[Step]) -> bool:
    return all(
        step.outcome == "moved" and _same(step.action, action)
        for step, action in zip(steps, recipe.actions, strict=False)
    )


def _same(one: Action, other: Action) -> bool:
    """Are they one step of a recipe? Refs and the words around an element change."""
    if one.element is None or other.element is None:
        return (one.kind, one.target, one.value) == (other.kind, other.target, other.value)
    alike = one.element.role == other.element.role
    return alike and (one.kind, one.value, one.submit) == (other.kind, other.value, other.submit)


def _leads_in(state: State, action: Action) -> bool:
    """Does an action without an element keep to the sites that were asked?"""
    if action.kind not in {"goto", "new_tab"}:
        return True
    return any(same_site(url, action.target) for url in (*starts(state), *state.question.sites))
