"""Forager's survey of a site, into a data folder."""

import asyncio
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

from bench.crawlers.outcome import Outcome
from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.web.crawl.crawler import CrawledPage
from forager.adapters.web.library import WebLibrary
from forager.settings import Settings


async def crawl(root: str, limit: int, data: Path) -> Outcome:
    """Survey, with everything that a survey keeps."""
    links = 0

    def count(page: CrawledPage) -> None:
        nonlocal links
        links += len(page.document.links)

    settings = Settings(data=data, allow_private=(urlsplit(root).hostname or "",))
    start = time.perf_counter()
    library = WebLibrary(settings, SqliteBlobs(data / "blobs.sqlite"))
    try:
        found = await library.survey(root, limit, on_page=count)
        return Outcome(len(found.pages), links, time.perf_counter() - start)
    finally:
        await library.aclose()


if __name__ == "__main__":
    asyncio.run(crawl(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))).tell()
