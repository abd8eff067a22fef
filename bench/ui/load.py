"""What the server is kept busy with while its pages are looked at."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count

from bench.ui.server import PATIENCE, Server
from bench.ui.sites import RECORDS, SLOW

CRAWLS = 2
QUESTION = "Which engineer built the Skarn lighthouse?"
UNANSWERED = (
    "Which engineer designed the optics of the keeper's lighthouse lamp, and which workshop in "
    "which town built the iron stairs of it?"
)


def begin(server: Server, site: str, pages: int = 100, **more: object) -> str:
    """The id of a run that goes on for as long as it finds pages."""
    budget = {"rounds": 10, "steps": 10, "pages": pages, "seconds": 3600}
    asked = {"question": QUESTION, "budget": budget, **more}
    return str(server.post("/api/sessions", sites=[site], **asked)["session"])


@dataclass
class Load:
    """Runs that go on all the while: where one ends, the next begins."""

    server: Server
    root: str
    runs: int
    latest: str = ""
    over: threading.Event = field(default_factory=threading.Event)
    begun: threading.Barrier = field(init=False)

    def __post_init__(self) -> None:
        """Whoever looks at it waits for all runs to have begun."""
        self.begun = threading.Barrier(self.runs + 1, timeout=PATIENCE)

    def crawling(self, slot: int) -> None:
        """Runs that map a slow site which nobody has mapped before."""
        for number in count():
            place = f"{self.root}{SLOW}{slot}x{number}.html"
            if not self._through(begin(self.server, place, pages=1000), first=not number):
                return

    def walking(self, slot: int) -> None:
        """Runs that go from page to page, ten rounds of ten steps."""
        for number in count():
            place = f"{self.root}{RECORDS}"
            asked = begin(self.server, place, graph="mango", question=UNANSWERED, seed=number)
            self.latest = asked
            if not self._through(asked, first=not number):
                return

    def _through(self, id: str, *, first: bool) -> bool:
        if first:
            self.begun.wait()
        return not any(self.over.is_set() for _ in self.server.lines(id))


@contextmanager
def busy(server: Server, root: str, *, walking: bool = True) -> Iterator[Load]:
    """Two runs that crawl and perhaps one that walks, during the body."""
    load = Load(server, root, CRAWLS + walking)
    ways = (load.crawling,) * CRAWLS + (load.walking,) * walking
    with ThreadPoolExecutor(load.runs) as pool:
        slots = [pool.submit(way, slot) for slot, way in enumerate(ways)]
        try:
            load.begun.wait()
            yield load
        finally:
            load.over.set()
    for slot in slots:
        slot.result()
