"""Walks through the shop that changes, done and written down."""

import asyncio
from collections.abc import Callable
from hashlib import sha256
from typing import NamedTuple

from bench.browser.changing_shop import SEE
from forager.adapters.browser.tabs import Tabs
from forager.browsing.page import aria
from forager.domain.actions import Action, Kind
from forager.domain.browser import Snapshot, View
from forager.domain.state import Step

SECONDS = 8.0
"""How long an element is waited for."""
LOOK_AGAIN = 0.1


class Does(NamedTuple):
    """One action of a walk; its element by role and name, in an item that says `among`."""

    kind: Kind
    target: str = ""
    name: str = ""
    value: str = ""
    among: str = ""


class Trail(NamedTuple):
    """A walk, and the moods that leave it nowhere to go beside those that leave none."""

    does: tuple[Does, ...]
    lost: frozenset[str]


ALWAYS_LOST = frozenset({"expired", "redirected", "error", "sorry", "silent", "asks"})
TRAILS = {
    "reviews": Trail(
        (
            Does("goto", "/list"),
            Does("click", "link", "Open", among="Plum"),
            Does("type", "textbox", "Note", "ripe ones"),
            Does("click", "button", SEE),
        ),
        frozenset({"gone", "swapped", "values", "writes"}),
    ),
    "details": Trail(
        (
            Does("goto", "/list"),
            Does("type", "textbox", "Filter", "p"),
            Does("click", "button", "Details", among="Plum"),
        ),
        frozenset({"gone"}),
    ),
    "form": Trail(
        (
            Does("goto", "/"),
            Does("click", "link", "Order form"),
            Does("type", "textbox", "Name", "Ada"),
            Does("select", "combobox", "Town", "Rome"),
            Does("click", "checkbox", "As a gift"),
            Does("click", "button", "More"),
            Does("type", "textbox", "Wish", "a red one"),
        ),
        frozenset({"gone", "swapped"}),
    ),
    "cart": Trail(
        (
            Does("goto", "/"),
            Does("click", "link", "Cart"),
            Does("type", "textbox", "Count of Plum", "4"),
            Does("click", "button", "About", among="Plum"),
        ),
        frozenset({"gone", "emptied", "swapped", "values"}),
    ),
    "beside": Trail(
        (
            Does("goto", "/list"),
            Does("click", "link", "Beside", among="Pear"),
            Does("type", "textbox", "Note", "soft"),
            Does("focus_tab", "0"),
            Does("click", "button", "Details", among="Pear"),
        ),
        frozenset({"gone", "swapped", "values"}),
    ),
    "back": Trail(
        (
            Does("goto", "/list"),
            Does("click", "link", "Open", among="Fig"),
            Does("back"),
            Does("type", "textbox", "Filter", "i"),
            Does("click", "button", "Details", among="Fig"),
        ),
        frozenset(),
    ),
}


class Kept:
    """Blobs in memory."""

    def __init__(self) -> None:
        self._data: dict[str, bytes] = {}

    def put(self, data: bytes) -> str:
        """Keep it."""
        digest = sha256(data).hexdigest()
        self._data[digest] = data
        return digest

    def get(self, digest: str) -> bytes:
        """What was kept."""
        return self._data[digest]


class Recorder:
    """Walks in tabs, and writes down the steps; `url` gives the address of a path."""

    def __init__(self, tabs: Tabs, url: Callable[[str], str]) -> None:
        self.blobs = Kept()
        self.steps: list[Step] = []
        self._tabs = tabs
        self._url = url

    async def do(self, does: Does) -> None:
        """One action."""
        action = await self._action(does)
        done = await self._tabs.do_action(action)
        shown = await self._tabs.take_snapshot()
        view = View(
            url=shown.url,
            title=shown.title,
            blob=self.blobs.put(shown.model_dump_json().encode()),
            tabs=await self._tabs.list_tabs(),
            active=self._tabs.active,
            notes=done.notes,
        )
        number = len(self.steps) + 1
        step = Step(
            id=f"1.{number}", round=1, number=number, action=action, outcome="moved", view=view
        )
        self.steps.append(step.model_copy(update={"sent": done.sent}))

    async def _action(self, does: Does) -> Action:
        at = self.steps[-1].id if self.steps else ""
        if does.kind == "goto":
            return Action(kind="goto", target=self._url(does.target), at=at)
        if not does.name:
            return Action(kind=does.kind, target=does.target, at=at)
        async with asyncio.timeout(SECONDS):
            while not (node := _found(does, await self._tabs.take_snapshot())):
                await asyncio.sleep(LOOK_AGAIN)
        element = aria.describe(node)
        return Action(kind=does.kind, target=node.ref, value=does.value, element=element, at=at)


def _found(does: Does, shown: Snapshot) -> aria.Node | None:
    """The element of an action."""
    for node in aria.parse(shown.tree).walk():
        among = does.among in " ".join(aria.describe(node).ancestors)
        if (node.role, aria.label(node)) == (does.target, does.name) and among:
            return node
    return None
