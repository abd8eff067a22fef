"""Fetches pages, or surveys a site, in a process of its own: SETTINGS VERB URL…

SETTINGS are JSON. The verb is `polite`: fetch these pages, with the pauses of a public host; or
`survey`: map the site. Prints a line when it begins, and the number of pages it fetched.
"""

import asyncio
import json
import sys
from collections.abc import Sequence
from contextlib import ExitStack, aclosing, closing
from urllib.parse import urlsplit

from forager.adapters.store.blob_store import open_blob_store
from forager.adapters.store.shared_crawls import open_crawls
from forager.adapters.web.fetch.politeness import HostLimiter, Traffic
from forager.adapters.web.library import WebLibrary
from forager.settings import Settings


async def crawl(settings: Settings, verb: str, urls: Sequence[str]) -> int:
    with ExitStack() as stack:
        crawls = stack.enter_context(closing(open_crawls(settings)))
        blobs = stack.enter_context(open_blob_store(settings))
        traffic = Traffic(crawls=crawls)
        async with aclosing(WebLibrary(settings, blobs, traffic=traffic)) as library:
            sys.stdout.write("ready\n")
            sys.stdout.flush()
            sys.stdin.readline()
            if verb == "survey":
                return (await library.survey(urls[0], 100)).fetched
            host = urlsplit(urls[0]).netloc
            public = HostLimiter(host, settings.politeness_seconds, crawls=crawls)
            traffic.hosts[host] = public
            opened = await asyncio.gather(*(library.open(url) for url in urls))
            return sum(not each.cached for each in opened)


if __name__ == "__main__":
    given = Settings(**json.loads(sys.argv[1]))
    sys.stdout.write(f"{asyncio.run(crawl(given, sys.argv[2], sys.argv[3:]))}\n")
