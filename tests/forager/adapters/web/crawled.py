"""Pages to crawl, and the paths of crawled pages."""

from forager.adapters.web.crawl.site_maps import CrawlMap
from tests.servers import Site


def make_page(title: str, *links: str, words: str = "") -> str:
    """HTML of a page with a title, some words and links."""
    anchors = " ".join(f"<a href='{link}'>to {link}</a>" for link in links)
    return f"<title>{title}</title><h1>{title}</h1><p>{words or title * 3}</p><p>{anchors}</p>"


def page_paths(found: CrawlMap, site: Site) -> list[str]:
    """The paths of the pages of a map."""
    return [one.url.removeprefix(site.url("")) for one in found.pages]
