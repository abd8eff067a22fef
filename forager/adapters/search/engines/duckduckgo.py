"""DuckDuckGo through the package ddgs, which parses its result pages and needs no key."""

import asyncio
import re
from collections.abc import Callable
from typing import Any, Protocol

from ddgs import DDGS
from ddgs.exceptions import DDGSException, RatelimitException, TimeoutException

from forager.adapters.search.provider import ResultRows, limit_query, parse_rows
from forager.adapters.search.refusals import ANOTHER_PROVIDER
from forager.errors import SearchError
from forager.settings import Settings

NO_RESULTS = "No results found."
MAX_REASON = 200
CONNECTION_FAILED = re.compile(r"(?:DNS|DNSTimeout|Connect)Error\b")


class DdgsClient(Protocol):
    """The part of ddgs that is used."""

    def text(self, query: str, **options: Any) -> list[dict[str, Any]]:
        """Search. Raises DDGSException, also if nothing is found."""


class DuckDuckGo:
    """https://github.com/deedy5/ddgs. It does not distinguish no results from a rejection."""

    name = "duckduckgo"
    crawled = False

    def __init__(self, settings: Settings, client: Callable[[], DdgsClient] | None = None) -> None:
        self._backends = settings.ddgs_backends
        self._seconds = max(1, round(settings.request_seconds))
        self._client = client or self._open_client

    async def find_rows(self, query: str, count: int, site: str) -> ResultRows:
        """Find pages; see `Provider`. Raises SearchError."""
        return await asyncio.to_thread(self._search_ddgs, limit_query(query, site), count)

    async def aclose(self) -> None:
        """Nothing stays open between searches."""

    def _open_client(self) -> DdgsClient:
        return DDGS(timeout=self._seconds)

    def _search_ddgs(self, query: str, count: int) -> ResultRows:
        from primp import PrimpError

        later = f"Try again later, or {ANOTHER_PROVIDER}"
        try:
            client = self._client()
            found = client.text(query, max_results=count, backend=self._backends)
        except TimeoutException as error:
            raise SearchError(
                f"duckduckgo did not answer within {self._seconds} s.", later
            ) from error
        except RatelimitException as error:
            raise SearchError("duckduckgo limits the request rate.", later) from error
        except (DDGSException, PrimpError) as error:
            if str(error) == NO_RESULTS:
                return ResultRows(note="It found nothing, or it rejected the request.")
            why = " ".join(str(error.args[0]).split())[:MAX_REASON].rstrip(".")
            if CONNECTION_FAILED.match(why):
                raise SearchError(
                    "duckduckgo could not be reached.",
                    f"Check the network, or {ANOTHER_PROVIDER}",
                ) from error
            raise SearchError(f"duckduckgo could not be queried: {why}.", later) from error
        return ResultRows(parse_rows(found, "href", "title", "body"))
