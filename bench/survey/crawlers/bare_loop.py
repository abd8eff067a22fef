"""A minimal crawler of httpx2, selectolax and a queue: text and links of every page."""

import asyncio
import sys
import time
from urllib.parse import urldefrag, urljoin, urlsplit

import httpx2
from selectolax.lexbor import LexborHTMLParser

from bench.survey.crawlers.outcome import CrawlOutcome

WORKERS = 16


class BareLoop:
    """Crawls a site; `pages` has the text and the links of each page by URL."""

    def __init__(self, root: str, limit: int) -> None:
        self.root = root
        self.limit = limit
        self.pages: dict[str, tuple[str, list[tuple[str, str]]]] = {}
        self._seen = {root}
        self._queue: asyncio.Queue[str] = asyncio.Queue()
        self._queue.put_nowait(root)

    async def run(self) -> None:
        """Crawl with WORKERS workers until the queue is empty."""
        async with httpx2.AsyncClient(limits=httpx2.Limits(max_connections=WORKERS)) as client:
            workers = [asyncio.create_task(self._run_worker(client)) for _ in range(WORKERS)]
            await self._queue.join()
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _run_worker(self, client: httpx2.AsyncClient) -> None:
        while True:
            url = await self._queue.get()
            try:
                await self._read_page(client, url)
            except httpx2.HTTPError:
                continue
            finally:
                self._queue.task_done()

    async def _read_page(self, client: httpx2.AsyncClient, url: str) -> None:
        if len(self.pages) >= self.limit:
            return
        response = await client.get(url, follow_redirects=True)
        kind = response.headers.get("content-type", "")
        if response.status_code != httpx2.codes.OK or "html" not in kind:
            return
        tree = LexborHTMLParser(response.content)
        links: list[tuple[str, str]] = []
        for node in tree.css("a[href]"):
            target = urldefrag(urljoin(str(response.url), node.attributes.get("href") or ""))[0]
            links.append((target, node.text()))
            if target not in self._seen and urlsplit(target).netloc == urlsplit(self.root).netloc:
                self._seen.add(target)
                self._queue.put_nowait(target)
        self.pages[url] = (tree.body.text() if tree.body else "", links)


def crawl(root: str, limit: int) -> CrawlOutcome:
    """Crawl one site, up to `limit` pages."""
    loop = BareLoop(root, limit)
    start = time.perf_counter()
    asyncio.run(loop.run())
    seconds = time.perf_counter() - start
    return CrawlOutcome(
        len(loop.pages), sum(len(links) for _, links in loop.pages.values()), seconds
    )


if __name__ == "__main__":
    crawl(sys.argv[1], int(sys.argv[2])).print_json()
