"""A walk's tabs, and what the door knows of it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from forager.adapters.browser.look.views import Shown
from forager.adapters.browser.replay.retarget import ON_ELEMENTS, TO_ELEMENTS, aimed
from forager.adapters.browser.tabs import Tabs
from forager.domain.actions import Action
from forager.domain.browser import Snapshot
from forager.domain.state import Step
from forager.ports import Blobs


@dataclass(slots=True)
class Walk:
    """Its tabs, the step it stands at, and what was held against the action examined last.

    `gated` is an action that a gate stood before, `then` the view that was walked to again: what
    was proposed there has other refs in these tabs.
    """

    tabs: Tabs
    at: str = ""
    judged: tuple[Action, str] | None = None
    gated: Action | None = None
    then: Snapshot | None = None

    async def aimed(self, action: Action, shown: Shown) -> Action:
        """The action with the refs of these tabs. Raises ActionError."""
        if self.then is None or action.kind not in ON_ELEMENTS | TO_ELEMENTS:
            return action
        return aimed(action, self.then, shown.masked(await self.tabs.snapshot()))


async def seen(trail: Sequence[Step], blobs: Blobs) -> Snapshot | None:
    """The view that a trail leads to."""
    view = trail[-1].view if trail else None
    if view is None or not view.blob:
        return None
    return Snapshot.model_validate_json(await asyncio.to_thread(blobs.get, view.blob))
