"""Trajectories through the changing shop, and a recorder that performs them."""

import asyncio
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import NamedTuple

from bench.browser.changing_shop import SEE
from forager.adapters.browser.tabs import Tabs
from forager.browsing.page import aria
from forager.domain.actions import Action, Kind
from forager.domain.browser import Snapshot, View
from forager.domain.state import Step
from forager.ports import BlobKind

SECONDS = 8.0
"""How long to wait for an element."""
LOOK_AGAIN = 0.1


class ActionSpec(NamedTuple):
    """One action; its element is given by role and name, inside an item that contains `among`."""

    kind: Kind
    target: str = ""
    name: str = ""
    value: str = ""
    among: str = ""


class Trajectory(NamedTuple):
    """Actions, and the moods (beside ALWAYS_LOST_MOODS) in which they cannot be replayed."""

    actions: tuple[ActionSpec, ...]
    lost: frozenset[str]


ALWAYS_LOST_MOODS = frozenset({"expired", "redirected", "error", "sorry", "silent", "asks"})
TRAJECTORIES = {
    "reviews": Trajectory(
        (
            ActionSpec("goto", "/list"),
            ActionSpec("click", "link", "Open", among="Plum"),
            ActionSpec("type", "textbox", "Note", "ripe ones"),
            ActionSpec("click", "button", SEE),
        ),
        frozenset({"gone", "swapped", "values", "writes"}),
    ),
    "details": Trajectory(
        (
            ActionSpec("goto", "/list"),
            ActionSpec("type", "textbox", "Filter", "p"),
            ActionSpec("click", "button", "Details", among="Plum"),
        ),
        frozenset({"gone"}),
    ),
    "form": Trajectory(
        (
            ActionSpec("goto", "/"),
            ActionSpec("click", "link", "Order form"),
            ActionSpec("type", "textbox", "Name", "Ada"),
            ActionSpec("select", "combobox", "Town", "Rome"),
            ActionSpec("click", "checkbox", "As a gift"),
            ActionSpec("click", "button", "More"),
            ActionSpec("type", "textbox", "Wish", "a red one"),
        ),
        frozenset({"gone", "swapped"}),
    ),
    "cart": Trajectory(
        (
            ActionSpec("goto", "/"),
            ActionSpec("click", "link", "Cart"),
            ActionSpec("type", "textbox", "Count of Plum", "4"),
            ActionSpec("click", "button", "About", among="Plum"),
        ),
        frozenset({"gone", "emptied", "swapped", "values"}),
    ),
    "beside": Trajectory(
        (
            ActionSpec("goto", "/list"),
            ActionSpec("click", "link", "Beside", among="Pear"),
            ActionSpec("type", "textbox", "Note", "soft"),
            ActionSpec("focus_tab", "0"),
            ActionSpec("click", "button", "Details", among="Pear"),
        ),
        frozenset({"gone", "swapped", "values"}),
    ),
    "back": Trajectory(
        (
            ActionSpec("goto", "/list"),
            ActionSpec("click", "link", "Open", among="Fig"),
            ActionSpec("back"),
            ActionSpec("type", "textbox", "Filter", "i"),
            ActionSpec("click", "button", "Details", among="Fig"),
        ),
        frozenset(),
    ),
}


class MemoryBlobs:
    """A blob store in memory."""

    def __init__(self) -> None:
        self._data: dict[str, bytes] = {}

    def put(self, data: bytes, kind: BlobKind) -> str:
        """Store data and return its SHA-256; the kind is not kept."""
        digest = sha256(data).hexdigest()
        self._data[digest] = data
        return digest

    def get(self, digest: str) -> bytes:
        """Return stored data. Raises KeyError."""
        return self._data[digest]

    def find_missing(self, digests: Iterable[str]) -> frozenset[str]:
        """Return the digests that have no data."""
        return frozenset(digests) - self._data.keys()


class Recorder:
    """Performs actions in tabs and records them as steps; `url` maps a path to a URL."""

    def __init__(self, tabs: Tabs, url: Callable[[str], str]) -> None:
        self.blobs = MemoryBlobs()
        self.steps: list[Step] = []
        self._tabs = tabs
        self._url = url

    async def do_action(self, spec: ActionSpec) -> None:
        """Perform and record one action. Raises TimeoutError if its element does not appear."""
        action = await self._resolve_action(spec)
        done = await self._tabs.do_action(action)
        shown = await self._tabs.take_snapshot()
        view = View(
            url=shown.url,
            title=shown.title,
            blob=self.blobs.put(shown.model_dump_json().encode(), "view"),
            tabs=await self._tabs.list_tabs(),
            active=self._tabs.active,
            notes=done.notes,
        )
        number = len(self.steps) + 1
        step = Step(
            id=f"1.{number}", round=1, number=number, action=action, outcome="moved", view=view
        )
        self.steps.append(step.model_copy(update={"sent": done.sent}))

    async def _resolve_action(self, spec: ActionSpec) -> Action:
        at = self.steps[-1].id if self.steps else ""
        if spec.kind == "goto":
            return Action(kind="goto", target=self._url(spec.target), at=at)
        if not spec.name:
            return Action(kind=spec.kind, target=spec.target, at=at)
        async with asyncio.timeout(SECONDS):
            while not (node := _find_element(spec, await self._tabs.take_snapshot())):
                await asyncio.sleep(LOOK_AGAIN)
        element = aria.to_element(node)
        return Action(kind=spec.kind, target=node.ref, value=spec.value, element=element, at=at)


def _find_element(spec: ActionSpec, shown: Snapshot) -> aria.Node | None:
    """Find the element of an action."""
    for node in aria.parse_aria(shown.tree).walk():
        among = spec.among in " ".join(aria.to_element(node).ancestors)
        if (node.role, aria.node_label(node)) == (spec.target, spec.name) and among:
            return node
    return None
