"""Are states found again on pages that change between visits, and never a wrong one?

A walk is recorded in a small shop, the shop's mood changes, and the walk is replayed. What state
the tabs are really in is asked of a script of the shop, which no snapshot shows.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import NamedTuple

from playwright.async_api import Browser, async_playwright

from bench.shifting import ELSEWHERE, HARMLESS, SEE, Shop
from forager import aria
from forager.action import Action, Kind
from forager.errors import ReplayError, UsageError
from forager.state import Step
from forager.view import Snapshot, View
from forager.web.browser.replay import Ground, replay
from forager.web.browser.tabs import Tabs
from forager.web.chromium import find_chromium

SECONDS = 8.0
"""How long a replay may take; a server that is silent takes longer."""
LOOK_AGAIN = 0.1
FLAGS = ["--disable-quic", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
READING = {"GET", "HEAD"}


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


class Episode(NamedTuple):
    """What came of a replay; `there` says whether its target still was."""

    trail: str
    mood: str
    there: bool
    stood: bool
    right: bool
    untouched: bool
    methods: Counter[str]
    seconds: float
    why: str


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
    """Walks in tabs, and writes down the steps."""

    def __init__(self, tabs: Tabs, shop: Shop) -> None:
        self.blobs = Kept()
        self.steps: list[Step] = []
        self._tabs = tabs
        self._shop = shop

    async def do(self, does: Does) -> None:
        """One action."""
        action = await self._action(does)
        done = await self._tabs.do(action)
        shown = await self._tabs.snapshot()
        view = View(
            url=shown.url,
            title=shown.title,
            blob=self.blobs.put(shown.model_dump_json().encode()),
            tabs=await self._tabs.listed(),
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
            return Action(kind="goto", target=self._shop.url(does.target), at=at)
        if not does.name:
            return Action(kind=does.kind, target=does.target, at=at)
        async with asyncio.timeout(SECONDS):
            while not (node := _found(does, await self._tabs.snapshot())):
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


async def truth(tabs: Tabs) -> list[str]:
    """The state of all tabs, as the shop's own script tells it."""
    return [await page.evaluate("truth()") for page in tabs.pages] + [str(tabs.active)]


async def episode(browser: Browser, name: str, mood: str, first: str, seed: int) -> Episode:
    """Record in the mood `first`, go elsewhere, and replay in `mood`."""
    context = await browser.new_context(service_workers="block")
    with Shop(seed) as shop:
        shop.mood = first
        tabs = Tabs(context)
        recorder = Recorder(tabs, shop)
        for does in TRAILS[name].does:
            await recorder.do(does)
        meant = await truth(tabs)
        shop.mood = "same"
        await tabs.do(Action(kind="goto", target=shop.url("/cart")))
        before = await _looks(tabs)
        shop.mood = mood
        shop.asked.clear()
        began = time.monotonic()
        ground = Ground(context, lambda: Tabs(context), seconds=SECONDS)
        why, right = "", False
        try:
            stands = await replay(recorder.steps, recorder.blobs, ground)
        except ReplayError as error:
            why = error.what
        else:
            right = await truth(stands) == meant
        seconds = time.monotonic() - began
        methods = Counter(asked.method for asked in shop.asked)
        untouched = before == await _looks(tabs) and (not why or len(context.pages) == len(before))
        await context.close()
    there = mood in HARMLESS
    return Episode(name, mood, there, not why, right, untouched, methods, seconds, why)


async def _looks(tabs: Tabs) -> list[tuple[str, int, str]]:
    """All that a replay could have touched."""
    looks = "[location.href, history.length, document.documentElement.outerHTML + truth()]"
    return [tuple(await page.evaluate(looks)) for page in tabs.pages]


def episodes(count: int, seed: int) -> Iterator[tuple[str, str, str, int]]:
    """Walk, mood, the mood it is recorded in, and a seed: all pairs in turn, in a random order."""
    dice = random.Random(seed)
    pairs = [(name, mood) for name in TRAILS for mood in HARMLESS]
    pairs += [
        (name, mood)
        for name, trail in TRAILS.items()
        for mood in ELSEWHERE
        if mood in ALWAYS_LOST | trail.lost
    ]
    dice.shuffle(pairs)
    for number in range(count):
        name, mood = pairs[number % len(pairs)]
        lively = mood in HARMLESS and mood != "banner" and dice.random() < 0.5  # noqa: PLR2004
        yield name, mood, mood if lively else "same", seed * 1000 + number


async def run(count: int, seed: int, chromium: Path | None = None) -> list[Episode]:
    """All episodes, one after the other, in one browser. Raises UsageError without one."""
    path = find_chromium(chromium)
    if path is None:
        raise UsageError("There is no Chromium on this machine.", "Install one.")
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, args=FLAGS)
        try:
            return [await episode(browser, *each) for each in episodes(count, seed)]
        finally:
            await browser.close()


def lines(count: int, seed: int, chromium: Path | None = None) -> Iterator[str]:
    """The figures."""
    yield from _figures(asyncio.run(run(count, seed, chromium)))


def _figures(done: Sequence[Episode]) -> Iterator[str]:
    there = [each for each in done if each.there]
    wrong = [each for each in done if each.stood and not each.right]
    stood = [each for each in there if each.stood]
    methods = sum((each.methods for each in done), Counter[str]())
    touched = [each for each in done if not each.untouched]
    yield f"Episodes: {len(done)}, in {len(there)} the target still was"
    yield f"Wrong states accepted: {len(wrong)}"
    yield f"Success where the target still was: {len(stood)}/{len(there)}" + (
        f" = {len(stood) / len(there):.2f}" if there else ""
    )
    yield "Requests: " + ", ".join(f"{name} {number}" for name, number in sorted(methods.items()))
    yield f"Main tab touched: {len(touched)}"
    if stood:
        yield f"Seconds of a success: {median(each.seconds for each in stood):.2f} (median)"
    failed = [each for each in there if not each.stood]
    for each in (*wrong, *failed, *touched):
        yield f"{each.trail}, {each.mood}: {each.why or 'stood elsewhere'}"
