"""What is measured of the web UI, each against the figure that it has to keep."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median
from typing import NamedTuple

from playwright.async_api import Browser

from bench.browsers import chromium
from bench.loopback import serving
from bench.pages.reactions import reactions
from bench.pages.server import Server, served
from bench.pages.sites import RECORDS, SLOW, SMALL, Sites
from forager.state import Question
from forager.store.sessions import Session, SessionStore
from graphs.spec import load

KEPT = 500
RUNS = 50
RUNS_AT_ONCE = 3
FIRST_RUNS = 10
TIMES = 5
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime / 1000"
MAIN = '[data-testid="stMainBlockContainer"]'
BUSY = '[data-testid="stApp"][data-test-script-state="running"]'
QUESTION = "Which engineer built the Skarn lighthouse?"
UNANSWERED = (
    "Which engineer designed the optics of the keeper's lighthouse lamp, and which workshop in "
    "which town built the iron stairs of it?"
)
Say = Callable[[str], None]


class Figure(NamedTuple):
    """Something measured, in a unit, and what it may be at the most."""

    name: str
    value: float
    most: float
    unit: str


def measure(data: Path, say: Say) -> list[Figure]:
    """All figures, with 500 sessions kept and three runs going."""
    fill(data)
    with serving(Sites) as root, served(data) as server:
        say("memory: 50 runs")
        memory = _memory(server, root)
        say("the stream of ten rounds of ten steps")
        stream = _stream(server, root)
        with busy(server, root) as load:
            say("pages, with three runs going")
            pages = asyncio.run(_pages(server, load.latest))
            say("events, with three runs going")
            events = _events(server, root)
        return [*pages, *events, *memory, stream]


def fill(data: Path) -> None:
    """Keep 500 sessions, each with its events."""
    spec = load("forager")
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
        store.append(id, "", "begun", "", {})
    store.close()


@dataclass
class Load:
    """Three runs that go on all the while: where one ends, the next begins."""

    server: Server
    root: str
    latest: str = ""
    over: threading.Event = field(default_factory=threading.Event)
    begun: threading.Barrier = field(default_factory=lambda: threading.Barrier(RUNS_AT_ONCE + 1))

    def crawling(self, slot: int) -> None:
        """Runs that map a slow site which nobody has mapped before."""
        for number in count():
            place = f"{self.root}{SLOW}{slot}x{number}.html"
            if not self._through(_begin(self.server, place, pages=1000), first=not number):
                return

    def walking(self, slot: int) -> None:
        """Runs that go from page to page, ten rounds of ten steps."""
        for number in count():
            asked = {"graph": "mango", "question": UNANSWERED, "seed": number}
            id = _begin(self.server, f"{self.root}{RECORDS}", **asked)
            self.latest = id
            if not self._through(id, first=not number):
                return

    def _through(self, id: str, *, first: bool) -> bool:
        if first:
            self.begun.wait()
        return not any(self.over.is_set() for _ in self.server.lines(id))


@contextmanager
def busy(server: Server, root: str) -> Iterator[Load]:
    """Two runs that crawl and one that walks, during the body."""
    load = Load(server, root)
    with ThreadPoolExecutor(RUNS_AT_ONCE) as pool:
        ways = (load.walking, load.crawling, load.crawling)
        slots = [pool.submit(way, slot) for slot, way in enumerate(ways)]
        try:
            load.begun.wait()
            yield load
        finally:
            load.over.set()
    for slot in slots:
        slot.result()


def _begin(server: Server, site: str, pages: int = 100, **more: object) -> str:
    budget = {"rounds": 10, "steps": 10, "pages": pages, "seconds": 3600}
    asked = {"question": QUESTION, "budget": budget, **more}
    return str(server.post("/api/sessions", sites=[site], **asked)["session"])


async def _pages(server: Server, id: str) -> list[Figure]:
    paints: list[float] = []
    answers: dict[str, list[float]] = {}
    async with chromium() as browser:
        for _ in range(TIMES):
            painted, answered = await _visit(browser, f"{server.url}?session={id}")
            paints.append(painted)
            for name, seconds in answered.items():
                answers.setdefault(name, []).append(seconds)
    every = [seconds for found in answers.values() for seconds in found]
    return [
        Figure("first paint, median of 5", median(paints), 2.0, "s"),
        Figure(f"a click's answer, median of {len(every)}", median(every), 0.3, "s"),
        *(Figure(f"- {name}", median(found), 0.3, "s") for name, found in answers.items()),
    ]


async def _visit(browser: Browser, url: str) -> tuple[float, dict[str, float]]:
    """Open a run in a fresh profile, then go through the pages."""
    page = await browser.new_page()
    await page.goto(url)
    await page.wait_for_selector(f"{MAIN} h1, {MAIN} .root *")
    painted = await page.evaluate(PAINTED)
    await page.wait_for_selector(BUSY, state="detached")
    answered = await reactions(page)
    await page.close()
    return float(painted), answered


def _events(server: Server, root: str) -> list[Figure]:
    """How long after it was written an event reaches a reader."""
    id = _begin(server, f"{root}{RECORDS}", graph="mango", question=UNANSWERED)
    came: dict[int, float] = {}
    for _, change in server.lines(id):
        for key, entry in (change.get("timeline") or {}).items():
            for each in (key, *((entry or {}).get("rows") or {})):
                came.setdefault(int(each), time.time())
    wrote = {each["seq"]: each["time"] for each in server.get(f"/api/sessions/{id}/events")}
    late = [when - wrote[seq] for seq, when in came.items() if seq in wrote]
    return [
        Figure(f"event shown after it was written, median of {len(late)}", median(late), 0.5, "s"),
        Figure("event shown after it was written, the latest", max(late), 0.5, "s"),
    ]


def _memory(server: Server, root: str) -> list[Figure]:
    """What the process holds after 50 runs, against what it holds after 10."""
    held = {}
    for number in range(1, RUNS + 1):
        id = _begin(server, f"{root}{SMALL}", seed=number)
        for _ in server.lines(id):
            pass
        held[number] = server.resident()
    grown = held[RUNS] / held[FIRST_RUNS]
    return [
        Figure(f"memory after {RUNS} runs ({held[RUNS]:.0f} MB) to {FIRST_RUNS}", grown, 1.1, "x")
    ]


def _stream(server: Server, root: str) -> Figure:
    id = _begin(server, f"{root}{RECORDS}", graph="mango", question=UNANSWERED)
    size = sum(size for size, _ in server.lines(id))
    return Figure("stream of a run of 10 rounds", size / 1e6, 1.0, "MB")
