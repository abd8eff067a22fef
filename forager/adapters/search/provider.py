"""The interface of search providers, and helpers that they share."""

from collections.abc import Awaitable, Callable, Iterable
from typing import NamedTuple, Protocol

from pydantic import JsonValue

from forager.domain import urls
from forager.domain.urls import site_host
from forager.errors import SearchError


class ResultRow(NamedTuple):
    """A search result as a provider returns it."""

    url: str
    title: str
    snippet: str


class ResultRows(NamedTuple):
    """The results of a provider, best first, and a note for the user."""

    rows: tuple[ResultRow, ...] = ()
    note: str = ""


class Provider(Protocol):
    """A search engine or index. `crawled` means that its pages were fetched before."""

    name: str
    crawled: bool

    async def find_rows(self, query: str, count: int, site: str) -> ResultRows:
        """Find about `count` pages; `site` is a canonical URL or empty. Raises SearchError."""

    async def aclose(self) -> None:
        """Close connections and files."""


def parse_rows(
    items: Iterable[JsonValue], url: str, title: str, snippet: str
) -> tuple[ResultRow, ...]:
    """Make rows from JSON objects with these keys; skip other values and rows without a URL."""
    objects = (item for item in items if isinstance(item, dict))
    rows = (
        ResultRow(*(_text_or_empty(item.get(key)) for key in (url, title, snippet)))
        for item in objects
    )
    return tuple(row for row in rows if row.url)


def _text_or_empty(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""


def site_domain(site: str) -> str:
    """The host of a site, with its port if that is not the default."""
    name, port = site_host(urls.canonical_url(site))
    return name if port is None else f"{name}:{port}"


def limit_query(query: str, site: str, characters: int = 400, words: int = 50) -> str:
    """Add the operator `site:` to a query and cut it to the limits of search engines."""
    operator = f" site:{site_domain(site)}" if site else ""
    cut = " ".join(query.split()[: words - bool(operator)])
    return cut[: characters - len(operator)].rstrip() + operator


async def collect_pages(
    fetch_page: Callable[[int], Awaitable[tuple[ResultRow, ...]]], count: int, most: int
) -> ResultRows:
    """Request result pages from 0 on until there are `count` results or no new ones.

    At most `most` pages are requested. Raises SearchError if the first one fails.
    """
    rows: dict[str, ResultRow] = {}
    for number in range(most):
        try:
            more = await fetch_page(number)
        except SearchError as error:
            if not rows:
                raise
            return ResultRows(
                tuple(rows.values()), f"More results could not be fetched. {error.what}"
            )
        before = len(rows)
        for row in more:
            rows.setdefault(row.url, row)
        if len(rows) == before or len(rows) >= count:
            break
    return ResultRows(tuple(rows.values()))
