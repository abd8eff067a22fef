"""Records with their vectors in a collection of Chroma."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from forager.adapters.memory.owner_client import OwnerGoneError
from forager.ports import Vectors

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection as Inner

    from forager.adapters.memory.owner_client import OwnerCollection

BATCH_SIZE = 500
"""Records that are written or deleted per call; larger batches are no faster."""

Metadata = Mapping[str, str | int | float | bool]
Where = Mapping[str, Any]
"""A filter in Chroma's form: {"site": "…"}, {"time": {"$lt": 5.0}}, {"$and": […]}."""


@dataclass(frozen=True)
class Record:
    """A text stored under an id, and `about` it the metadata for filters."""

    id: str
    text: str = ""
    about: Metadata = field(default_factory=dict)


@dataclass(frozen=True)
class Match:
    """A record and its similarity to the query: the cosine, or the inner product."""

    record: Record
    score: float


Result = TypeVar("Result")


class Call(Protocol):
    """Runs a call of Chroma. Raises StoreError."""

    def __call__(self, work: Callable[[], Result], /) -> Result: ...


class Collection:
    """A collection of Chroma, here or in another process; safe for threads.

    Every method raises StoreError.
    """

    def __init__(self, open_inner: "Callable[[], Inner | OwnerCollection]", call: Call) -> None:
        """`open_inner` opens it, and opens it anew if its process ends. Raises StoreError."""
        self._open_inner = open_inner
        self._inner: Any = open_inner()
        self._call = call

    @property
    def id(self) -> str:
        """The id, which changes when the collection is created again."""
        return str(self._inner.id)

    def count(self) -> int:
        """The number of records."""
        return int(self._run("count"))

    def upsert(self, records: Sequence[Record], vectors: Vectors) -> None:
        """Store records with one row of `vectors` each; replaces those with the same ids."""
        rows = {record.id: (record, row) for record, row in zip(records, vectors, strict=True)}
        unique = list(rows.values())
        for start in range(0, len(unique), BATCH_SIZE):
            part = unique[start : start + BATCH_SIZE]
            self._run(
                "upsert",
                ids=[record.id for record, _ in part],
                embeddings=np.stack([row for _, row in part]).astype(np.float32),
                metadatas=[{**record.about, TEXT: record.text} for record, _ in part],
            )

    def find_nearest(
        self, vector: Vectors, count: int, where: Where | None = None, *, texts: bool = True
    ) -> tuple[Match, ...]:
        """The `count` records nearest to a vector of shape (dimensions,), nearest first.

        Without `texts` the records hold their ids alone, which is faster.
        """
        found = self._run(
            "query",
            query_embeddings=np.asarray(vector, np.float32)[None],
            n_results=count,
            where=dict(where) if where else None,
            include=["metadatas", "distances"] if texts else ["distances"],
        )
        [ids], [distances] = found["ids"], found["distances"] or [[]]
        [about] = found["metadatas"] if texts and found["metadatas"] else [[{}] * len(ids)]
        return tuple(
            Match(_make_record(id, each), 1.0 - distance)
            for id, each, distance in zip(ids, about, distances, strict=True)
        )

    def get(
        self, ids: Sequence[str] | None = None, where: Where | None = None, limit: int | None = None
    ) -> tuple[Record, ...]:
        """The records with these ids, or that match the filter, or all; in no order."""
        if ids is not None and not ids:
            return ()
        found = self._run(
            "get",
            ids=None if ids is None else list(ids),
            where=dict(where) if where else None,
            limit=limit,
            include=["metadatas"],
        )
        about = found["metadatas"] or []
        return tuple(_make_record(id, each) for id, each in zip(found["ids"], about, strict=True))

    def delete(self, ids: Sequence[str]) -> None:
        """Delete the records with these ids, if they exist."""
        for start in range(0, len(ids), BATCH_SIZE):
            self._run("delete", ids=list(ids[start : start + BATCH_SIZE]))

    def _run(self, method: str, **arguments: Any) -> Any:
        """Call a method of Chroma's collection; once more if the process that has it ends."""
        try:
            return self._call(partial(getattr(self._inner, method), **arguments))
        except OwnerGoneError:
            self._inner = self._open_inner()
            return self._call(partial(getattr(self._inner, method), **arguments))


TEXT = "text"
"""The metadata key of a record's text. Chroma's documents would be indexed by trigrams, unused."""


def _make_record(id: str, about: Mapping[str, Any]) -> Record:
    rest = {name: value for name, value in about.items() if name != TEXT}
    return Record(id, str(about.get(TEXT, "")), rest)
