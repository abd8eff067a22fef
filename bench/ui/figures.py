"""Measures the web UI and compares each figure with its limit."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NamedTuple

from playwright.async_api import Browser

from bench.browser.chromium import open_chromium
from bench.browser.loopback import serve_handler
from bench.ui.load import QUESTION, UNANSWERED, begin_run, keep_busy
from bench.ui.reactions import FIRST_RUN, measure_reaction, measure_reactions
from bench.ui.server import UiServer, serve_ui
from bench.ui.sites import RECORDS, SMALL, SiteHandler
from forager.adapters.store.sessions.session_store import Session, SessionStore
from forager.domain.state import Question
from graphs.spec.spec import load_graph

KEPT = 500
RUNS = 50
FIRST_RUNS = 10
TIMES = 5
FIRST_PAINT, CONTROLS, CLICK, EVENT = 1.2, 0.7, 0.25, 0.5
"""The most seconds that each may take."""
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime / 1000"
MAIN = '[data-testid="stMainBlockContainer"]'
BUSY = '[data-testid="stApp"][data-test-script-state="running"]'
Say = Callable[[str], None]


class Figure(NamedTuple):
    """A measured figure with its unit and its limit `most`."""

    name: str
    value: float
    most: float
    unit: str


def measure_web_ui(data: Path, say: Say) -> list[Figure]:
    """Measure all figures, with 500 stored sessions and up to three runs."""
    for part in ("looked-at", "at-work"):
        fill_sessions(data / part)
    with serve_handler(SiteHandler) as root:
        say(f"first runs of {TIMES} fresh servers")
        started = _measure_first_runs(data, root)
        with serve_ui(data / "looked-at") as server:
            say("pages, with three runs active")
            with keep_busy(server, root) as load:
                pages = asyncio.run(_measure_pages(server, load.latest))
            say("events of a run, with two others active")
            with keep_busy(server, root, walking=False):
                events = _measure_events(server, root)
        with serve_ui(data / "at-work") as server:
            say("memory, over 50 runs")
            memory = _measure_memory(server, root)
            say("stream of ten rounds of ten steps")
            stream = _measure_stream(server, root)
    return [started, *pages, *events, *memory, stream]


def fill_sessions(data: Path) -> None:
    """Store 500 sessions with an event each."""
    spec = load_graph("forager")
    store = SessionStore(data / "sessions.sqlite")
    for number in range(KEPT):
        question = Question(text=f"Who kept lighthouse number {number}?", sites=("http://a.test/",))
        id = f"kept-{number:03d}"
        store.create(
            Session(
                id=id,
                question=question,
                graph=spec.name,
                graph_hash=spec.hash,
                graph_body=spec.canonical(),
                model="offline",
                status="abstained",
            )
        )
        store.append_event(id, "", "begun", "", {})
    store.close()


def _measure_first_runs(data: Path, root: str) -> Figure:
    """The time from the click on Start to the controls of the run, the first of its server."""
    found: list[float] = []
    for number in range(TIMES):
        with serve_ui(data / f"fresh-{number}") as server:
            found.append(asyncio.run(_start_first_run(server, f"{root}{RECORDS}")))
    return Figure(f"controls of a first run, median of {TIMES}", median(found), CONTROLS, "s")


async def _start_first_run(server: UiServer, site: str) -> float:
    async with open_chromium() as browser:
        page = await browser.new_page()
        await page.goto(server.url)
        await page.get_by_label("Question", exact=True).fill(QUESTION)
        await page.get_by_label("Sites", exact=True).fill(site)
        await page.wait_for_selector(BUSY, state="detached")
        seconds = await measure_reaction(page, FIRST_RUN)
        await page.close()
    return seconds


async def _measure_pages(server: UiServer, id: str) -> list[Figure]:
    paints: list[float] = []
    answers: dict[str, list[float]] = {}
    async with open_chromium() as browser:
        for _ in range(TIMES):
            painted, answered = await _visit_pages(browser, f"{server.url}?session={id}")
            paints.append(painted)
            for name, seconds in answered.items():
                answers.setdefault(name, []).append(seconds)
    every = [seconds for found in answers.values() for seconds in found]
    return [
        Figure("first paint, median of 5", median(paints), FIRST_PAINT, "s"),
        Figure(f"a click's answer, median of {len(every)}", median(every), CLICK, "s"),
        *(Figure(f"- {name}", median(found), CLICK, "s") for name, found in answers.items()),
    ]


async def _visit_pages(browser: Browser, url: str) -> tuple[float, dict[str, float]]:
    """Open a run in a fresh profile, then click through the pages."""
    page = await browser.new_page()
    await page.goto(url)
    await page.wait_for_selector(f"{MAIN} h1, {MAIN} .root *")
    painted = await page.evaluate(PAINTED)
    await page.wait_for_selector(BUSY, state="detached")
    answered = await measure_reactions(page)
    await page.close()
    return float(painted), answered


def _measure_events(server: UiServer, root: str) -> list[Figure]:
    """Measure the delay between writing an event and its arrival at a reader."""
    id = begin_run(server, f"{root}{RECORDS}", graph="mango", question=UNANSWERED)
    came: dict[int, float] = {}
    for _, change in server.live_changes(id):
        for key, entry in (change.get("timeline") or {}).items():
            for each in (key, *((entry or {}).get("rows") or {})):
                came.setdefault(int(each), time.time())
    wrote = {each["seq"]: each["time"] for each in server.get(f"/api/sessions/{id}/events")}
    late = [when - wrote[seq] for seq, when in came.items() if seq in wrote]
    return [
        Figure(
            f"event shown after it was written, median of {len(late)}", median(late), EVENT, "s"
        ),
        Figure("event shown after it was written, the latest", max(late), EVENT, "s"),
    ]


def _measure_memory(server: UiServer, root: str) -> list[Figure]:
    """Compare the memory of the process after 50 runs with that after 10."""
    held = {}
    for number in range(1, RUNS + 1):
        id = begin_run(server, f"{root}{SMALL}", seed=number)
        for _ in server.live_changes(id):
            pass
        held[number] = server.resident_megabytes()
    grown = held[RUNS] / held[FIRST_RUNS]
    return [
        Figure(f"memory after {RUNS} runs ({held[RUNS]:.0f} MB) to {FIRST_RUNS}", grown, 1.1, "x")
    ]


def _measure_stream(server: UiServer, root: str) -> Figure:
    id = begin_run(server, f"{root}{RECORDS}", graph="mango", question=UNANSWERED)
    size = sum(size for size, _ in server.live_changes(id))
    return Figure("stream of a run of 10 rounds", size / 1e6, 1.0, "MB")
