from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from forager.adapters.search.http_provider import HttpProvider
from forager.adapters.search.provider import Provider
from forager.adapters.search.provider_registry import WEB_PROVIDERS
from forager.settings import Settings
from tests.forager.adapters.conftest import Naps
from tests.forager.adapters.search import servers
from tests.forager.adapters.search.servers import ENGINE, KEY, Engine, Page

PAGES = [
    Page("https://example.org/lamp.html", "The lamp", "It burned oil until 1894."),
    Page("https://docs.example.com/guide.pdf", "A guide", "All about lamps, in print."),
    Page("https://example.org/tower.html", "The tower", "It is 41 metres high."),
]
MADE = {
    name: made
    for name, made in WEB_PROVIDERS.items()
    if isinstance(made, type) and issubclass(made, HttpProvider)
}
RESULTS = {
    "tavily": ("results",),
    "serper": ("organic",),
    "brave": ("web", "results"),
    "google": ("items",),
    "searxng": ("results",),
}
"""Where the list of results is in an answer."""
HERE = "tests/forager/adapters/search"
PATHS = {"brave": "/res/v1", "google": "/customsearch/v1"}


def missing_steps(name: str) -> list[str]:
    """What a provider with an HTTP API needs, beside its class, before it can be tested."""
    steps = {
        f"a field {name}_url in forager/settings.py": f"{name}_url" in Settings.model_fields,
        f"its line in RESULTS of {HERE}/conftest.py": name in RESULTS,
        f"a function {name} in {HERE}/servers.py": hasattr(servers, name),
    }
    return [step for step, done in steps.items() if not done]


LACKING = {name: steps for name in MADE if (steps := missing_steps(name))}
"""Providers that are not ready to be tested, and why."""
SPOKEN = tuple(name for name in MADE if name not in LACKING)
KEYED = tuple(name for name in SPOKEN if f"{name}_key" in Settings.model_fields)


def body_with(name: str, results: object) -> object:
    """An answer of a provider with these results, which may be no list."""
    for key in reversed(RESULTS[name]):
        results = {key: results}
    return results


def fields_of_row(name: str, body: Any, page: Page) -> Mapping[str, str]:
    """What an answer calls the address, the title and the text of a page that it lists first."""
    for key in RESULTS[name]:
        body = body[key]
    called = {value: key for key, value in body[0].items() if isinstance(value, str)}
    return {"url": called[page.url], "title": called[page.title], "text": called[page.text]}


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
