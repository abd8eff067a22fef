"""Keeps the server busy with runs while its pages are measured."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count

from bench.ui.server import PATIENCE, UiServer
from bench.ui.sites import RECORDS, SLOW

CRAWLS = 2
QUESTION = "Which engineer built the Skarn lighthouse?"
UNANSWERED = (
    "Which engineer designed the optics of the keeper's lighthouse lamp, and which workshop in "
    "which town built the iron stairs of it?"
)


def begin_run(server: UiServer, site: str, pages: int = 100, **more: object) -> str:
    """Start a run that goes on as long as it finds pages; return its id."""
    budget = {"rounds": 10, "steps": 10, "pages": pages, "seconds": 3600}
    body = {"question": QUESTION, "budget": budget, **more}
    return str(server.post("/api/sessions", sites=[site], **body)["session"])


@dataclass
class Load:
    """Keeps a number of runs active: when one ends, the next begins."""

    server: UiServer
    root: str
    runs: int
    latest: str = ""
    over: threading.Event = field(default_factory=threading.Event)
    begun: threading.Barrier = field(init=False)

    def __post_init__(self) -> None:
        """Create the barrier that waits until all runs have begun."""
        self.begun = threading.Barrier(self.runs + 1, timeout=PATIENCE)

    def run_crawls(self, slot: int) -> None:
        """Run surveys of slow sites that were never surveyed before."""
        for number in count():
            place = f"{self.root}{SLOW}{slot}x{number}.html"
            if not self._follow_run(begin_run(self.server, place, pages=1000), first=not number):
                return

    def run_walks(self, slot: int) -> None:
        """Run page-to-page navigation, ten rounds of ten steps."""
        for number in count():
            place = f"{self.root}{RECORDS}"
            id = begin_run(self.server, place, graph="mango", question=UNANSWERED, seed=number)
            self.latest = id
            if not self._follow_run(id, first=not number):
                return

    def _follow_run(self, id: str, *, first: bool) -> bool:
        if first:
            self.begun.wait()
        return not any(self.over.is_set() for _ in self.server.live_changes(id))


@contextmanager
def keep_busy(server: UiServer, root: str, *, walking: bool = True) -> Iterator[Load]:
    """Keep two surveys, and one navigating run if `walking`, active while entered."""
    load = Load(server, root, CRAWLS + walking)
    runners = (load.run_crawls,) * CRAWLS + (load.run_walks,) * walking
    with ThreadPoolExecutor(load.runs) as pool:
        slots = [pool.submit(runner, slot) for slot, runner in enumerate(runners)]
        try:
            load.begun.wait()
            yield load
        finally:
            load.over.set()
    for slot in slots:
        slot.result()
