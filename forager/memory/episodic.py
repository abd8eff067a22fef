"""Episodes, found by their page, or by how like their question is (Mango, arXiv 2604.18779)."""

import time
from collections.abc import Sequence

from forager.domain.experience import Episode, Recalled
from forager.domain.urls import identity
from forager.memory.chroma import Chroma
from forager.memory.collection import About, Collection, Record, Where
from forager.memory.likeness import embedded, layout, likeness
from forager.memory.shelf import DAY, hosted, legible
from forager.memory.vectors import NamedEmbedder

NEAREST = 40
"""Episodes that are looked at; several are of one question."""
HALVES = 4.0
"""So often does an episode lose half its weight before it is forgotten."""
SAME = 1.0


class Episodic:
    """A Shelf of episodes with the embeddings of their questions. Raises StoreError, ModelError."""

    def __init__(self, chroma: Chroma, embedder: NamedEmbedder, days: float) -> None:
        """After `days` episodes are forgotten."""
        self._chroma = chroma
        self._embedder = embedder
        self._half = days / HALVES * DAY

    @property
    def collection(self) -> Collection:
        """Where they are kept."""
        return self._chroma.collection("episodes", f"question-1 {layout(self._embedder)}")

    def keep(self, episodes: Sequence[Episode]) -> None:
        """Keep them, in place of those with the same ids."""
        if episodes:
            vectors = embedded(self._embedder, [each.question for each in episodes])
            self.collection.upsert([_record(each) for each in episodes], vectors)

    def read(self, record: Record) -> Episode:
        """Raises ValidationError."""
        return Episode.model_validate_json(record.text)

    def delete(self, ids: Sequence[str]) -> None:
        """Let go of those that are there."""
        self.collection.delete(ids)

    def alike(
        self, question: str, sites: Sequence[str] = (), url: str = "", count: int = NEAREST
    ) -> tuple[Recalled, ...]:
        """Those of a page, if one is named; else those of like questions, on any site if none is.

        The weightiest come first; of a page also those whose questions are nothing alike.
        """
        [vector] = embedded(self._embedder, [question])
        hosts = sorted({hosted(site) for site in sites})
        where: Where | None = {"host": {"$in": hosts}} if hosts else None
        if url:
            where = {"url": identity(url)}
        now = time.time()
        found: list[Recalled] = []
        for match in self.collection.nearest(vector, count, where):
            for episode in legible(self, [match.record]):
                alike = likeness(question, episode.question, match.score)
                fresh = 0.5 ** (max(now - episode.time, 0.0) / self._half)
                if alike or url:
                    why = _why(episode, alike, now, url)
                    found.append(Recalled(episode=episode, likeness=alike, fresh=fresh, why=why))
        return tuple(sorted(found, key=lambda each: (-each.weight, -each.episode.time)))


def _record(episode: Episode) -> Record:
    about: About = {
        "host": hosted(episode.site or episode.url),
        "url": identity(episode.url),
        "session": episode.session,
        "time": episode.time,
    }
    return Record(episode.id, episode.model_dump_json(), about)


def _why(episode: Episode, alike: float, now: float, url: str) -> str:
    """In a few words."""
    if alike == SAME:
        question = "the same question"
    elif alike:
        question = f"a like question ({alike:.2f})"
    else:
        question = "another question"
    place = "on this page" if url else f"on {hosted(episode.site or episode.url)}"
    return f"{question}, {place}, {ago(now - episode.time)}"


def ago(seconds: float) -> str:
    """How long ago, in words."""
    for unit, length in (("day", DAY), ("hour", 3600.0), ("minute", 60.0)):
        if (count := int(seconds // length)) >= 1:
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"
