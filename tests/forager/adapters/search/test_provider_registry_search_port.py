"""The Search port of a run, recorded and replayed."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from forager.adapters.recording.port_recording import Replay, record_port
from forager.adapters.recording.tape import PlayedTape, Tape
from forager.adapters.recording.web_recording import SEARCH_CALLS
from forager.adapters.search.provider_registry import SearchAdapter
from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.web.library import WebLibrary
from forager.domain.survey import SearchResults
from forager.errors import SearchError, UsageError
from forager.ports import Search
from forager.settings import Settings
from tests.forager.adapters.search.conftest import PAGES, Start
from tests.forager.adapters.search.servers import Engine
from tests.servers import Site

LAMPS = "<title>Lamps</title><p>The lamps were burning whale oil until gas came.</p>"


@pytest.fixture
def engine(start: Start) -> Engine:
    return start("searxng")


@pytest.fixture
async def crawled(library: WebLibrary, site: Site) -> Site:
    """A site in the page store."""
    site.routes |= {"/": LAMPS}
    await library.survey(site.url(), 10)
    return site


@pytest.fixture
def chosen(settings: Settings, engine: Engine) -> Settings:
    """Settings with a provider chosen by the user."""
    update = {"search": ("searxng",), "searxng_url": engine.url}
    return Settings(**(settings.model_dump(exclude_unset=True) | update))


@pytest.fixture
async def adapter(chosen: Settings, blobs: SqliteBlobs) -> AsyncIterator[SearchAdapter]:
    async with aclosing(SearchAdapter(chosen, blobs)) as opened:
        yield opened


async def test_the_web_is_searched_by_the_providers_of_the_settings(
    adapter: SearchAdapter, engine: Engine
) -> None:
    found = await adapter.search("lamp", 5)
    assert [one.url for one in found.results] == [page.url for page in PAGES]
    assert {one.source for one in found.results} == {"searxng"}


async def test_a_site_is_searched_among_its_crawled_pages(
    settings: Settings, blobs: SqliteBlobs, crawled: Site
) -> None:
    async with aclosing(SearchAdapter(settings, blobs)) as adapter:
        found = await adapter.search("whale oil", 5, crawled.url())
    assert [(one.url, one.source) for one in found.results] == [(crawled.url(), "sites")]
    async with aclosing(SearchAdapter(settings, blobs)) as adapter:
        assert await adapter.search("zeppelin", 5, crawled.url()) == SearchResults()


async def test_default_providers_do_not_learn_the_site(
    settings: Settings, blobs: SqliteBlobs, site: Site
) -> None:
    """The default provider would need the network, which tests block."""
    async with aclosing(SearchAdapter(settings, blobs)) as adapter:
        with pytest.raises(SearchError, match="sites knows no page"):
            await adapter.search("whale oil", 5, site.url())


async def test_a_provider_that_was_chosen_searches_sites_too(
    adapter: SearchAdapter, engine: Engine, crawled: Site
) -> None:
    await adapter.search("whale oil", 5, "https://example.org/")
    assert "site:example.org" in engine.asked[-1].params["q"]


async def test_where_providers_fail_crawled_pages_are_searched(
    chosen: Settings, blobs: SqliteBlobs, crawled: Site
) -> None:
    away = chosen.model_copy(update={"searxng_url": "http://127.0.0.1:9"})
    async with aclosing(SearchAdapter(away, blobs)) as adapter:
        found = await adapter.search("whale oil", 5)
    assert [one.source for one in found.results] == ["sites"]
    assert any("searxng" in note for note in found.notes)


async def test_results_are_replayed(adapter: SearchAdapter, engine: Engine, tmp_path: Path) -> None:
    tape = tmp_path / "web.jsonl"
    recorder = record_port(adapter, SEARCH_CALLS, Tape(tape))
    found = await recorder.search("lamp", 2)
    asked = len(engine.asked)
    replay: Search = Replay(SEARCH_CALLS, PlayedTape(tape))
    assert await replay.search("lamp", 2) == found
    assert len(engine.asked) == asked
    with pytest.raises(UsageError, match="A search for 'tower' is not in the recording"):
        await replay.search("tower", 2)


async def test_errors_are_replayed(
    settings: Settings, blobs: SqliteBlobs, site: Site, tmp_path: Path
) -> None:
    tape = tmp_path / "web.jsonl"
    recorder = record_port(SearchAdapter(settings, blobs), SEARCH_CALLS, Tape(tape))
    with pytest.raises(SearchError) as first:
        await recorder.search("lamp", 2, site.url())
    with pytest.raises(SearchError) as again:
        await Replay(SEARCH_CALLS, PlayedTape(tape)).search("lamp", 2, site.url())
    assert (again.value.what, again.value.mend) == (first.value.what, first.value.mend)
    await recorder.aclose()
