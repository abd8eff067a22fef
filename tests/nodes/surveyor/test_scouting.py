"""What there is to read: sites mapped, the web searched."""

import pytest

from forager.domain.documents import Document
from forager.domain.survey import Found, Result, Surveyed
from forager.errors import ConnectError, SearchError, StoreError
from forager.questions.subquestions import LookUp
from nodes.surveyor import scouting
from tests.doors import ports
from tests.fakes import FakeSearch, FakeWeb, MemoryBlobs

ONE, TWO = "http://one/", "http://two/"
AWAY = SearchError("fake is away.", "Try later.")
WHO = LookUp(ask="Who founded the house?")
WHEN = LookUp(ask="When was it built?", search="dome construction year")


def result(url: str, rank: int = 1) -> Result:
    return Result(url=url, title=url, snippet="", rank=rank, source="fake")


def web(**down: Exception) -> FakeWeb:
    pages = [Document(url=f"{site}{path}") for site in (ONE, TWO) for path in ("", "a", "b")]
    return FakeWeb(MemoryBlobs(), pages, down={f"http://{n}/": e for n, e in down.items()})  # type: ignore[misc]


async def test_a_query_is_the_model_s_or_the_words_that_say_something() -> None:
    assert scouting.query_for(WHEN, "the house") == "dome construction year"
    assert scouting.query_for(WHO, "") == "founded house"
    assert (
        scouting.query_for(LookUp(ask="Which one?"), "The house needs a key.") == "house needs key"
    )
    assert scouting.query_for(LookUp(ask="Which?"), "") == "Which?"


async def test_each_ask_is_searched_on_each_site() -> None:
    search = FakeSearch(f"{ONE}a", f"{TWO}a")
    found = await scouting.search_asks(ports(search=search), [WHO, WHEN], "", 5, [ONE, TWO])
    assert {(words, site) for words, _, site in search.asked} == {
        (words, site)
        for words in ("founded house", "dome construction year")
        for site in (ONE, TWO)
    }
    assert [one.url for one in found.results[WHO.ask]] == [f"{ONE}a", f"{TWO}a"]
    assert len(found.all_results()) == 4


async def test_a_site_that_cannot_be_searched_is_noted() -> None:
    found = await scouting.search_asks(ports(search=FakeSearch(away=AWAY)), [WHO], "", 5, [ONE])
    assert (found.all_results(), found.notes) == ([], (str(AWAY),))


async def test_a_web_that_cannot_be_searched_is_an_error() -> None:
    with pytest.raises(SearchError, match="fake is away"):
        await scouting.search_asks(ports(search=FakeSearch(away=AWAY)), [WHO, WHEN], "", 5)


async def test_one_search_of_two_is_enough() -> None:
    class Once(FakeSearch):
        async def search(self, query: str, count: int, site: str = "") -> Found:
            if "dome" in query:
                raise AWAY
            return await super().search(query, count, site)

    found = await scouting.search_asks(ports(search=Once(f"{ONE}a")), [WHO, WHEN], "", 5)
    assert [one.url for one in found.all_results()] == [f"{ONE}a"]
    assert found.notes == (str(AWAY),)


def test_sites_are_picked_by_what_leads_for_each_ask_then_by_all_ranks() -> None:
    results = {
        "who": (result("http://b/x", 1), result("http://a/y", 2), result("http://a/z", 3)),
        "when": (result("http://c/x", 1), result("http://a/y", 2)),
    }
    assert scouting.pick_sites(results, 5) == ("http://b/", "http://c/", "http://a/")
    assert scouting.pick_sites(results, 1) == ("http://b/",)
    assert scouting.pick_sites({}, 3) == ()


def test_a_site_with_and_without_www_is_one() -> None:
    results = {"who": (result("https://www.a.org/x", 1), result("https://a.org/y", 2))}
    assert scouting.pick_sites(results, 3) == ("https://www.a.org/",)


def test_seeds_are_the_pages_found_by_site() -> None:
    found = [result(f"{ONE}a"), result(f"{TWO}b", 2), result(f"{ONE}a", 3)]
    assert scouting.pages_by_site(found, [ONE, TWO]) == {ONE: (f"{ONE}a",), TWO: (f"{TWO}b",)}


async def test_sites_are_mapped_with_the_pages_that_were_found() -> None:
    there = web()
    mapped = await scouting.map_sites(ports(web=there), [ONE, TWO], 9, {ONE: (f"{ONE}deep",)})
    assert [one.site for one in mapped.sites] == [ONE, TWO]
    assert there.seeded == [f"{ONE}deep"]


async def test_with_pages_known_no_site_has_to_answer() -> None:
    down = ConnectError("The host does not answer.", "Try again.")
    there = web(one=down)
    with pytest.raises(ConnectError):
        await scouting.map_sites(ports(web=there), [ONE], 9)
    mapped = await scouting.map_sites(ports(web=there), [ONE], 9, {ONE: (f"{ONE}a",)})
    assert (mapped.sites, mapped.failed) == ((), (str(down),))


async def test_what_nobody_expects_is_raised() -> None:
    full = StoreError("The disk is full.", "Free some space.")
    with pytest.raises(StoreError, match="full"):
        await scouting.map_sites(ports(web=web(two=full)), [ONE, TWO], 9, {})


async def test_without_pages_nothing_is_asked() -> None:
    there = web()
    mapped = await scouting.map_sites(ports(web=there), [ONE], 0)
    assert (mapped.sites, there.surveyed) == ((Surveyed(site=ONE, pages=0),), [])
