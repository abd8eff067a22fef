"""The pages of a surveyed site as a tree, each below the page that links to it first."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path

from forager.adapters.store.blob_store import open_blobs_at
from forager.adapters.web.crawl.site_maps import CrawlMap, MapPage, MapStore
from forager.adapters.web.web_database import WebDatabase
from forager.domain import urls
from forager.domain.base import Frozen
from forager.domain.urls import same_site
from forager.errors import StoreError
from forager.ports import Blobs
from forager.settings import Settings

MAX_PAGES = 2_000
"""Pages that are shown of one site."""
ROOT = -1


class MapNode(Frozen):
    """A page: its clicks from the root, and the index of the page above it, -1 for the root."""

    url: str
    title: str = ""
    depth: int = 0
    parent: int = ROOT


class SiteMap(Frozen):
    """A site's pages, each after the one above it; `left_out` of its `pages` are not shown.

    `complete` is true where the survey left no page out.
    """

    site: str
    pages: int
    left_out: int = 0
    complete: bool = False
    nodes: tuple[MapNode, ...] = ()


def read_site_maps(
    settings: Settings, sites: Iterable[str], wanted: Iterable[str]
) -> tuple[SiteMap, ...]:
    """The stored maps of these sites; the addresses `wanted` are always shown.

    A site that was not surveyed shows the wanted pages on it. Raises StoreError.
    """
    keys = list(dict.fromkeys(map(urls.page_key, wanted)))
    with closing(WebDatabase(settings.data / "web.sqlite")) as file:
        maps = MapStore(file)
        found = [maps.load(site) or _visited_map(site, keys) for site in dict.fromkeys(sites)]
    return tuple(
        _site_map(each, _cached_parents(each.pages, settings.data, settings.blobs), keys)
        for each in found
    )


@lru_cache(maxsize=16)
def _cached_parents(pages: tuple[MapPage, ...], data: Path, address: str) -> tuple[int, ...]:
    """The tree of a map, cached as it takes reading every document of the site."""
    with open_blobs_at(data, address) as blobs:
        return parent_places(pages, blobs)


def _site_map(found: CrawlMap, above: Sequence[int], wanted: Sequence[str]) -> SiteMap:
    places = {urls.page_key(page.url): place for place, page in enumerate(found.pages)}
    shown = places_to_show(above, [places[key] for key in wanted if key in places])
    new = {place: number for number, place in enumerate(shown)}
    return SiteMap(
        site=found.site,
        pages=len(found.pages),
        left_out=len(found.pages) - len(shown),
        complete=found.complete,
        nodes=tuple(
            MapNode(
                url=found.pages[place].url,
                title=found.pages[place].title,
                depth=found.pages[place].depth,
                parent=new.get(above[place], ROOT),
            )
            for place in shown
        ),
    )


def _visited_map(site: str, wanted: Iterable[str]) -> CrawlMap:
    root = urls.page_key(site)
    own = [key for key in wanted if key != root and same_site(root, key)]
    pages = (MapPage(root, 0, "", ""), *(MapPage(key, 1, "", "") for key in own))
    return CrawlMap(site=root, pages=pages)


def parent_places(pages: Sequence[MapPage], blobs: Blobs) -> tuple[int, ...]:
    """For each page the index of the page above it, which is smaller than its own; -1 for the root.

    The page above is the first one, a click nearer to the root, that links to it. Where no link is
    known (a page from a sitemap or a redirect) it is the page of the folder around, or the root.
    """
    known = {page.url: place for place, page in enumerate(pages)}
    known |= {urls.page_key(page.url): place for place, page in enumerate(pages)}
    above: dict[int, int] = {}
    missing = {place for place in range(1, len(pages)) if pages[place].depth > 0}
    for place, page in enumerate(pages):
        below = {other for other in missing if pages[other].depth == page.depth + 1}
        for other in below & _linked_places(page, blobs, known) if below else ():
            above[other] = place
            missing.discard(other)
    folders = {_url_folder(page.url): place for place, page in reversed(list(enumerate(pages)))}
    return tuple(
        ROOT if place == 0 else above.get(place, _parent_by_address(page.url, place, folders))
        for place, page in enumerate(pages)
    )


def _linked_places(page: MapPage, blobs: Blobs, known: Mapping[str, int]) -> set[int]:
    if not page.blob:
        return set()
    try:
        links = json.loads(blobs.get(page.blob))["links"]
    except (StoreError, ValueError, KeyError):
        return set()
    found = (link["url"] for link in links)
    return {known[url] if url in known else known.get(urls.page_key(url), ROOT) for url in found}


def _url_folder(url: str) -> str:
    return url.partition("?")[0].rstrip("/") + "/"


def _parent_by_address(url: str, place: int, folders: Mapping[str, int]) -> int:
    """The index of the nearest folder above that is an earlier page; 0 where there is none."""
    path = _url_folder(url).rstrip("/")
    while "/" in path:
        path = path.rpartition("/")[0]
        if folders.get(f"{path}/", place) < place:
            return folders[f"{path}/"]
    return 0


def places_to_show(
    above: Sequence[int], wanted: Collection[int], most: int = MAX_PAGES
) -> tuple[int, ...]:
    """The indices to show, in order: wanted pages with all above them, then from the root on."""
    shown: dict[int, None] = {}
    for page in (*wanted, *range(len(above))):
        place, path = page, []
        while place != ROOT and place not in shown:
            path.append(place)
            place = above[place]
        if len(shown) + len(path) <= most:
            shown.update(dict.fromkeys(path))
    return tuple(sorted(shown))
