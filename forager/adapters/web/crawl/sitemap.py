"""Sitemaps (sitemaps.org): the URLs that a site lists itself."""

import html
import re
import zlib

from forager.adapters.web.fetch.fetcher import Fetcher
from forager.browsing.safety.address_verbs import link_side_effect
from forager.domain import urls
from forager.domain.urls import same_site
from forager.errors import WebError

LOCATION = re.compile(
    rb"<(?:\w+:)?loc>\s*(?:<!\[CDATA\[)?\s*(.*?)\s*(?:\]\]>)?\s*</(?:\w+:)?loc>", re.S
)
MAX_FILES = 20
MAX_UNPACKED = 50_000_000
GZIP = b"\x1f\x8b"


def parse_sitemap(body: bytes) -> tuple[list[str], bool]:
    """Return the URLs in a sitemap or a plain list, and whether they are sitemaps themselves."""
    index = b"<sitemapindex" in body[:2000]
    if b"<" not in body[:200]:
        lines = body.decode("utf-8", "replace").split()
        return [line for line in lines if line.startswith(("http://", "https://"))], False
    found = LOCATION.findall(body)
    return [html.unescape(address.decode("utf-8", "replace")) for address in found], index


def unpack_body(body: bytes) -> bytes:
    """Decompress a sitemap if it is gzipped; cut at MAX_UNPACKED bytes, empty if damaged."""
    if not body.startswith(GZIP):
        return body
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(body, MAX_UNPACKED)
    except zlib.error:
        return b""


async def read_sitemaps(fetcher: Fetcher, root: str, most: int) -> list[str]:
    """The pages of a site in its sitemaps, at most `most`; empty without a sitemap."""
    named = (await fetcher.robots_rules(root)).sitemaps()
    queue = [url for url in (urls.resolve_link(root, name) for name in named) if url]
    queue = queue or [urls.resolve_link(root, "/sitemap.xml") or root]
    pages: dict[str, None] = {}
    for number, url in enumerate(queue):
        if number >= MAX_FILES or len(pages) >= most:
            break
        if link_side_effect(url):
            continue
        try:
            body = await fetcher.fetch_sitemap(url)
        except WebError:
            continue  # the crawl works without a sitemap
        found, index = parse_sitemap(unpack_body(body))
        known = [address for address in (urls.resolve_link(url, name) for name in found) if address]
        if index:
            queue.extend(address for address in known if address not in queue)
        else:
            pages.update(dict.fromkeys(known))
    fit = (url for url in pages if same_site(root, url) and urls.looks_like_page(url))
    return list(fit)[:most]
