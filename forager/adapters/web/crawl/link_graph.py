"""The link graph of a crawl: pages, the links between them, and the texts of the links."""

from collections import deque
from collections.abc import Iterable

from forager.adapters.web.crawl.site_maps import MapPage
from forager.domain import urls

MAX_ANCHORS = 40
MAX_ANCHOR_LENGTH = 200


class LinkGraph:
    """Pages by key in order of discovery; the first page is the root."""

    def __init__(self) -> None:
        self._pages: dict[str, MapPage] = {}
        self._depths: dict[str, int] = {}
        self._aliases: dict[str, str] = {}
        self._links: dict[str, dict[str, None]] = {}
        self._anchors: dict[str, dict[str, None]] = {}

    def __len__(self) -> int:
        return len(self._pages)

    def __contains__(self, url: str) -> bool:
        return urls.page_key(url) in self._pages

    def add_page(self, url: str, title: str, blob: str) -> int:
        """Add a page and return its smallest known depth."""
        key = urls.page_key(url)
        depth = self._depths.setdefault(key, 1 if self._pages else 0)
        self._pages[key] = MapPage(url, depth, title, blob)
        return depth

    def add_alias(self, url: str, page: str) -> None:
        """Add another URL of a page; links to that URL count for the page."""
        key, target = urls.page_key(url), urls.page_key(page)
        if key != target:
            self._aliases[key] = target
            self._lower_depth(target, self._depths.get(key))

    def add_links(self, source: str, target: str, texts: Iterable[str]) -> None:
        """Add links from one page to another, with their texts."""
        origin, key = urls.page_key(source), urls.page_key(target)
        self._links.setdefault(origin, {})[key] = None
        self._lower_depth(key, self._depths[origin] + 1)
        words = self._anchors.setdefault(key, {})
        for text in texts:
            if text and len(words) < MAX_ANCHORS:
                words[text[:MAX_ANCHOR_LENGTH]] = None

    def link_texts(self, url: str) -> tuple[str, ...]:
        """The texts of the links to an address."""
        return tuple(self._anchors.get(urls.page_key(url), ()))

    def _lower_depth(self, key: str, depth: int | None) -> None:
        if depth is not None:
            self._depths[key] = min(depth, self._depths.get(key, depth))

    def pages_from(self, start: int) -> list[MapPage]:
        """The pages from a position on, in order of discovery."""
        return list(self._pages.values())[start:]

    def final_pages(self) -> tuple[MapPage, ...]:
        """All pages, sorted by final depth, with the texts of the links to them."""
        depths = self._measure_depths()
        words: dict[str, dict[str, None]] = {}
        for key, texts in self._anchors.items():
            words.setdefault(self._aliases.get(key, key), {}).update(texts)
        pages = [
            MapPage(page.url, depths.get(key, 1), page.title, page.blob, tuple(words.get(key, ())))
            for key, page in self._pages.items()
        ]
        return tuple(sorted(pages, key=lambda page: page.depth))

    def _measure_depths(self) -> dict[str, int]:
        """Clicks from the root by breadth-first search; unreachable pages are missing."""
        depths = dict.fromkeys(list(self._pages)[:1], 0)
        queue = deque(depths)
        while queue:
            key = queue.popleft()
            for target in self._links.get(key, ()):
                page = self._aliases.get(target, target)
                if page in self._pages and page not in depths:
                    depths[page] = depths[key] + 1
                    queue.append(page)
        return depths
