"""The pages of a site as Forager's reader reads them, and a sample of them to ask about."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bench.make_set.links import MAX_BYTES, follow_links, locate
from bench.make_set.packages import INDEX, UnpackedPackage
from forager.adapters.web.read.page_reader import read_page
from forager.domain.documents import Document
from forager.errors import ContentError
from forager.text.tokens import CJK

MIN_CHARACTERS = 1_200
MIN_CJK_CHARACTERS = 400
MAX_LINK_SHARE = 0.5
"""A page is an index if more of its text is in links."""


@dataclass(frozen=True)
class SitePages:
    """The distinct pages of a site that links lead to, by their paths on it."""

    name: str
    pages: Mapping[str, Document]


def read_site(package: UnpackedPackage) -> SitePages:
    """Read the pages that links from the first page lead to; of equal texts the first is kept."""
    found: dict[str, Document] = {}
    texts: set[str] = set()
    for path in follow_links(package.pages, package.site.root):
        file = locate(package.pages, path)
        if file is None or file.stat().st_size > MAX_BYTES:
            continue
        address = f"http://{package.site.package}.invalid/{path}"
        try:
            document = read_page(file.read_bytes(), "text/html", address)
        except ContentError:
            continue
        if document.text not in texts:
            texts.add(document.text)
            found[f"/{path}"] = document
    return SitePages(package.site.package, found)


def sample_pages(site: SitePages, count: int, seed: int) -> list[str]:
    """Draw pages that are long enough and no indexes, from as many folders as there are.

    A site that has no such page gives its longest pages. The same seed draws the same pages.
    """
    fit = [path for path, page in site.pages.items() if _is_fit(path, page)]
    if not fit:
        return sorted(site.pages, key=lambda path: -len(site.pages[path].text))[:count]
    draw = random.Random(f"{seed} {site.name}")
    folders: dict[str, list[str]] = {}
    for path in sorted(fit):
        folders.setdefault(path.rpartition("/")[0], []).append(path)
    for paths in folders.values():
        draw.shuffle(paths)
    order = sorted(folders)
    draw.shuffle(order)
    return sorted(_take_turns([folders[folder] for folder in order])[:count])


def _take_turns(lists: Sequence[Sequence[str]]) -> list[str]:
    """The first of each list, then the second of each, and so on."""
    longest = max(map(len, lists))
    return [each[turn] for turn in range(longest) for each in lists if turn < len(each)]


def _is_fit(path: str, page: Document) -> bool:
    text = page.text
    cjk = sum(map(len, CJK.findall(text)))
    long = len(text) >= MIN_CHARACTERS or cjk >= MIN_CJK_CHARACTERS
    linked = sum(len(link.text) for link in page.links)
    index = INDEX.fullmatch(path.rpartition("/")[2]) is not None
    return long and not index and linked <= MAX_LINK_SHARE * len(text)


def texts_of(sites: Iterable[SitePages]) -> list[str]:
    """The texts of all pages of some sites."""
    return [page.text for site in sites for page in site.pages.values()]
