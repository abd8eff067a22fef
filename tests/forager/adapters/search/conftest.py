from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from forager.adapters.search.engines.brave import Brave
from forager.adapters.search.engines.google import Google
from forager.adapters.search.engines.searxng import SearXNG
from forager.adapters.search.engines.serper import Serper
from forager.adapters.search.engines.tavily import Tavily
from forager.adapters.search.provider import Provider
from forager.adapters.web.fetch.politeness import Sleep
from forager.settings import Settings
from tests.forager.adapters.conftest import Naps
from tests.forager.adapters.search import servers
from tests.forager.adapters.search.servers import ENGINE, KEY, Engine, Page

PAGES = [
    Page("https://example.org/lamp.html", "The lamp", "It burned oil until 1894."),
    Page("https://docs.example.com/guide.pdf", "A guide", "All about lamps, in print."),
    Page("https://example.org/tower.html", "The tower", "It is 41 metres high."),
]
MADE: dict[str, Callable[[Settings, Sleep], Provider]] = {
    "tavily": Tavily,
    "serper": Serper,
    "brave": Brave,
    "google": Google,
    "searxng": SearXNG,
}
KEYED = ("tavily", "serper", "brave", "google")
SPOKEN = (*KEYED, "searxng")
RESULTS = {
    "tavily": ("results",),
    "serper": ("organic",),
    "brave": ("web", "results"),
    "google": ("items",),
    "searxng": ("results",),
}
"""Where the list of results is in an answer."""
PATHS = {"brave": "/res/v1", "google": "/customsearch/v1"}


def body_with(name: str, results: object) -> object:
    """An answer of a provider with these results, which may be no list."""
    for key in reversed(RESULTS[name]):
        results = {key: results}
    return results


Start = Callable[[str], Engine]
Connect = Callable[..., Provider]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a search engine, by name, with three pages."""
    with ExitStack() as stack:
        yield lambda name: stack.enter_context(Engine(getattr(servers, name), PAGES))


@pytest.fixture
def connect(tmp_path: Path, naps: Naps) -> Connect:
    """Opens a provider by name, with the URL of its API and further settings."""

    def open_provider(name: str, url: str, **settings: Any) -> Provider:
        known: dict[str, Any] = {f"{name}_url": f"{url}{PATHS.get(name, '')}"}
        if name in KEYED:
            known[f"{name}_key"] = SecretStr(KEY)
        known |= {"google_engine": ENGINE, "request_seconds": 5.0, "data": tmp_path}
        return MADE[name](Settings(**(known | settings)), naps)

    return open_provider
