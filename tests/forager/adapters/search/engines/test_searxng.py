import pytest

from forager.errors import SearchError
from tests.forager.adapters.search.conftest import PAGES, Connect, Start
from tests.forager.adapters.search.servers import Reply

SILENT = [["bing", "timeout"], ["google", "Suspended: CAPTCHA"]]


async def test_engines_that_are_silent_are_named(start: Start, connect: Connect) -> None:
    engine = start("searxng")
    engine.instead = [Reply({"query": "x", "results": [], "unresponsive_engines": SILENT})]
    provider = connect("searxng", engine.url)
    with pytest.raises(SearchError, match="bing: timeout, google: Suspended: CAPTCHA"):
        await provider.find_rows("lamp", 10, "")
    await provider.aclose()


async def test_one_engine_that_answers_is_enough(start: Start, connect: Connect) -> None:
    engine = start("searxng")
    rows = [{"url": PAGES[0].url, "title": "x", "content": "y"}]
    engine.instead = [Reply({"results": rows, "unresponsive_engines": SILENT})]
    provider = connect("searxng", engine.url)
    assert len((await provider.find_rows("lamp", 1, "")).rows) == 1
    await provider.aclose()


async def test_an_instance_without_json(start: Start, connect: Connect) -> None:
    engine = start("searxng")
    engine.instead = [Reply(b"<html>Forbidden</html>", 403, "text/html")]
    provider = connect("searxng", engine.url)
    with pytest.raises(SearchError, match=r"403 Forbidden\. Allow json under search\.formats"):
        await provider.find_rows("lamp", 10, "")
    await provider.aclose()


async def test_a_url_is_required(connect: Connect) -> None:
    with pytest.raises(SearchError, match=r"searxng has no address\. Set FORAGER_SEARXNG_URL"):
        await connect("searxng", "", searxng_url=" ").find_rows("lamp", 10, "")


async def test_a_port_belongs_to_the_site(start: Start, connect: Connect) -> None:
    engine = start("searxng")
    provider = connect("searxng", engine.url)
    await provider.find_rows("lamp", 10, "http://127.0.0.1:8101/docs/")
    assert engine.asked[0].params["q"] == "lamp site:127.0.0.1:8101"
    await provider.aclose()
