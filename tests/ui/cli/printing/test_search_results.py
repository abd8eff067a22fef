import json
from contextlib import aclosing, closing
from pathlib import Path

import pytest

from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.web.library import WebLibrary
from forager.settings import Settings
from tests.forager.adapters.search.servers import KEY, Engine, Page, serper, tavily
from tests.ui.conftest import Forager


@pytest.fixture
async def crawled(tmp_path: Path, site: str) -> str:
    """A site whose pages are in the data folder."""
    data = tmp_path / "data"
    settings = Settings(data=data, allow_private=("127.0.0.1",))
    with closing(SqliteBlobs(data / "blobs.sqlite")) as blobs:
        async with aclosing(WebLibrary(settings, blobs)) as library:
            await library.survey(site, 10)
    return site


def test_crawled_pages_are_searched_first(forager: Forager, crawled: str) -> None:
    result = forager("search", "who was the engineer?", "--site", crawled)
    assert result.exit_code == 0
    first, url, snippet = result.stdout.splitlines()
    assert first == " 1. Skarn lighthouse · sites"
    assert url == f"    {crawled}skarn.html"
    assert "engineer Marta Lindqvist" in snippet
    assert result.stderr == ""


def test_json_is_one_object(forager: Forager, crawled: str) -> None:
    result = forager("search", "lighthouse", "--provider", "sites", "--count", "2", "--json")
    found = json.loads(result.stdout)
    assert list(found) == ["results", "notes"]
    assert [set(row) for row in found["results"]] == [
        {"url", "title", "snippet", "rank", "source"}
    ] * 2


def test_nothing_found(forager: Forager, crawled: str) -> None:
    result = forager("search", "zeppelin", "--provider", "sites")
    assert result.exit_code == 4
    assert result.stdout == "Nothing was found.\n"
    assert result.stderr == "Note: sites found nothing at all.\n"


def test_the_providers_of_the_settings_are_asked_in_turn(forager: Forager, crawled: str) -> None:
    pages = [Page("https://example.org/\x1b[31m", "A \x1b[31mred title", "Words.")]
    with Engine(tavily, pages) as first, Engine(serper, pages) as second:
        result = forager(
            "search",
            "lamp",
            FORAGER_SEARCH="tavily, serper",
            FORAGER_TAVILY_URL=first.url,
            FORAGER_TAVILY_KEY="a-wrong-key",
            FORAGER_SERPER_URL=second.url,
            FORAGER_SERPER_KEY=KEY,
        )
    assert result.exit_code == 0
    assert " 1. A [31mred title · serper" in result.stdout
    assert result.stderr.startswith("Note: tavily answered 401 Unauthorized")
    assert "a-wrong-key" not in result.output
    assert "\x1b" not in result.output


def test_what_cannot_be_searched_is_told_in_one_line(forager: Forager) -> None:
    result = forager("search", "lamp", "--provider", "sites", "--provider", "tavily")
    assert result.exit_code == 1
    assert result.stdout == ""
    [line] = result.stderr.splitlines()
    assert line.startswith("Error: No provider could search. sites knows no page yet.")
    assert "Set FORAGER_TAVILY_KEY" in line


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["lamp", "--provider", "goggle"], 2, "Did you mean 'google'?"),
        (["lamp", "--provider", "sites", "--site", "ftp://a/"], 1, "is not a web address"),
        (["  ", "--provider", "sites"], 2, "There is nothing to search for."),
        (["lamp", "--count", "0"], 2, "--count"),
    ],
)
def test_bad_usage_is_told(forager: Forager, words: list[str], code: int, said: str) -> None:
    result = forager("search", *words)
    assert result.exit_code == code
    assert said in result.stderr


def test_a_provider_of_the_settings_that_is_none(forager: Forager) -> None:
    result = forager("search", "lamp", FORAGER_SEARCH="brave,bing")
    assert result.exit_code == 2
    assert "FORAGER_SEARCH is invalid" in result.stderr
