"""Scrapy as a crawler: text and links of every page of a site."""

import sys
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urldefrag, urlsplit

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response, TextResponse

from bench.survey.crawlers.outcome import CrawlOutcome

SETTINGS = {
    "LOG_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "CONCURRENT_REQUESTS": 16,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
    "DOWNLOAD_DELAY": 0,
    "ROBOTSTXT_OBEY": True,
    "DEPTH_PRIORITY": 1,
    "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
    "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
}


class Spider(scrapy.Spider):
    """Crawls one host breadth first."""

    name = "site"

    def __init__(self, root: str, limit: int, **values: Any) -> None:
        super().__init__(**values)
        self.start_urls = [root]
        self.allowed_domains = [urlsplit(root).hostname or ""]
        self.host = urlsplit(root).netloc
        self.limit = limit
        self.pages: dict[str, tuple[str, list[tuple[str, str]]]] = {}

    def parse(self, response: Response, **_: Any) -> Iterator[scrapy.Request]:
        if not isinstance(response, TextResponse) or len(self.pages) >= self.limit:
            return
        links: list[tuple[str, str]] = []
        for node in response.css("a[href]"):
            target = urldefrag(response.urljoin(node.attrib["href"]))[0]
            links.append((target, "".join(node.css("::text").getall())))
        self.pages[response.url] = ("".join(response.css("body ::text").getall()), links)
        for target in dict.fromkeys(target for target, _ in links):
            if urlsplit(target).netloc == self.host:
                yield scrapy.Request(target, self.parse)


def crawl(root: str, limit: int) -> CrawlOutcome:
    """Crawl one site, up to `limit` pages."""
    process = CrawlerProcess(SETTINGS)
    crawler = process.create_crawler(Spider)
    start = time.perf_counter()
    process.crawl(crawler, root=root, limit=limit)
    process.start()
    seconds = time.perf_counter() - start
    spider = crawler.spider
    pages = spider.pages if isinstance(spider, Spider) else {}
    return CrawlOutcome(len(pages), sum(len(links) for _, links in pages.values()), seconds)


if __name__ == "__main__":
    crawl(sys.argv[1], int(sys.argv[2])).print_json()
