"""Are states found again on pages that change between visits, and never a wrong one?

A walk is recorded in a small shop, the shop's mood changes, and the walk is replayed. What state
the tabs are really in is asked of a script of the shop, which no snapshot shows.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

from playwright.async_api import Browser

from bench.browser.changing_shop import ELSEWHERE, HARMLESS, opened
from bench.browser.chromium import chromium
from bench.browser.shop_trajectories import ALWAYS_LOST, TRAILS, Recorder
from forager.adapters.browser.replay.replay import REPLAY_PATIENCE, ReplaySetting, replay_trajectory
from forager.adapters.browser.tabs import Tabs
from forager.domain.actions import Action
from forager.errors import ReplayError

SECONDS = 30.0
SILENT_SECONDS = 5.0
"""How long a replay may take, and one that waits for a silent server."""
FLAGS = ["--disable-quic", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]


class Case(NamedTuple):
    """A walk, recorded in the mood `first` and replayed in another."""

    trail: str
    mood: str
    first: str = "same"
    seed: int = 0


class Episode(NamedTuple):
    """What came of a replay; `there` says whether its target still was."""

    case: Case
    there: bool
    stood: bool
    right: bool
    untouched: bool
    methods: Counter[str]
    seconds: float
    why: str


async def truth(tabs: Tabs) -> list[str]:
    """The state of all tabs, as the shop's own script tells it."""
    return [await page.evaluate("truth()") for page in tabs.pages] + [str(tabs.active)]


async def episode(browser: Browser, case: Case, patience: float = REPLAY_PATIENCE) -> Episode:
    """Record, go elsewhere, and replay."""
    context = await browser.new_context(service_workers="block")
    with opened(case.seed) as shop:
        shop.mood = case.first
        tabs = Tabs(context)
        recorder = Recorder(tabs, shop.url)
        for does in TRAILS[case.trail].does:
            await recorder.do(does)
        meant = await truth(tabs)
        shop.mood = "same"
        await tabs.do_action(Action(kind="goto", target=shop.url("/cart")))
        before = await _looks(tabs)
        shop.mood, shop.phase = case.mood, "now"
        shop.asked.clear()
        began = time.monotonic()
        seconds = SILENT_SECONDS if case.mood == "silent" else SECONDS
        ground = ReplaySetting(context, lambda: Tabs(context), seconds=seconds, patience=patience)
        why, right = "", False
        try:
            stands = await replay_trajectory(recorder.steps, recorder.blobs, ground)
        except ReplayError as error:
            why = error.what
        else:
            right = await truth(stands) == meant
        took = time.monotonic() - began
        asked = [each for each in shop.asked if not each.path.endswith("?then")]
        methods = Counter(each.method for each in asked)
        untouched = before == await _looks(tabs) and (not why or len(context.pages) == len(before))
        await context.close()
    there = case.mood in HARMLESS
    return Episode(case, there, not why, right, untouched, methods, took, why)


async def _looks(tabs: Tabs) -> list[tuple[str, int, str]]:
    """All that a replay could have touched."""
    looks = "[location.href, history.length, document.documentElement.outerHTML + truth()]"
    return [tuple(await page.evaluate(looks)) for page in tabs.pages]


def cases(count: int, seed: int) -> Iterator[Case]:
    """All pairs of walk and mood in turn, in a random order; half are recorded in that mood."""
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
        yield Case(name, mood, mood if lively else "same", seed * 1000 + number)


async def run(count: int, seed: int) -> list[Episode]:
    """All episodes, one after the other, in one browser. Raises UsageError without one."""
    async with chromium(FLAGS) as browser:
        return [await episode(browser, each) for each in cases(count, seed)]


def lines(count: int, seed: int) -> Iterator[str]:
    """The figures."""
    yield from _figures(asyncio.run(run(count, seed)))


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
        yield f"{each.case.trail}, {each.case.mood}: {each.why or 'stood elsewhere'}"
