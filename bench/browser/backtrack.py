"""Tests whether replay restores browser states on pages that change between visits.

A trajectory is recorded in a small shop, the shop's mood changes, and the trajectory is replayed.
The true state of the tabs comes from a script in the shop's pages, which no snapshot shows.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

from playwright.async_api import Browser

from bench.browser.changing_shop import HARMLESS_MOODS, LOST_MOODS, open_shop
from bench.browser.chromium import open_chromium
from bench.browser.shop_trajectories import ALWAYS_LOST_MOODS, TRAJECTORIES, Recorder
from forager.adapters.browser.replay.replay import REPLAY_PATIENCE, ReplaySetting, replay_trajectory
from forager.adapters.browser.tabs import Tabs
from forager.domain.actions import Action
from forager.errors import ReplayError

SECONDS = 30.0
SILENT_SECONDS = 5.0
"""Time limits of a replay, and of one against a silent server."""
FLAGS = ["--disable-quic", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]


class Case(NamedTuple):
    """A trajectory recorded in mood `first` and replayed in `mood`."""

    trajectory: str
    mood: str
    first: str = "same"
    seed: int = 0


class Episode(NamedTuple):
    """The outcome of a replay.

    `there`: the target still existed; `stood`: the replay reported success; `right`: it reached the
    recorded state; `untouched`: the main tabs did not change; `methods`: requests by HTTP method.
    """

    case: Case
    there: bool
    stood: bool
    right: bool
    untouched: bool
    methods: Counter[str]
    seconds: float
    why: str


async def read_true_state(tabs: Tabs) -> list[str]:
    """Return the true state of all tabs, as reported by the shop's own script."""
    return [await page.evaluate("truth()") for page in tabs.pages] + [str(tabs.active)]


async def run_episode(browser: Browser, case: Case, patience: float = REPLAY_PATIENCE) -> Episode:
    """Record a trajectory, navigate away, and replay it."""
    context = await browser.new_context(service_workers="block")
    with open_shop(case.seed) as shop:
        shop.mood = case.first
        tabs = Tabs(context)
        recorder = Recorder(tabs, shop.url_of)
        for spec in TRAJECTORIES[case.trajectory].actions:
            await recorder.do_action(spec)
        meant = await read_true_state(tabs)
        shop.mood = "same"
        await tabs.do_action(Action(kind="goto", target=shop.url_of("/cart")))
        before = await _read_page_state(tabs)
        shop.mood, shop.phase = case.mood, "now"
        shop.requests.clear()
        began = time.monotonic()
        seconds = SILENT_SECONDS if case.mood == "silent" else SECONDS
        ground = ReplaySetting(context, lambda: Tabs(context), seconds=seconds, patience=patience)
        why, right = "", False
        try:
            stands = await replay_trajectory(recorder.steps, recorder.blobs, ground)
        except ReplayError as error:
            why = error.what
        else:
            right = await read_true_state(stands) == meant
        took = time.monotonic() - began
        requests = [each for each in shop.requests if not each.path.endswith("?then")]
        methods = Counter(each.method for each in requests)
        untouched = before == await _read_page_state(tabs) and (
            not why or len(context.pages) == len(before)
        )
        await context.close()
    there = case.mood in HARMLESS_MOODS
    return Episode(case, there, not why, right, untouched, methods, took, why)


async def _read_page_state(tabs: Tabs) -> list[tuple[str, int, str]]:
    """Return all that a replay could change in the main tabs."""
    looks = "[location.href, history.length, document.documentElement.outerHTML + truth()]"
    return [tuple(await page.evaluate(looks)) for page in tabs.pages]


def draw_cases(count: int, seed: int) -> Iterator[Case]:
    """Yield `count` cases: all pairs of trajectory and mood in turn, in random order.

    About half of those in a harmless mood are also recorded in it.
    """
    draw = random.Random(seed)
    pairs = [(name, mood) for name in TRAJECTORIES for mood in HARMLESS_MOODS]
    pairs += [
        (name, mood)
        for name, trajectory in TRAJECTORIES.items()
        for mood in LOST_MOODS
        if mood in ALWAYS_LOST_MOODS | trajectory.lost
    ]
    draw.shuffle(pairs)
    for number in range(count):
        name, mood = pairs[number % len(pairs)]
        lively = mood in HARMLESS_MOODS and mood != "banner" and draw.random() < 0.5  # noqa: PLR2004
        yield Case(name, mood, mood if lively else "same", seed * 1000 + number)


async def run_episodes(count: int, seed: int) -> list[Episode]:
    """Run all episodes in sequence in one browser. Raises UsageError if no browser is found."""
    async with open_chromium(FLAGS) as browser:
        return [await run_episode(browser, each) for each in draw_cases(count, seed)]


def measure_backtrack(count: int, seed: int) -> Iterator[str]:
    """Run `count` episodes and yield the result lines."""
    yield from _summary_lines(asyncio.run(run_episodes(count, seed)))


def _summary_lines(done: Sequence[Episode]) -> Iterator[str]:
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
        yield f"{each.case.trajectory}, {each.case.mood}: {each.why or 'stood elsewhere'}"
