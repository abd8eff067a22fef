"""Finding out what there is to read: sites mapped, the web searched."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from forager.domain.survey import Found, Result, Surveyed
from forager.domain.urls import same_site
from forager.errors import SearchError, WebError
from forager.ports import Ports
from forager.questions.search_queries import brief, telling
from forager.questions.subquestions import BARE_ASK, LookUp

MAX_QUERY_WORDS = 16


class SiteMaps(NamedTuple):
    """Sites that answered, why others did not, and what went wrong on those that did."""

    sites: tuple[Surveyed, ...]
    failed: tuple[str, ...]
    notes: tuple[str, ...]


class SearchFinds(NamedTuple):
    """What was found for each ask, and in words what went wrong."""

    results: dict[str, tuple[Result, ...]]
    notes: tuple[str, ...]

    def all_results(self) -> list[Result]:
        """Every result, one ask after the other."""
        return [result for found in self.results.values() for result in found]


async def map_sites(
    ports: Ports, sites: Sequence[str], pages: int, seeds: Mapping[str, Sequence[str]] | None = None
) -> SiteMaps:
    """Survey what answers; with not one site to be had, the first error is the run's.

    With `seeds` (pages by site) nothing is raised: these pages can be had without a map.
    """
    if not pages:
        return SiteMaps(tuple(Surveyed(site=site, pages=0) for site in sites), (), ())
    wanted = seeds or {}
    found = await asyncio.gather(
        *(ports.web.survey(site, pages, wanted.get(site, ())) for site in sites),
        return_exceptions=True,
    )
    there = tuple(one for one in found if isinstance(one, Surveyed))
    failed = [one for one in found if isinstance(one, BaseException)]
    unexpected = [error for error in failed if not isinstance(error, WebError)]
    if unexpected or (failed and not there and seeds is None):
        raise (unexpected or failed)[0]
    notes = tuple(note for one in there for note in one.notes)
    return SiteMaps(there, tuple(map(str, failed)), notes)


async def search_asks(
    ports: Ports, asks: Sequence[LookUp], context: str, count: int, sites: Sequence[str] = ("",)
) -> SearchFinds:
    """Search for each ask, on each of the sites; an empty one is the whole web.

    Raises SearchError where the whole web was to be searched and nothing could be.
    """
    wanted = [(each.ask, query_for(each, context), site) for each in asks for site in sites]
    found = await asyncio.gather(
        *(ports.search.search(words, count, site) for _, words, site in wanted),
        return_exceptions=True,
    )
    failed = [one for one in found if isinstance(one, BaseException)]
    unexpected = [error for error in failed if not isinstance(error, SearchError)]
    if unexpected or (failed and len(failed) == len(found) and "" in sites):
        raise (unexpected or failed)[0]
    results: dict[str, tuple[Result, ...]] = {}
    notes = [str(error) for error in failed]
    for (ask, _, _), one in zip(wanted, found, strict=True):
        if isinstance(one, Found):
            results[ask] = (*results.get(ask, ()), *one.results)
            notes += one.notes
    return SearchFinds(results, tuple(dict.fromkeys(notes)))


def query_for(each: LookUp, context: str) -> str:
    """The words to search for: the model's, or those of the ask that say something.

    Of an ask with few such words ("which one?"), those of the context with them.
    """
    own = telling(each.ask)
    said = own if len(own) > BARE_ASK else dict.fromkeys((*own, *telling(context)))
    return brief(each.search) or brief(" ".join(list(said)[:MAX_QUERY_WORDS]) or each.ask)


def pick_sites(results: Mapping[str, Sequence[Result]], count: int) -> tuple[str, ...]:
    """The roots of the sites to read: the best for each ask first, then by all their ranks.

    Reciprocal ranks, summed (Cormack et al. 2009, without their constant: the first results count).
    """
    worth: dict[str, float] = {}
    for found in results.values():
        for result in found:
            site = site_root(result.url)
            worth[site] = worth.get(site, 0.0) + 1 / result.rank
    by_worth = sorted(worth, key=lambda site: -worth[site])
    leading = [site for site in map(leading_site, results.values()) if site]
    chosen: list[str] = []
    for site in (*leading, *by_worth):
        if not any(same_site(site, other) for other in chosen):
            chosen.append(site)
    return tuple(chosen[:count])


def leading_site(found: Iterable[Result]) -> str:
    """The site that one search found best; nothing of nothing."""
    worth: dict[str, float] = {}
    for result in found:
        site = site_root(result.url)
        worth[site] = worth.get(site, 0.0) + 1 / result.rank
    return max(worth, key=lambda site: worth[site], default="")


def pages_by_site(results: Iterable[Result], sites: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The pages that were found, by site."""
    urls = dict.fromkeys(result.url for result in results)
    return {site: tuple(url for url in urls if same_site(site, url)) for site in sites}


def site_root(url: str) -> str:
    """The front page of the site that a page is on."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/"
