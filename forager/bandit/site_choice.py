"""Chooses the sites of the web to map, from search results."""

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import urlsplit

from forager.domain.survey import SearchResult
from forager.domain.urls import same_site


def pick_sites(results: Mapping[str, Sequence[SearchResult]], count: int) -> tuple[str, ...]:
    """The front pages of the best `count` sites, from the results of each search.

    The leading site of each search comes first, then the sites by the sum of the reciprocal ranks
    of their results (Cormack et al. 2009, without their constant: the first results count most).
    """
    worth = _reciprocal_ranks(result for found in results.values() for result in found)
    leading = [site for site in map(leading_site, results.values()) if site]
    chosen: list[str] = []
    for site in (*leading, *sorted(worth, key=lambda site: -worth[site])):
        if not any(same_site(site, other) for other in chosen):
            chosen.append(site)
    return tuple(chosen[:count])


def leading_site(found: Iterable[SearchResult]) -> str:
    """The site that one search ranked best; empty if it found nothing."""
    worth = _reciprocal_ranks(found)
    return max(worth, key=lambda site: worth[site], default="")


def pages_by_site(
    results: Iterable[SearchResult], sites: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """The addresses that were found on each of the sites."""
    urls = dict.fromkeys(result.url for result in results)
    return {site: tuple(url for url in urls if same_site(site, url)) for site in sites}


def _reciprocal_ranks(results: Iterable[SearchResult]) -> dict[str, float]:
    worth: dict[str, float] = {}
    for result in results:
        site = _front_page(result.url)
        worth[site] = worth.get(site, 0.0) + 1 / result.rank
    return worth


def _front_page(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/"
