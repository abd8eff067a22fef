"""The search chain: which providers are asked, and how failures are reported."""

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest
from pydantic import SecretStr

from forager.adapters.search.provider import ResultRow, ResultRows
from forager.adapters.search.provider_registry import open_search_chain
from forager.adapters.search.search_chain import MAX_CONCURRENT, SearchChain
from forager.adapters.web.fetch.address_guard import AddressGuard
from forager.errors import SearchError, StoreError, UsageError
from forager.settings import Settings
from tests.fakes import MemoryBlobs
from tests.forager.adapters.search.conftest import PAGES, PATHS, Start
from tests.forager.adapters.search.servers import KEY, Reply

LAMP = ResultRow("https://example.org/lamp", "The lamp", "It burned oil.")
DOWN = SearchError("brave refused the connection.", "Check that it is up.")


class Scripted:
    """A provider that follows a script of rows and errors, and records queries."""

    crawled = False

    def __init__(self, name: str, *script: ResultRows | Exception) -> None:
        self.name = name
        self.script = list(script)
        self.asked: list[tuple[str, int, str]] = []
        self.closed = False

    async def find_rows(self, query: str, count: int, site: str) -> ResultRows:
        self.asked.append((query, count, site))
        said = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(said, Exception):
            raise said
        return said

    async def aclose(self) -> None:
        self.closed = True


def chain(*providers: Scripted) -> SearchChain:
    return SearchChain(providers, AddressGuard())


async def test_the_first_that_finds_something_is_enough() -> None:
    first, second = Scripted("brave", ResultRows((LAMP,))), Scripted("google", ResultRows((LAMP,)))
    found = await chain(first, second).search("  oil \n lamp\0 ", 5, "example.org")
    assert [(r.url, r.title, r.snippet, r.rank, r.source) for r in found.results] == [
        (LAMP.url, LAMP.title, LAMP.snippet, 1, "brave")
    ]
    assert found.notes == ()
    assert first.asked == [("oil lamp", 5, "https://example.org/")]
    assert second.asked == []


async def test_many_searches_wait_for_their_turn_and_skip_one_that_is_down() -> None:
    class Slow(Scripted):
        now = most = 0

        async def find_rows(self, query: str, count: int, site: str) -> ResultRows:
            self.now += 1
            self.most = max(self.most, self.now)
            await asyncio.sleep(0)
            self.now -= 1
            return await super().find_rows(query, count, site)

    first, second = Slow("brave", DOWN), Slow("google", ResultRows((LAMP,)))
    searches = chain(first, second)
    found = await asyncio.gather(*(searches.search(f"oil {n}", 5) for n in range(30)))
    assert all(one.results for one in found)
    assert (first.most, second.most) == (MAX_CONCURRENT, MAX_CONCURRENT)
    assert len(first.asked) == MAX_CONCURRENT


async def test_failures_and_empty_results_are_noted() -> None:
    fallen = Scripted("brave", DOWN), Scripted("google", ResultRows(note="A word."))
    found = await chain(*fallen, Scripted("serper", ResultRows((LAMP,)))).search("oil", 5)
    assert [result.source for result in found.results] == ["serper"]
    assert found.notes == (
        "brave refused the connection. Check that it is up.",
        "google: A word.",
        "google found nothing at all.",
    )


async def test_left_out_results_count_as_nothing_found() -> None:
    private = Scripted("brave", ResultRows((ResultRow("http://127.0.0.1/", "x", "y"),)))
    found = await chain(private, Scripted("google", ResultRows((LAMP,)))).search("oil", 5)
    assert [result.source for result in found.results] == ["google"]
    assert found.notes == (
        "brave: results were left out: 1 with a private address."
        " If you trust them, allow them with --allow-private.",
        "brave found nothing.",
    )


async def test_no_results_anywhere_is_no_error() -> None:
    found = await chain(Scripted("brave", DOWN), Scripted("google", ResultRows())).search("oil", 5)
    assert found.results == ()
    assert len(found.notes) == 2


