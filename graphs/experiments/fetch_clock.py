"""How long each session of a trial waits for pages that nobody had fetched before.

Only the graph that asks first waits for them, so these seconds are told apart from the others.
"""

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf

from forager.budget import current_meter
from forager.domain.actions import ApiRequest
from forager.domain.documents import OpenedPage
from forager.domain.state import SubQuestion
from forager.domain.survey import Hit, Ranking, SiteSurvey, TermStatistics
from forager.ports import Web


class FetchClock:
    """The spans of time in which each session fetched something over the network."""

    def __init__(self) -> None:
        self._spans: dict[str, list[tuple[float, float]]] = defaultdict(list)

    def seconds_of(self, session: str) -> float:
        """The seconds in which a session fetched at least one page."""
        seconds, free = 0.0, -inf
        for began, end in sorted(self._spans[session]):
            seconds += max(0.0, end - max(began, free))
            free = max(free, end)
        return seconds

    @contextmanager
    def timed(self, session: str) -> Iterator[None]:
        """Count the time of the body if it fetches a page."""
        meter, began = current_meter(), time.perf_counter()
        before = meter.pages_fetched
        try:
            yield
        finally:
            if meter.pages_fetched > before:
                self._spans[session].append((began, time.perf_counter()))


@dataclass(frozen=True)
class TimedWeb:
    """The pages and sites of a session, whose fetches a clock counts."""

    web: Web
    clock: FetchClock
    session: str

    async def open(self, url: str) -> OpenedPage:
        """As `Web.open`."""
        with self.clock.timed(self.session):
            return await self.web.open(url)

    async def send(self, request: ApiRequest) -> OpenedPage:
        """As `Web.send`."""
        with self.clock.timed(self.session):
            return await self.web.send(request)

    async def survey(self, site: str, pages: int, seeds: Sequence[str] = ()) -> SiteSurvey:
        """As `Web.survey`."""
        with self.clock.timed(self.session):
            return await self.web.survey(site, pages, seeds)

    async def term_statistics(self, site: str, text: str) -> TermStatistics:
        """As `Web.term_statistics`."""
        return await self.web.term_statistics(site, text)

    async def rank(
        self,
        question: str,
        parts: Sequence[SubQuestion],
        top: int,
        method: Ranking = "hybrid",
        also: Sequence[str] = (),
    ) -> tuple[Hit, ...]:
        """As `Web.rank`."""
        return await self.web.rank(question, parts, top, method, also)
