"""Episodes, found by page or by similarity of the question (Mango, arXiv 2604.18779)."""

import hashlib
import time
from collections.abc import Sequence

import numpy as np

from forager.adapters.memory.chroma import Chroma
from forager.adapters.memory.collection import (
    DAY,
    Collection,
    Metadata,
    Record,
    Where,
    address_host,
    read_legible,
)
from forager.adapters.memory.embeddings.vector_cache import NamedEmbedder, normalize_rows
from forager.domain.experience import Episode, Recalled
from forager.domain.urls import page_identity
from forager.ports import Vectors
from forager.text.tokens import keywords

END_MARKS = " \t?!.。？！"
UNRELATED = 0.3
"""MiniLM cosine below which questions count as unrelated: 99 of 100 pairs on different sites lie
below it, half of the pairs on one site above."""
MAX_UNEQUAL = 0.9
"""The highest similarity of different questions, which may differ in one word only."""
HASH_DIMENSIONS = 384


def fold_question(question: str) -> str:
    """The question without case, extra spaces and final punctuation."""
    return " ".join(question.casefold().split()).strip(END_MARKS)


def question_similarity(asked: str, before: str, cosine: float) -> float:
    """1 for the same question, 0 for an unrelated one, at most MAX_UNEQUAL for any other."""
    if fold_question(asked) == fold_question(before):
        return 1.0
    return MAX_UNEQUAL * float(np.clip((cosine - UNRELATED) / (1.0 - UNRELATED), 0.0, 1.0))


def vector_layout(embedder: NamedEmbedder) -> str:
    """The name of the method by which `embed_texts` makes vectors."""
    return embedder.name if embedder.available else "words"


def embed_texts(embedder: NamedEmbedder, texts: Sequence[str]) -> Vectors:
    """One row of length 1 per text, from hashed words if there is no embedder.

    Raises ModelError, StoreError.
    """
    return embedder.embed(texts) if embedder.available else hash_vectors(texts)


def hash_vectors(texts: Sequence[str]) -> Vectors:
    """Signed feature hashing: each index term adds 1 or -1 to one of 384 dimensions.

    The rows are scaled to length 1. A text without terms is hashed as a whole.
    """
    found = np.zeros((len(texts), HASH_DIMENSIONS), np.float32)
    for row, text in enumerate(texts):
        for term in keywords(text) or (fold_question(text),):
            key = int.from_bytes(hashlib.blake2b(term.encode(), digest_size=8).digest(), "big")
            found[row, key // 2 % HASH_DIMENSIONS] += 1.0 if key % 2 else -1.0
        if not found[row].any():
            found[row, 0] = 1.0
    return normalize_rows(found)


MAX_CANDIDATES = 40
"""Episodes that a search reads; several may belong to one question."""
HALF_LIVES = 4.0
"""How often an episode's weight halves before it is forgotten."""
SAME = 1.0


class Episodic:
    """A Shelf of episodes with embeddings of their questions. Raises StoreError, ModelError."""

    def __init__(self, chroma: Chroma, embedder: NamedEmbedder, days: float) -> None:
        """`days`: the age at which episodes are forgotten."""
        self._chroma = chroma
        self._embedder = embedder
        self._half = days / HALF_LIVES * DAY

    @property
    def collection(self) -> Collection:
        """The collection of episodes."""
        return self._chroma.open_collection(
            "episodes", f"question-1 {vector_layout(self._embedder)}"
        )

    def keep(self, episodes: Sequence[Episode]) -> None:
        """Store episodes; replaces those with the same ids."""
        if episodes:
            vectors = embed_texts(self._embedder, [each.question for each in episodes])
            self.collection.upsert([_episode_record(each) for each in episodes], vectors)

    def read(self, record: Record) -> Episode:
        """The episode in a record. Raises ValidationError."""
        return Episode.model_validate_json(record.text)

    def delete(self, ids: Sequence[str]) -> None:
        """Delete the episodes with these ids, if they exist."""
        self.collection.delete(ids)

    def find_similar(
        self, question: str, sites: Sequence[str] = (), url: str = "", count: int = MAX_CANDIDATES
    ) -> tuple[Recalled, ...]:
        """Episodes of the page `url`, or of similar questions on `sites` (without any: everywhere).

        Sorted by falling weight. Those of a page are found even if their questions are unrelated.
        """
        [vector] = embed_texts(self._embedder, [question])
        hosts = sorted({address_host(site) for site in sites})
        where: Where | None = {"host": {"$in": hosts}} if hosts else None
        if url:
            where = {"url": page_identity(url)}
        now = time.time()
        found: list[Recalled] = []
        for match in self.collection.find_nearest(vector, count, where):
            for episode in read_legible(self, [match.record]):
                similarity = question_similarity(question, episode.question, match.score)
                fresh = 0.5 ** (max(now - episode.time, 0.0) / self._half)
                if similarity or url:
                    why = _explain_recall(episode, similarity, now, url)
                    found.append(
                        Recalled(episode=episode, likeness=similarity, fresh=fresh, why=why)
                    )
        return tuple(sorted(found, key=lambda each: (-each.weight, -each.episode.time)))


def _episode_record(episode: Episode) -> Record:
    about: Metadata = {
        "host": address_host(episode.site or episode.url),
        "url": page_identity(episode.url),
        "session": episode.session,
        "time": episode.time,
    }
    return Record(episode.id, episode.model_dump_json(), about)


def _explain_recall(episode: Episode, similarity: float, now: float, url: str) -> str:
    """Why an episode was recalled, in a few words."""
    if similarity == SAME:
        question = "the same question"
    elif similarity:
        question = f"a similar question ({similarity:.2f})"
    else:
        question = "another question"
    place = "on this page" if url else f"on {address_host(episode.site or episode.url)}"
    return f"{question}, {place}, {describe_age(now - episode.time)}"


def describe_age(seconds: float) -> str:
    """An age in words, such as "2 days ago"."""
    for name, length in (("day", DAY), ("hour", 3600.0), ("minute", 60.0)):
        if (count := int(seconds // length)) >= 1:
            return f"{count} {name}{'s' if count > 1 else ''} ago"
    return "just now"
