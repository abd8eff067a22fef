import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.web.crawl.crawl_frontier import (
    MAX_CHAIN,
    PATTERN_SHARE,
    CrawlCandidate,
    CrawlFrontier,
    is_trap,
)

ROOT = "http://example.org/docs/"


def wave(frontier: CrawlFrontier) -> list[str]:
    return [candidate.url.removeprefix("http://example.org") for candidate in frontier.next_wave()]


def test_urls_come_once_in_order_of_discovery() -> None:
    frontier = CrawlFrontier(ROOT)
    for name in ("b", "a", "b", "c?x=1&y=2", "c?y=2&x=1", "index.html", ""):
        frontier.add(ROOT + name)
    assert wave(frontier) == ["/docs/b", "/docs/a", "/docs/c?x=1&y=2", "/docs/index.html"]
    assert frontier.next_wave() == []


def test_the_folder_of_the_root_comes_first() -> None:
    frontier = CrawlFrontier(ROOT)
    for name in ("http://example.org/blog", ROOT + "a", "http://example.org/", ROOT + "b"):
        frontier.add(name)
    assert wave(frontier) == ["/docs/a", "/docs/b"]
    assert wave(frontier) == ["/blog", "/"]


def test_a_pattern_does_not_starve_the_others() -> None:
    frontier = CrawlFrontier(ROOT)
    for number in range(3 * PATTERN_SHARE):
        frontier.add(f"{ROOT}day-{number}.html")
    for name in "abc":
        frontier.add(f"{ROOT}{name}.html")
    assert len(first := wave(frontier)) == PATTERN_SHARE + 3
    assert first[-1] == "/docs/c.html"
    assert len(wave(frontier)) == PATTERN_SHARE


def test_pages_that_differ_in_words_are_no_pattern() -> None:
    frontier = CrawlFrontier(ROOT)
    for number in range(2 * PATTERN_SHARE):
        word = "".join("abcdefghij"[int(digit)] for digit in str(number))
        frontier.add(f"{ROOT}wiki?title={word}")
    assert len(wave(frontier)) == 2 * PATTERN_SHARE


def test_an_endless_chain_is_abandoned() -> None:
    frontier = CrawlFrontier(ROOT)
    frontier.add(f"{ROOT}calendar?month=0")
    [parent] = frontier.next_wave()
    followed = 0
    for month in range(1, 2 * MAX_CHAIN):
        frontier.add(f"{ROOT}calendar?month={month}", parent)
        found = frontier.next_wave()
        if not found:
            break
        [parent] = found
        followed += 1
    assert (followed, frontier.trapped) == (MAX_CHAIN, 1)


@pytest.mark.parametrize(
    "path",
    ["a/" * 13, "loop/" * 4, "x/y/x/y/x/y/x/y", "find?" + "&".join(f"p{n}=1" for n in range(9))],
)
def test_traps_are_detected(path: str) -> None:
    assert is_trap(ROOT + path)


@pytest.mark.parametrize("path", ["", "a/b/c/d.html", "a/a/a", "find?q=x&page=2&sort=name"])
def test_ordinary_urls_are_no_traps(path: str) -> None:
    assert not is_trap(ROOT + path)


@given(st.lists(st.text(st.sampled_from("ab1/?=&"), max_size=8)))
def test_every_url_comes_at_most_once(names: list[str]) -> None:
    frontier = CrawlFrontier(ROOT)
    for name in names:
        frontier.add(ROOT + name)
    found: list[CrawlCandidate] = []
    while wave_ := frontier.next_wave():
        found += wave_
    assert len({candidate.key for candidate in found}) == len(found)
    assert all(frontier.has_seen(candidate.key) for candidate in found)
