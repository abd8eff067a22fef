import pytest

from forager.errors import SearchError
from tests.forager.adapters.search.conftest import Connect, Start


async def test_an_engine_id_is_required(start: Start, connect: Connect) -> None:
    engine = start("google")
    with pytest.raises(SearchError, match="Set FORAGER_GOOGLE_ENGINE"):
        await connect("google", engine.url, google_engine=" ").find_rows("lamp", 10, "")
    assert engine.asked == []


async def test_a_site_is_a_parameter(start: Start, connect: Connect) -> None:
    engine = start("google")
    provider = connect("google", engine.url)
    await provider.find_rows("lamp", 10, "https://www.example.org/")
    assert engine.asked[0].params["siteSearch"] == "example.org"
    assert engine.asked[0].params["q"] == "lamp"
    await provider.aclose()
