"""How long each session of a trial waits for what no cache has: pages, their vectors and ratings.

Only the graph that asks first waits for them, so these seconds are told apart from the others.
"""

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf

from forager.adapters.memory.embeddings.vector_cache import CachedEmbedder, NamedEmbedder
from forager.budget import current_meter
from forager.domain.actions import ApiRequest
from forager.domain.documents import OpenedPage
from forager.domain.state import SubQuestion
from forager.domain.survey import Hit, Ranking, SiteSurvey, TermStatistics
from forager.ports import RatedPassage, Rater, ReadTokens, Vectors, Web


class FetchClock:
    """The spans of time in which each session fetched pages, or embedded or rated texts.

    `session` is the one that asks now; sessions of a trial run one after the other.
    """

    def __init__(self) -> None:
        self.session = ""
        self._spans: dict[str, list[tuple[float, float]]] = defaultdict(list)

    def seconds_of(self, session: str) -> float:
        """The seconds in which a session did at least one of both."""
        seconds, free = 0.0, -inf
        for began, end in sorted(self._spans[session]):
            seconds += max(0.0, end - max(began, free))
            free = max(free, end)
        return seconds

    @contextmanager
    def fetching(self, session: str) -> Iterator[None]:
        """Count the time of the body if it fetches a page."""
        meter, began = current_meter(), time.perf_counter()
        before = meter.pages_fetched
        try:
            yield
        finally:
            if meter.pages_fetched > before:
                self._spans[session].append((began, time.perf_counter()))

    @contextmanager
    def embedding(self) -> Iterator[None]:
        """Count the time of the body."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self._spans[self.session].append((began, time.perf_counter()))


class TimedEmbedder:
    """An embedder below its cache: it embeds only what the cache has not."""

    def __init__(self, inner: NamedEmbedder, clock: FetchClock) -> None:
        self.inner = inner
        self.rater = inner.rater
        self.matcher = inner.matcher
        self.available = inner.available
        self.name = inner.name
        self._clock = clock

    def embed(self, texts: Sequence[str]) -> Vectors:
        """As `Embedder.embed`."""
        with self._clock.embedding():
            return self.inner.embed(texts)


@dataclass(frozen=True)
class TimedRater:
    """A rater, which keeps its ratings: who asks again waits for none."""

    inner: Rater
    clock: FetchClock

    def rate(self, question: str, passages: Sequence[RatedPassage]) -> Vectors:
        """As `Rater.rate`."""
        with self.clock.embedding():
            return self.inner.rate(question, passages)

    def read(self, question: str, passages: Sequence[RatedPassage]) -> list[ReadTokens]:
        """As `Rater.read`."""
        with self.clock.embedding():
            return self.inner.read(question, passages)


def time_embedder(cache: CachedEmbedder, clock: FetchClock) -> None:
    """Let the clock count what the embedder behind a cache does, and its rater; once."""
    if isinstance(cache.inner, TimedEmbedder):
        return
    cache.inner = TimedEmbedder(cache.inner, clock)
    cache.rater = cache.rater and TimedRater(cache.rater, clock)


@dataclass(frozen=True)
class TimedWeb:
    """The pages and sites of a session, whose fetches a clock counts."""

    web: Web
    clock: FetchClock
    session: str

    async def open(self, url: str) -> OpenedPage:
        """As `Web.open`."""
        with self.clock.fetching(self.session):
            return await self.web.open(url)

    async def send(self, request: ApiRequest) -> OpenedPage:
        """As `Web.send`."""
        with self.clock.fetching(self.session):
            return await self.web.send(request)

    async def survey(self, site: str, pages: int, seeds: Sequence[str] = ()) -> SiteSurvey:
        """As `Web.survey`."""
        with self.clock.fetching(self.session):
            return await self.web.survey(site, pages, seeds)

    def hurry(self, text: str) -> None:
        """As `Web.hurry`."""
        self.web.hurry(text)

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
