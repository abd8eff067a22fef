"""Forager's survey of a site into a data folder."""

import asyncio
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

from bench.survey.crawlers.outcome import CrawlOutcome
from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.web.crawl.crawler import CrawledPage
from forager.adapters.web.library import WebLibrary
from forager.settings import Settings


async def crawl(root: str, limit: int, data: Path) -> CrawlOutcome:
    """Survey a site and store all that a survey stores."""
    links = 0

    def count_links(page: CrawledPage) -> None:
        nonlocal links
        links += len(page.document.links)

    settings = Settings(data=data, allow_private=(urlsplit(root).hostname or "",))
    start = time.perf_counter()
    library = WebLibrary(settings, SqliteBlobs(data / "blobs.sqlite"))
    try:
        found = await library.survey(root, limit, on_page=count_links)
        return CrawlOutcome(len(found.pages), links, time.perf_counter() - start)
    finally:
        await library.aclose()


if __name__ == "__main__":
    asyncio.run(crawl(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))).print_json()
