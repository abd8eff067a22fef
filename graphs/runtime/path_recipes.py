"""The paths through sites that led to the cited pages, kept as recipes when a run has answered."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from forager.browsing.trajectory import trajectory_to
from forager.domain.actions import IN_BROWSER, Action
from forager.domain.experience import Recipe
from forager.domain.state import Draw, State, Step

MAX_ACTIONS: Final = 30
"""A longer path is not worth keeping."""
STARTING_ACTIONS: Final = frozenset({"goto", "new_tab"})
TAB_ACTIONS: Final = frozenset({"new_tab", "focus_tab", "close_tab"})
IN_PLACE_ACTIONS: Final = frozenset({"type", "select", "press", "hover", "scroll"})
"""Actions that change a page but may leave its text as it is."""
REF: Final = re.compile(r"(?:f\d+)?e\d+")
"""The reference of an element, valid for one view of a page only."""


def learn_recipes(state: State) -> tuple[Recipe, ...]:
    """One path per site through the pages that the answer cites, without detours.

    Nothing is learned from a run that did not answer, nor from a path that changed something on the
    site or that only refs can describe.
    """
    if state.answer is None or state.answer.status != "answered":
        return ()
    cited = {citation.id for citation in state.answer.citations}
    read = {item.step for item in state.evidence if item.id in cited}
    paths: dict[str, list[tuple[Action, ...]]] = {}
    for step in state.steps:
        if step.id in read and step.page and (path := _path_to(state, step)):
            paths.setdefault(step.page.site, []).append(path)
    return tuple(
        Recipe(question=state.asked, site=site, actions=actions)
        for site, found in paths.items()
        if 0 < len(actions := _join_paths(found)) <= MAX_ACTIONS
    )


def _path_to(state: State, step: Step) -> tuple[Action, ...]:
    """From an address to the view of a step; empty where the path cannot be repeated."""
    then = replace(state, draw=Draw(round=step.round))
    steps = _without_detours(trajectory_to(then, step.id))
    actions = tuple(_repeatable_action(step.action) for step in steps)
    fit = all(each.kind in IN_BROWSER and not _ends_at_ref(each) for each in actions)
    if any(step.harm for step in steps) or not actions or not fit:
        return ()
    return actions if actions[0].kind in STARTING_ACTIONS else ()


def _without_detours(steps: Sequence[Step]) -> list[Step]:
    """Without loops back to the same page, and without what lay before a new start."""
    path: list[Step] = []
    for step in steps:
        back = next((place for place, one in enumerate(path) if _leads_back(one, step)), None)
        path = path[: back + 1] if back is not None else [*path, step]
    if any(step.action.kind in TAB_ACTIONS for step in path):
        return path
    last = max((place for place, one in enumerate(path) if one.action.kind == "goto"), default=0)
    return path[last:]


def _leads_back(before: Step, after: Step) -> bool:
    """Whether `after` leads back to the page where `before` had led."""
    if before.view is None or after.view is None or before.page is None or after.page is None:
        return False
    there = before.view.url == after.view.url and before.page.blob == after.page.blob
    return there and after.action.kind not in IN_PLACE_ACTIONS | TAB_ACTIONS


def _repeatable_action(action: Action) -> Action:
    """The action without what held for one visit only."""
    target = "" if action.element else action.target
    return action.model_copy(update={"target": target, "at": "", "reason": ""})


def _ends_at_ref(action: Action) -> bool:
    """Whether it drags to an element that only a ref names."""
    return action.kind == "drag" and REF.fullmatch(action.value) is not None


def _join_paths(paths: Iterable[tuple[Action, ...]]) -> tuple[Action, ...]:
    """One path after the other, without those that are the beginning of another."""
    found = list(dict.fromkeys(paths))
    whole = [
        path
        for path in found
        if not any(other != path and other[: len(path)] == path for other in found)
    ]
    return tuple(action for path in whole for action in path)
