"""The search engine over crawled pages, asked through the provider that asks real ones."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import aclosing, closing
from pathlib import Path

import httpx2
import pytest

from forager.adapters.search.provider_registry import open_search_chain
from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.web.library import WebLibrary
from forager.settings import Settings
from tests.fakes import MemoryBlobs
from tests.searxng import serving
from tests.servers import Site

NAMES = [f"tower-{letter}.html" for letter in "abcdefghijklmnop"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that knows a site of 17 pages, which is there no more."""
    folder = tmp_path_factory.mktemp("crawled")
    asyncio.run(crawl(folder))
    return folder


async def crawl(folder: Path) -> None:
    links = " ".join(f"<a href='{name}'>{name}</a>" for name in NAMES)
    with Site({"/": f"<title>Towers</title><p>{links}</p>"}) as site:
        for name in NAMES:
            text = f"The tower {name} was built of granite, and {name} is its name."
            site.routes[f"/{name}"] = f"<title>{name}</title><p>{text}</p>"
        settings = Settings(data=folder, allow_private=("127.0.0.1",))
        with closing(SqliteBlobs(folder / "blobs.sqlite")) as blobs:
            async with aclosing(WebLibrary(settings, blobs)) as library:
                await library.survey(site.url(), 50)


@pytest.fixture
def url(data: Path) -> Iterator[str]:
    with serving(data) as address:
        yield address


def settings(url: str, data: Path, *allowed: str) -> Settings:
    return Settings(search=("searxng",), searxng_url=url, data=data, allow_private=allowed)


async def test_crawled_pages_are_found_through_it(url: str, data: Path) -> None:
    asking = settings(url, data, "127.0.0.1")
    async with aclosing(open_search_chain(asking, MemoryBlobs())) as searches:
        found = await searches.search("granite", 14)
        assert len(found.results) == 14
        assert {result.source for result in found.results} == {"searxng"}
        assert "granite" in found.results[0].snippet
        within = await searches.search("granite", 14, found.results[0].url)
        assert len(within.results) == 14
        elsewhere = await searches.search("granite", 14, "http://127.0.0.1:9/")
        assert elsewhere.results == ()


async def test_private_pages_need_to_be_allowed(url: str, data: Path) -> None:
    async with aclosing(open_search_chain(settings(url, data), MemoryBlobs())) as searches:
        found = await searches.search("granite", 14)
    assert found.results == ()
    assert "with a private address" in found.notes[0]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/search?q=granite", 403),
        ("/search?format=json", 400),
        ("/search?q=granite&format=json&pageno=x", 400),
        ("/elsewhere", 404),
        ("/?q=granite&format=json", 200),
        ("/search?q=site:::&format=json", 400),
    ],
)
async def test_what_it_refuses(url: str, path: str, status: int) -> None:
    async with httpx2.AsyncClient(trust_env=False) as client:
        assert (await client.get(url + path)).status_code == status


def test_it_runs_by_itself(data: Path) -> None:
    command = [sys.executable, "-m", "tests.searxng", "--data", str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        reply = httpx2.post(f"{url}/search", data={"q": "granite", "format": "json"}).json()
        process.terminate()
    assert len(reply["results"]) == 10
