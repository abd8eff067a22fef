"""The way through a walk: what each step showed, where it can be begun again, what matters."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pydantic import ValidationError

from forager.browsing.same_state import differ_in_order_only
from forager.browsing.volatile import stable_url
from forager.domain.browser import Snapshot, View
from forager.domain.state import Step
from forager.errors import ReplayError, StoreError
from forager.ports import Blobs

REPLAY_MEND = "Go on from where the walk stands, or begin at an address."


@dataclass(frozen=True)
class Stage:
    """A step of the way, and what the browser showed after it."""

    step: Step
    view: View
    shown: Snapshot


async def load_stages(trail: Sequence[Step], blobs: Blobs) -> list[Stage]:
    """The steps with their snapshots. Raises ReplayError where one was not kept."""
    way = []
    for step in trail:
        view = step.view
        try:
            if view is None:
                raise ReplayError(f"What step {step.id} showed was not kept.", REPLAY_MEND)
            data = await asyncio.to_thread(blobs.get, view.blob)
            way.append(Stage(step, view, Snapshot.model_validate_json(data)))
        except (StoreError, ValidationError) as error:
            raise ReplayError(f"What step {step.id} showed was not kept.", REPLAY_MEND) from error
    if not way:
        raise ReplayError("There is no way to walk.", REPLAY_MEND)
    return way


def possible_starts(way: Sequence[Stage]) -> Iterator[int]:
    """Where to begin, the nearest first: the stages whose address differs from the one before.

    The first one is where the way began, or the last that changed something on the server.
    """
    harmful = [index for index, stage in enumerate(way) if stage.step.harm]
    root = harmful[-1] if harmful else 0
    for index in range(len(way) - 1, root, -1):
        if _changes_url(way, index) and _stays_in_history(way[index:]):
            yield index
    if harmful and not way[root].step.sent and _changes_url(way, root):
        step = way[root].step
        raise ReplayError(f"To open the page of step {step.id} again might do again: {step.harm}")
    yield root


def _changes_url(way: Sequence[Stage], index: int) -> bool:
    """Did the stage lead to another address?"""
    return index == 0 or stable_url(way[index].view.url) != stable_url(way[index - 1].view.url)


def _stays_in_history(way: Sequence[Stage]) -> bool:
    """Do the steps after the first stage go back and forward only over pages that they opened?"""
    behind = ahead = 0
    for before, stage in pairwise(way):
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


def is_order_set(way: Sequence[Stage]) -> bool:
    """Was a list put in order since the last address, so that its order is part of the state?"""
    for index in range(len(way) - 1, 0, -1):
        if _changes_url(way, index):
            return False
        if differ_in_order_only(way[index - 1].shown, way[index].shown):
            return True
    return False


def last_stage_by_tab(way: Sequence[Stage]) -> list[int | None]:
    """Per open tab the last stage that showed it; None for a tab that was never looked at."""
    last: list[int | None] = []
    for index, stage in enumerate(way):
        count = len(stage.view.tabs) or 1
        while len(last) > count:
            last.pop(_closed_tab(way[index - 1], stage))
        last += [None] * (count - len(last))
        last[stage.view.active] = index
    return last


def _closed_tab(before: Stage, now: Stage) -> int:
    """The number of the tab that went.

    Where no action says it, the first with another address than the one in its place.
    """
    if now.step.action.kind == "close_tab":
        return int(now.step.action.target or before.view.active)
    pairs = enumerate(zip(before.view.tabs, now.view.tabs, strict=False))
    gone = (number for number, (one, other) in pairs if one.url != other.url)
    return next(gone, len(now.view.tabs))
