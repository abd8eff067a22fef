"""Snippets, found by facets of the moment at which they were made (Self-MAP, arXiv 2402.15057)."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

from forager.adapters.memory.chroma import Chroma
from forager.adapters.memory.collection import (
    Collection,
    Metadata,
    Record,
    Where,
    address_host,
    read_legible,
)
from forager.adapters.memory.embeddings.vector_cache import NamedEmbedder
from forager.domain.experience import Facets, Moment, Snippet
from forager.experience.facets import (
    MomentCandidate,
    best_of_clusters,
    moment_vectors,
    query_vector,
    snippet_content,
    uses_similarity,
)
from forager.ports import Vectors

LAYOUT = "facets-1"
POOL_SIZE = 90
"""Candidates from Chroma, which are then ranked by their words too."""
EXTRA_CANDIDATES = 50
"""Further candidates if those of one session are left out."""
MAX_CACHED = 20_000
"""Candidates whose moments are cached."""
LOOKBACK_HOURS = (0.1, 1, 24, 30 * 24)
"""The growing periods in which the latest snippets are searched until there are enough."""
HOUR = 3600.0


class Multifaceted:
    """A Shelf of snippets with vectors of their moments. Raises StoreError, ModelError."""

    def __init__(self, chroma: Chroma, embedder: NamedEmbedder) -> None:
        self._chroma = chroma
        self._embedder = embedder
        self._near: dict[str, tuple[MomentCandidate, str]] = {}
        self._of = ""

    @property
    def collection(self) -> Collection:
        """The collection of snippets."""
        method = self._embedder.name if self._embedder.available else "words"
        return self._chroma.open_collection("snippets", f"{LAYOUT} {method}")

    def keep(self, snippets: Sequence[Snippet]) -> None:
        """Store snippets; replaces those with the same ids."""
        if snippets:
            rows = moment_vectors([each.moment for each in snippets], self._embedder)
            self.collection.upsert([_snippet_record(each) for each in snippets], rows)
            self._drop_cached(each.id for each in snippets)

    def read(self, record: Record) -> Snippet:
        """The snippet in a record. Raises ValidationError."""
        return Snippet.model_validate_json(record.text)

    def delete(self, ids: Sequence[str]) -> None:
        """Delete the snippets with these ids, if they exist."""
        self.collection.delete(ids)
        self._drop_cached(ids)

    def find_similar(
        self, moment: Moment, facets: Facets, count: int, apart: str = ""
    ) -> tuple[Snippet, ...]:
        """The best snippet of each of the `count` nearest clusters of equal content, best first.

        Snippets of the session `apart` are left out.
        """
        if facets == "none" or count < 1:
            return ()
        if not uses_similarity(facets):
            return self._latest_snippets(count, apart)
        found = self._candidate_moments(query_vector(moment, facets, self._embedder), apart)
        return self._read_snippets(best_of_clusters(moment, found, facets, count))

    def find_by_instruction(self, text: str, count: int) -> tuple[tuple[Snippet, float], ...]:
        """The snippets whose instruction is most similar to a text, with the similarity."""
        asked = query_vector(Moment(instruction=text), "semantic", self._embedder)
        scores = {each.record.id: each.score for each in self.collection.find_nearest(asked, count)}
        return tuple((each, scores[each.id]) for each in self._read_snippets(list(scores)))

    def _candidate_moments(self, asked: Vectors, apart: str) -> list[MomentCandidate]:
        collection = self.collection
        if collection.id != self._of or len(self._near) > MAX_CACHED:
            self._near, self._of = {}, collection.id
        matches = collection.find_nearest(
            asked, POOL_SIZE + EXTRA_CANDIDATES * bool(apart), texts=False
        )
        unknown = [each.record.id for each in matches if each.record.id not in self._near]
        for snippet in read_legible(self, collection.get(unknown)):
            near = MomentCandidate(snippet.id, snippet.moment, snippet_content(snippet), 0.0)
            self._near[snippet.id] = near, snippet.session
        known = ((each, self._near.get(each.record.id)) for each in matches)
        return [
            replace(pair[0], score=match.score)
            for match, pair in known
            if pair and (not apart or pair[1] != apart)
        ]

    def _latest_snippets(self, count: int, apart: str) -> tuple[Snippet, ...]:
        now = time.time()
        filters: list[Where | None] = [
            {"time": {"$gte": now - each * HOUR}} for each in LOOKBACK_HOURS
        ]
        distinct: dict[tuple[str, ...], Snippet] = {}
        for where in (*filters, None):
            found = read_legible(self, self.collection.get(where=where))
            for each in sorted(found, key=lambda each: (-each.time, each.id)):
                if not apart or each.session != apart:
                    distinct.setdefault(snippet_content(each), each)
            if len(distinct) >= count:
                break
        return tuple(distinct.values())[:count]

    def _read_snippets(self, ids: Sequence[str]) -> tuple[Snippet, ...]:
        found = {each.id: each for each in read_legible(self, self.collection.get(ids))}
        return tuple(found[id] for id in ids if id in found)

    def _drop_cached(self, ids: Iterable[str]) -> None:
        for id in ids:
            self._near.pop(id, None)


def _snippet_record(snippet: Snippet) -> Record:
    about: Metadata = {
        "host": address_host(snippet.moment.site),
        "session": snippet.session,
        "time": snippet.time,
    }
    return Record(snippet.id, snippet.model_dump_json(), about)
