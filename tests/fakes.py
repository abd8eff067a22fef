"""One hand-written fake per port: replies are scripted, calls are recorded."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from zlib import crc32

import numpy as np
from pydantic import BaseModel

from forager.domain.actions import ApiRequest
from forager.domain.documents import Document, OpenedPage
from forager.domain.state import SubQuestion
from forager.domain.survey import (
    Hit,
    Ranking,
    SearchResult,
    SearchResults,
    SiteSurvey,
    TermStatistics,
)
from forager.errors import MissingBlobError, ModelError, SearchError, StatusError, WebError
from forager.ports import (
    BlobKind,
    Embedder,
    Matcher,
    RatedPassage,
    Rater,
    ReadTokens,
    Reply,
    Task,
    Vectors,
)
from forager.text.tokens import tokenize

DIMENSIONS = 64
FETCHED = 1_700_000_000.0


class ScriptedModel:
    """Gives the replies of a queue; when it is empty, the tasks answer by their own rules."""

    name = "scripted"

    def __init__(self, *replies: BaseModel, embedder: Embedder | None = None) -> None:
        self.replies = deque(replies)
        self.asked: list[Task[BaseModel]] = []
        self._embedder = embedder or FakeEmbedder()

    async def ask(self, task: Task[Reply]) -> Reply:
        self.asked.append(task)  # type: ignore[arg-type]
        if not self.replies:
            return task.offline(self._embedder)
        reply = self.replies.popleft()
        if not isinstance(reply, task.REPLY):
            raise ModelError(f"The script has {reply!r} for a task of the {task.ROLE}.")
        return reply  # type: ignore[return-value]


class FakeRater:
    """Gives `log_odds` to the passages with a word, or without any to all, and -4 to the others;
    reads no words that answer, and notes what it was asked."""

    def __init__(self, log_odds: float, word: str = "") -> None:
        self.log_odds = log_odds
        self.word = word
        self.asked: list[RatedPassage] = []

    def rate(self, question: str, passages: Sequence[RatedPassage]) -> Vectors:
        self.asked += passages
        rated = [self.log_odds if self.word in each.text else -4.0 for each in passages]
        return np.array(rated, np.float32)

    def read(self, question: str, passages: Sequence[RatedPassage]) -> list[ReadTokens]:
        none = ReadTokens(np.zeros((0, 2), np.int32), np.zeros((0, 3), np.float32))
        return [none] * len(passages)


class FakeEmbedder:
    """Counts words into a few hashed dimensions; where not available, to be asked is a fault."""

    def __init__(
        self,
        *,
        available: bool = False,
        rater: Rater | None = None,
        matcher: Matcher | None = None,
    ) -> None:
        self.available = available
        self.rater = rater
        self.matcher = matcher
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not self.available:
            raise ModelError("There is no embedder.")
        self.asked += texts
        vectors = np.full((len(texts), DIMENSIONS), 0.01, np.float32)
        for row, text in enumerate(texts):
            for term in tokenize(text):
                vectors[row, crc32(term.encode()) % DIMENSIONS] += 1
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


class MemoryBlobs:
    """Bytes in a dictionary."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def put(self, data: bytes, kind: BlobKind = "document") -> str:
        digest = sha256(data).hexdigest()
        self.kept[digest] = data
        return digest

    def get(self, digest: str) -> bytes:
        if digest not in self.kept:
            raise MissingBlobError(f"Blob {digest[:12]} is not in the store.")
        return self.kept[digest]

    def find_missing(self, digests: Iterable[str]) -> frozenset[str]:
        return frozenset(digests) - self.kept.keys()


class FakeWeb:
    """The documents of a dictionary; `down` names the sites that do not answer."""

    def __init__(
        self,
        blobs: MemoryBlobs,
        documents: Iterable[Document] = (),
        *,
        hits: Sequence[Hit] = (),
        terms: Mapping[str, TermStatistics] | None = None,
        down: Mapping[str, WebError] | None = None,
    ) -> None:
        self.documents = {document.url: document for document in documents}
        self.hits = tuple(hits)
        self.known = dict(terms or {})
        self.down = dict(down or {})
        self.opened: list[str] = []
        self.sent: list[ApiRequest] = []
        self.surveyed: list[tuple[str, int]] = []
        self.seeded: list[str] = []
        self.ranked: list[SubQuestion] = []
        self.rankings: list[tuple[str, int, Ranking]] = []
        self._blobs = blobs

    async def open(self, url: str) -> OpenedPage:
        self.opened.append(url)
        document = self.documents.get(url)
        if document is None:
            raise StatusError(f"{url} answered 404.", "Check the address.", status=404)
        blob = self._blobs.put(document.model_dump_json().encode())
        cached = self.opened.count(url) > 1
        return OpenedPage(document=document, blob=blob, cached=cached, fetched=FETCHED)

    async def send(self, request: ApiRequest) -> OpenedPage:
        self.sent.append(request)
        return await self.open(request.url)

    async def survey(self, site: str, pages: int, seeds: Sequence[str] = ()) -> SiteSurvey:
        self.surveyed.append((site, pages))
        self.seeded += seeds
        if site in self.down:
            raise self.down[site]
        there = [url for url in self.documents if url.startswith(site)]
        return SiteSurvey(site=site, pages=min(len(there), pages))

    def hurry(self, text: str) -> None:
        self.hurried = text

    async def term_statistics(self, site: str, text: str) -> TermStatistics:
        return self.known.get(site, TermStatistics())

    async def rank(
        self,
        question: str,
        parts: Sequence[SubQuestion],
        top: int,
        method: Ranking = "hybrid",
        also: Sequence[str] = (),
    ) -> tuple[Hit, ...]:
        self.ranked += parts
        self.rankings.append((question, top, method))
        return self.hits


class FakeSearch:
    """Gives the addresses of a dictionary by query, or the same to all, and its notes with them.

    `away` fails every search.
    """

    def __init__(
        self,
        *urls: str,
        by_query: Mapping[str, Sequence[str]] | None = None,
        away: SearchError | None = None,
        notes: tuple[str, ...] = (),
    ) -> None:
        self.asked: list[tuple[str, int, str]] = []
        self._urls = urls
        self._by_query = dict(by_query or {})
        self._away = away
        self._notes = notes

    async def search(self, query: str, count: int, site: str = "") -> SearchResults:
        self.asked.append((query, count, site))
        if self._away:
            raise self._away
        found = [url for url in self._by_query.get(query, self._urls) if url.startswith(site)]
        return SearchResults(
            results=tuple(
                SearchResult(url=url, title=url, snippet="", rank=rank, source="fake")
                for rank, url in enumerate(found[:count], start=1)
            ),
            notes=self._notes,
        )
