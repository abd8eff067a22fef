"""Which sites of the web are mapped?"""

from forager.bandit.site_choice import pages_by_site, pick_sites
from forager.domain.survey import SearchResult

ONE, TWO = "http://one/", "http://two/"


def result(url: str, rank: int = 1) -> SearchResult:
    return SearchResult(url=url, title=url, snippet="", rank=rank, source="fake")


def test_the_leading_site_of_each_look_up_comes_first_then_the_sites_by_all_ranks() -> None:
    results = {
        "who": (result("http://b/x", 1), result("http://a/y", 2), result("http://a/z", 3)),
        "when": (result("http://c/x", 1), result("http://a/y", 2)),
    }
    assert pick_sites(results, 5) == ("http://b/", "http://c/", "http://a/")
    assert pick_sites(results, 1) == ("http://b/",)
    assert pick_sites({}, 3) == ()


def test_a_site_with_and_without_www_is_one() -> None:
    results = {"who": (result("https://www.a.org/x", 1), result("https://a.org/y", 2))}
    assert pick_sites(results, 3) == ("https://www.a.org/",)


def test_the_pages_that_were_found_are_sorted_by_site() -> None:
    found = [result(f"{ONE}a"), result(f"{TWO}b", 2), result(f"{ONE}a", 3)]
    assert pages_by_site(found, [ONE, TWO]) == {ONE: (f"{ONE}a",), TWO: (f"{TWO}b",)}
