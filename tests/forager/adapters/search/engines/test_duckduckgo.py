from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ddgs import DDGS
from ddgs.exceptions import DDGSException, RatelimitException, TimeoutException

from forager.adapters.search.engines.duckduckgo import DuckDuckGo
from forager.errors import SearchError
from forager.settings import Settings
from tests.forager.adapters.search.conftest import PAGES
from tests.forager.adapters.search.proxy import DuckDuckGoProxy


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[DuckDuckGoProxy]:
    with DuckDuckGoProxy(tmp_path, PAGES) as served:
        yield served


@pytest.fixture
def provider(proxy: DuckDuckGoProxy) -> DuckDuckGo:
    """The real ddgs, which reaches DuckDuckGo through the proxy."""
    return DuckDuckGo(Settings(), lambda: DDGS(proxy=proxy.url, timeout=5, verify=False))


async def test_pages_are_found(provider: DuckDuckGo, proxy: DuckDuckGoProxy) -> None:
    found = await provider.find_rows("lamp oil", 10, "")
    assert {tuple(row) for row in found.rows} == {(p.url, p.title, p.text) for p in PAGES}
    assert proxy.asked[0]["q"] == "lamp oil"


async def test_a_site_can_be_named(provider: DuckDuckGo, proxy: DuckDuckGoProxy) -> None:
    found = await provider.find_rows("lamp", 10, "https://www.example.org/")
    assert {row.url for row in found.rows} == {PAGES[0].url, PAGES[2].url}
    assert proxy.asked[0]["q"] == "lamp site:example.org"


async def test_no_results_may_be_a_rejection(provider: DuckDuckGo, proxy: DuckDuckGoProxy) -> None:
    proxy.pages = []
    found = await provider.find_rows("lamp", 10, "")
    assert found.rows == ()
    assert found.note == "It found nothing, or it rejected the request."
    proxy.pages, proxy.status = PAGES, 202
    assert await provider.find_rows("lamp", 10, "") == found


@pytest.mark.parametrize("proxy", ["http://127.0.0.1:9", "http://not.there.invalid:9"])
async def test_an_unreachable_provider_is_named(proxy: str) -> None:
    provider = DuckDuckGo(Settings(), lambda: DDGS(proxy=proxy, timeout=2))
    with pytest.raises(SearchError, match=r"could not be reached\. Check the network") as caught:
        await provider.find_rows("lamp", 10, "")
    assert "\n" not in str(caught.value)


async def test_an_invalid_proxy_is_named() -> None:
    provider = DuckDuckGo(Settings(), lambda: DDGS(proxy="garbage", timeout=2))
    with pytest.raises(SearchError, match="could not be queried: builder error"):
        await provider.find_rows("lamp", 10, "")


class Failing:
    """Replaces ddgs for failures that a server cannot produce on demand."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def text(self, query: str, **options: Any) -> list[dict[str, Any]]:
        raise self.error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (TimeoutException("timed out"), "duckduckgo did not answer within 20 s."),
        (RatelimitException("202 Ratelimit"), "duckduckgo limits the request rate."),
        (DDGSException("two\nlines " * 99), "duckduckgo could not be queried: two lines"),
    ],
)
async def test_failures_are_shown_in_one_line(error: Exception, said: str) -> None:
    provider = DuckDuckGo(Settings(), lambda: Failing(error))
    with pytest.raises(SearchError) as caught:
        await provider.find_rows("lamp", 10, "")
    assert str(caught.value).startswith(said)
    assert len(str(caught.value)) < 320
    assert "Try again later" in caught.value.mend