async def test_if_all_fail_each_error_is_named() -> None:
    both = Scripted("brave", DOWN), Scripted("sites", StoreError("It is full.", "Free space."))
    with pytest.raises(SearchError) as caught:
        await chain(*both).search("oil", 5)
    assert str(caught.value) == (
        "No provider could search. brave refused the connection. Check that it is up. "
        "sites: It is full. Free space."
    )
    with pytest.raises(SearchError) as caught:
        await chain(both[0]).search("oil", 5)
    assert caught.value is DOWN


async def test_a_failed_provider_is_asked_last_for_a_while() -> None:
    first = Scripted("brave", DOWN, ResultRows((LAMP,)))
    second = Scripted("google", ResultRows((LAMP,)), ResultRows((LAMP,)), DOWN)
    searches = chain(first, second)
    sources = [(await searches.search("oil", 5)).results[0].source for _ in range(3)]
    assert sources == ["google", "google", "brave"]
    assert (len(first.asked), len(second.asked)) == (2, 3)


@pytest.mark.parametrize("query", ["", "  \n", "\0\x1b", "\ud800"])
async def test_nothing_to_search_for(query: str) -> None:
    with pytest.raises(SearchError, match="nothing to search for"):
        await chain(Scripted("brave", ResultRows())).search(query, 5)


async def test_an_invalid_site_is_an_error() -> None:
    with pytest.raises(SearchError, match="is not a web address"):
        await chain(Scripted("brave", ResultRows())).search("oil", 5, "ftp://a.org/")


@pytest.mark.parametrize(("asked", "passed"), [(-3, 1), (0, 1), (7, 7), (10**9, 200)])
async def test_the_count_is_limited(asked: int, passed: int) -> None:
    provider = Scripted("brave", ResultRows((LAMP,)))
    await chain(provider).search("oil", asked)
    assert provider.asked[0][1] == passed


async def test_a_long_query_is_noted() -> None:
    found = await chain(Scripted("brave", ResultRows((LAMP,)))).search("word " * 200, 5)
    assert found.notes == ("brave saw only the start of the query.",)


async def test_no_provider_at_all() -> None:
    with pytest.raises(SearchError, match="Name one in FORAGER_SEARCH"):
        await chain().search("oil", 5)


async def test_all_providers_are_closed() -> None:
    providers = Scripted("brave", DOWN), Scripted("google", DOWN)
    await chain(*providers).aclose()
    assert all(provider.closed for provider in providers)


async def test_the_settings_name_the_chain(tmp_path: Path, start: Start) -> None:
    """Real providers in turn: exhausted quota, web page, no results, and then results."""
    engines = {name: start(name) for name in ("tavily", "brave", "google", "serper")}
    engines["tavily"].instead = [Reply({"detail": {"error": "Over the limit."}}, 432)]
    engines["brave"].instead = [Reply(b"<html>", kind="text/html")]
    engines["google"].pages = []
    addresses = {f"{n}_url": e.url + PATHS.get(n, "") for n, e in engines.items()}
    keys = {f"{name}_key": SecretStr(KEY) for name in engines}
    settings = Settings.model_validate(
        {"data": tmp_path, "search": ",".join(engines), "google_engine": "engine-01"}
        | addresses
        | keys
    )
    async with aclosing(open_search_chain(settings, MemoryBlobs())) as searches:
        found = await searches.search("lamp", 10, "https://example.org/")
    assert [result.url for result in found.results] == [PAGES[0].url, PAGES[2].url]
    assert {result.source for result in found.results} == {"serper"}
    assert [note.split()[0] for note in found.notes] == ["tavily", "brave", "google"]
    assert KEY not in str(found)


async def test_a_misspelt_provider_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no search provider 'brav'\. Did you mean 'brave'"):
        open_search_chain(Settings(data=tmp_path), MemoryBlobs(), ["brav"])


async def test_crawled_pages_work_offline(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "not" / "there")
    async with aclosing(open_search_chain(settings, MemoryBlobs(), ["sites"])) as searches:
        with pytest.raises(SearchError, match="sites knows no page yet"):
            await searches.search("lamp", 5)
    assert not (tmp_path / "not").exists()
