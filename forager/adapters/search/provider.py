"""What a search provider is to the chain that asks it."""

from collections.abc import Awaitable, Callable, Iterable
from typing import NamedTuple, Protocol

from pydantic import JsonValue

from forager.domain import urls
from forager.domain.urls import site_host
from forager.errors import SearchError


class ResultRow(NamedTuple):
    """A page in a provider's own words."""

    url: str
    title: str
    snippet: str


class ResultRows(NamedTuple):
    """What a provider gave, the best first, and what else it said."""

    rows: tuple[ResultRow, ...] = ()
    note: str = ""


class Provider(Protocol):
    """Searches in one place. `crawled`: its pages were fetched before, past the guard."""

    name: str
    crawled: bool

    async def find_rows(self, query: str, count: int, site: str) -> ResultRows:
        """About `count` pages; `site` is a canonical address or empty. Raises SearchError."""

    async def aclose(self) -> None:
        """Release connections and files."""


def parse_rows(
    items: Iterable[JsonValue], url: str, title: str, snippet: str
) -> tuple[ResultRow, ...]:
    """Rows from objects with these keys; what is no object, or has no address, is left out."""
    objects = (item for item in items if isinstance(item, dict))
    rows = (
        ResultRow(*(_text_or_empty(item.get(key)) for key in (url, title, snippet)))
        for item in objects
    )
    return tuple(row for row in rows if row.url)


def _text_or_empty(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""


def site_domain(site: str) -> str:
    """The host of a site as search engines know it; with its port where that is not the usual."""
    name, port = site_host(urls.canonical_url(site))
    return name if port is None else f"{name}:{port}"


def limit_query(query: str, site: str, characters: int = 400, words: int = 50) -> str:
    """The query with the operator `site:`, cut to what search engines take."""
    operator = f" site:{site_domain(site)}" if site else ""
    cut = " ".join(query.split()[: words - bool(operator)])
    return cut[: characters - len(operator)].rstrip() + operator


async def collect_pages(
    page: Callable[[int], Awaitable[tuple[ResultRow, ...]]], count: int, most: int
) -> ResultRows:
    """Pages of results, numbered from 0, until there are `count`, or no new ones come."""
    rows: dict[str, ResultRow] = {}
    for number in range(most):
        try:
            more = await page(number)
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
