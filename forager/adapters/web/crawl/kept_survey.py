"""A survey as it is kept for other machines: the map, and how each of its pages was fetched."""

from typing import NamedTuple

from pydantic import TypeAdapter

from forager.adapters.web.crawl.site_maps import CrawlMap
from forager.adapters.web.web_database import CachedResponse, PageCache


class KeptSurvey(NamedTuple):
    """The pages themselves are blobs."""

    map: CrawlMap
    responses: tuple[CachedResponse, ...]


ADAPTER = TypeAdapter(KeptSurvey)


def write_survey(found: CrawlMap, cache: PageCache) -> str:
    """A map as JSON, with the responses of its pages. Raises StoreError."""
    responses = cache.list_responses(page.url for page in found.pages)
    return ADAPTER.dump_json(KeptSurvey(found, responses)).decode()


def read_survey(body: str) -> KeptSurvey:
    """The survey that `write_survey` has written."""
    return ADAPTER.validate_json(body)
