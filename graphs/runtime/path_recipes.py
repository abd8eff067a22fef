"""What a run that answered teaches: the ways through sites that led to the pages it cites."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from forager.browsing.trajectory import trail
from forager.domain.actions import IN_BROWSER, Action
from forager.domain.experience import Recipe
from forager.domain.state import Draw, State, Step

MAX_ACTIONS: Final = 30
"""Actions beyond which a way is not worth keeping."""
STARTING_ACTIONS: Final = frozenset({"goto", "new_tab"})
TAB_ACTIONS: Final = frozenset({"new_tab", "focus_tab", "close_tab"})
IN_PLACE_ACTIONS: Final = frozenset({"type", "select", "press", "hover", "scroll"})
"""What may leave the text of a page as it is, and yet changes it."""
REF: Final = re.compile(r"(?:f\d+)?e\d+")


def learn_recipes(state: State) -> tuple[Recipe, ...]:
    """One way per site, through the pages on it that the answer cites, without what led nowhere.

    Nothing is learned of a run that did not answer, nor of a way that changed something on the
    site or that cannot be told without refs.
    """
    if state.answer is None or state.answer.status != "answered":
        return ()
    cited = {citation.id for citation in state.answer.citations}
    read = {item.step for item in state.evidence if item.id in cited}
    ways: dict[str, list[tuple[Action, ...]]] = {}
    for step in state.steps:
        if step.id in read and step.page and (way := _path_to(state, step)):
            ways.setdefault(step.page.site, []).append(way)
    return tuple(
        Recipe(question=state.asked, site=site, actions=actions)
        for site, found in ways.items()
        if 0 < len(actions := _join_paths(found)) <= MAX_ACTIONS
    )


def _path_to(state: State, step: Step) -> tuple[Action, ...]:
    """From an address to the view of a step; empty where there is none to be walked again."""
    then = replace(state, draw=Draw(round=step.round))
    steps = _without_detours(trail(then, step.id))
    actions = tuple(_repeatable_action(step.action) for step in steps)
    fit = all(each.kind in IN_BROWSER and not _ends_at_ref(each) for each in actions)
    if any(step.harm for step in steps) or not actions or not fit:
        return ()
    return actions if actions[0].kind in STARTING_ACTIONS else ()


def _without_detours(steps: Sequence[Step]) -> list[Step]:
    """Without rounds that came back to the same page, and without what lay before a new start."""
    way: list[Step] = []
    for step in steps:
        back = next((place for place, one in enumerate(way) if _leads_back(one, step)), None)
        way = way[: back + 1] if back is not None else [*way, step]
    if any(step.action.kind in TAB_ACTIONS for step in way):
        return way
    last = max((place for place, one in enumerate(way) if one.action.kind == "goto"), default=0)
    return way[last:]


def _leads_back(before: Step, after: Step) -> bool:
    """Does an action lead back to where one stood before it?"""
    if before.view is None or after.view is None or before.page is None or after.page is None:
        return False
    there = before.view.url == after.view.url and before.page.blob == after.page.blob
    return there and after.action.kind not in IN_PLACE_ACTIONS | TAB_ACTIONS


def _repeatable_action(action: Action) -> Action:
    """The action without what held for one walk alone."""
    target = "" if action.element else action.target
    return action.model_copy(update={"target": target, "at": "", "reason": ""})


def _ends_at_ref(action: Action) -> bool:
    """Does it end at an element that only a ref names?"""
    return action.kind == "drag" and REF.fullmatch(action.value) is not None


def _join_paths(ways: Iterable[tuple[Action, ...]]) -> tuple[Action, ...]:
    """One after the other, but for those that lie on the way to another."""
    found = list(dict.fromkeys(ways))
    whole = [
        way
        for way in found
        if not any(other != way and other[: len(way)] == way for other in found)
    ]
    return tuple(action for way in whole for action in way)
