"""Plans a replay: what each step showed, where to start, which element an action means now."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from pydantic import ValidationError

from forager.browsing.element_match import match_element
from forager.browsing.page.aria import node_by_ref, parse_aria, to_element
from forager.browsing.same_state import differ_in_order_only
from forager.browsing.volatile import stable_url
from forager.domain.actions import Action
from forager.domain.browser import Snapshot, View
from forager.domain.state import Step
from forager.errors import ActionError, ReplayError, StoreError
from forager.ports import Blobs

RETARGET_MEND: Final = "Choose again from what the page shows now."
ON_ELEMENTS: Final = frozenset({"click", "type", "select", "hover", "drag", "press"})
"""Kinds of actions whose target is an element."""
TO_ELEMENTS: Final = frozenset({"drag", "scroll"})
"""Kinds of actions whose value may be an element."""


def retarget_action(action: Action, then: Snapshot, now: Snapshot) -> Action:
    """Replace the refs of an action on snapshot `then` by those of `now`.

    Raises ActionError if an element is missing.
    """
    before, after = parse_aria(then.tree), parse_aria(now.tree)

    def ref(old: str) -> str:
        seen = node_by_ref(before, old)
        own = action.element if old == action.target else None
        element = own or (to_element(seen) if seen else None)
        if element is None:
            raise ActionError(f"The element {old} has no description.", RETARGET_MEND)
        found = match_element(element, after, seen)
        if found.node is None:
            raise ActionError(
                f"The element is not on the page as it is now. {found.why}", RETARGET_MEND
            )
        return found.node.ref

    changed = {}
    if action.kind in ON_ELEMENTS and action.target:
        changed["target"] = ref(action.target)
    if action.kind in TO_ELEMENTS and node_by_ref(before, action.value):
        changed["value"] = ref(action.value)
    return action.model_copy(update=changed)


REPLAY_MEND = "Continue from the view shown now, or start from a URL."


@dataclass(frozen=True)
class Stage:
    """A step of a trajectory, and what the browser showed after it."""

    step: Step
    view: View
    shown: Snapshot


async def load_stages(steps: Sequence[Step], blobs: Blobs) -> list[Stage]:
    """Load the snapshots of the steps. Raises ReplayError if one was not stored."""
    stages = []
    for step in steps:
        view = step.view
        try:
            if view is None:
                raise ReplayError(f"What step {step.id} showed was not kept.", REPLAY_MEND)
            data = await asyncio.to_thread(blobs.get, view.blob)
            stages.append(Stage(step, view, Snapshot.model_validate_json(data)))
        except (StoreError, ValidationError) as error:
            raise ReplayError(f"What step {step.id} showed was not kept.", REPLAY_MEND) from error
    if not stages:
        raise ReplayError("There are no steps to replay.", REPLAY_MEND)
    return stages


def possible_starts(stages: Sequence[Stage]) -> Iterator[int]:
    """Yield the stages to start a replay from, the nearest to the end first.

    These are the stages with a new URL, back to the first one or to the last one with a side
    effect. Raises ReplayError if reopening the latter might repeat its side effect.
    """
    harmful = [index for index, stage in enumerate(stages) if stage.step.harm]
    root = harmful[-1] if harmful else 0
    for index in range(len(stages) - 1, root, -1):
        if _changes_url(stages, index) and _stays_in_history(stages[index:]):
            yield index
    if harmful and not stages[root].step.sent and _changes_url(stages, root):
        step = stages[root].step
        raise ReplayError(f"Reopening the page of step {step.id} might repeat: {step.harm}")
    yield root


def _changes_url(stages: Sequence[Stage], index: int) -> bool:
    """Did the stage lead to another URL?"""
    return index == 0 or stable_url(stages[index].view.url) != stable_url(
        stages[index - 1].view.url
    )


def _stays_in_history(stages: Sequence[Stage]) -> bool:
    """Do the steps after the first stage go back and forward only within pages they opened?"""
    behind = ahead = 0
    for before, stage in pairwise(stages):
        kind = stage.step.action.kind
        if kind == "back":
            behind, ahead = behind - 1, ahead + 1
        elif kind == "forward":
            behind, ahead = behind + 1, ahead - 1
        elif (len(stage.view.tabs), stage.view.active) != (
            len(before.view.tabs),
            before.view.active,
        ):
            behind = ahead = 0
        elif stable_url(stage.view.url) != stable_url(before.view.url):
            behind, ahead = behind + 1, 0
        if min(behind, ahead) < 0:
            return False
    return True


def is_order_set(stages: Sequence[Stage]) -> bool:
    """Was a list sorted since the last change of URL, so that its order is part of the state?"""
    for index in range(len(stages) - 1, 0, -1):
        if _changes_url(stages, index):
            return False
        if differ_in_order_only(stages[index - 1].shown, stages[index].shown):
            return True
    return False


def last_stage_by_tab(stages: Sequence[Stage]) -> list[int | None]:
    """For each open tab, the last stage that showed it; None for a tab never shown."""
    last: list[int | None] = []
    for index, stage in enumerate(stages):
        count = len(stage.view.tabs) or 1
        while len(last) > count:
            last.pop(_closed_tab(stages[index - 1], stage))
        last += [None] * (count - len(last))
        last[stage.view.active] = index
    return last


def _closed_tab(before: Stage, now: Stage) -> int:
    """The number of the tab that was closed.

    If no action names it, it is the first whose URL differs from the one now in its place.
    """
    if now.step.action.kind == "close_tab":
        return int(now.step.action.target or before.view.active)
    pairs = enumerate(zip(before.view.tabs, now.view.tabs, strict=False))
    gone = (number for number, (one, other) in pairs if one.url != other.url)
    return next(gone, len(now.view.tabs))
