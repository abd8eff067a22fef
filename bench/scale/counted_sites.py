"""Small sites on loopback that count how often each of their pages was asked for."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from itertools import product

from bench.browser.loopback import serve_handler
from bench.page_handler import PageHandler

LIGHTS = 25
"""Pages of a site, beside its front page."""
BEGINNINGS, ENDINGS = ("Skar", "Hol", "Ven", "Run", "Utsi"), ("by", "vik", "nes", "holm", "sund")
BUILDERS = ("Marta Lindqvist", "Ole Brenna", "Ida Falk", "Knut Strand", "Sigrid Aune")
NAMES = tuple(first + last for first, last in product(BEGINNINGS, ENDINGS))
WORDS = (
    "Which engineer built the {} lighthouse?",
    "How high is the {} lighthouse?",
    "In which year was the {} lighthouse built?",
    "How many keepers did the {} lighthouse have?",
)
MOST_QUESTIONS = LIGHTS * len(WORDS)
"""Different questions about a site."""


@dataclass
class CountedSite:
    """A site with a page for each of its lighthouses; `fetched` counts requests by path."""

    number: int
    root: str = ""
    fetched: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Write the pages."""
        self.pages = {"/": _home_page(self.number)} | {
            f"/{name.lower()}.html": _light_page(self.number, at, name)
            for at, name in enumerate(NAMES)
        }

    @property
    def url(self) -> str:
        """The address of its front page."""
        return f"{self.root}/"

    def question(self, number: int) -> str:
        """One of its questions; the first `MOST_QUESTIONS` differ."""
        light, words = number % LIGHTS, number // LIGHTS % len(WORDS)
        return WORDS[words].format(NAMES[light])

    def count(self, path: str) -> bytes | None:
        """Note a request; the page, if there is one."""
        with self.lock:
            self.fetched[path] += 1
        page = self.pages.get(path)
        return page.encode() if page else None


@contextmanager
def serve_counted_sites(count: int) -> Iterator[tuple[CountedSite, ...]]:
    """Serve so many sites in threads of this process."""
    with ExitStack() as stack:
        sites = tuple(CountedSite(number) for number in range(count))
        for site in sites:
            site.root = stack.enter_context(serve_handler(_make_handler(site.count)))
        yield sites


def _make_handler(count: Callable[[str], bytes | None]) -> type[BaseHTTPRequestHandler]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            self.send_page(count(self.path))

    return Handler


def _home_page(number: int) -> str:
    links = "".join(f'<li><a href="/{name.lower()}.html">{name} lighthouse</a>' for name in NAMES)
    return (
        f"<title>Lighthouses of coast {number}</title><h1>Lighthouses</h1>"
        f"<p>The lighthouses of this coast, with a page for each of them.</p><ul>{links}</ul>"
    )


def _light_page(number: int, at: int, name: str) -> str:
    builder = BUILDERS[(number + at) % len(BUILDERS)]
    year, height, keepers = 1800 + 4 * at + number, 9 + at + number, 2 + (number + at) % 7
    return (
        f"<title>{name} lighthouse</title><h1>{name} lighthouse</h1>"
        f"<p>The {name} lighthouse was built by the engineer {builder}.</p>"
        f"<p>The {name} lighthouse was built in the year {year}.</p>"
        f"<p>The {name} lighthouse is {height} metres high.</p>"
        f"<p>The {name} lighthouse had {keepers} keepers.</p>"
    )
