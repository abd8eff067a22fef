"""Records with their vectors in a collection of Chroma, and how both kinds of memory keep theirs.

A shelf is a collection whose records are found by site, session and age: the metadata of each has
`host`, `session` and `time` (seconds since the epoch).
"""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar
from urllib.parse import urlsplit

import numpy as np
from pydantic import ValidationError

from forager.adapters.memory.owner_client import OwnerGoneError
from forager.domain.base import Frozen
from forager.domain.urls import site_host
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


DAY = 24 * 3600.0
PRUNE_TO = 0.95
"""A full memory is pruned to this share of its limit, so that the next item does not prune again.
"""
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)

Kept_co = TypeVar("Kept_co", bound=Frozen, covariant=True)


class Shelf(Protocol[Kept_co]):
    """One kind of memory. Every method raises StoreError."""

    @property
    def collection(self) -> Collection:
        """The collection of this kind."""

    def read(self, record: Record) -> Kept_co:
        """The item in a record. Raises ValidationError."""

    def delete(self, ids: Sequence[str]) -> None:
        """Delete the items with these ids, if they exist."""


class ShelfUpkeep(Generic[Kept_co]):
    """Lists, counts, deletes and prunes the items of a shelf."""

    def __init__(self, shelf: Shelf[Kept_co]) -> None:
        self._shelf = shelf

    def list_newest(self, site: str = "") -> tuple[Kept_co, ...]:
        """All items, or those of one site, newest first."""
        where = {"host": address_host(site)} if site else None
        records = self._shelf.collection.get(where=where)
        return read_legible(
            self._shelf, sorted(records, key=lambda each: (-learned_at(each), each.id))
        )

    def count_by_site(self) -> dict[str, int]:
        """The number of items of each site, by its host."""
        found: dict[str, int] = {}
        for record in self._shelf.collection.get():
            name = str(record.about.get("host", ""))
            found[name] = found.get(name, 0) + 1
        return found

    def forget_matching(self, ids: Sequence[str], site: str = "", session: str = "") -> int:
        """Delete items by id, of a site and of a session; returns their number."""
        collection = self._shelf.collection
        wanted = {record.id for record in collection.get(ids)}
        filters: list[Where] = [{"host": address_host(site)}] if site else []
        filters += [{"session": session}] if session else []
        for each in filters:
            wanted.update(record.id for record in collection.get(where=each))
        self._shelf.delete(sorted(wanted))
        return len(wanted)

    def forget_all(self) -> int:
        """Delete all items; returns their number."""
        ids = [record.id for record in self._shelf.collection.get()]
        self._shelf.delete(ids)
        return len(ids)

    def prune(self, days: float, items: int) -> int:
        """Delete items older than `days`, and the oldest beyond `items`; returns their number."""
        collection = self._shelf.collection
        old = collection.get(where={"time": {"$lt": time.time() - days * DAY}})
        self._shelf.delete([record.id for record in old])
        if collection.count() <= items:
            return len(old)
        newest = sorted(collection.get(), key=learned_at, reverse=True)
        beyond = [record.id for record in newest[max(int(items * PRUNE_TO), 1) :]]
        self._shelf.delete(beyond)
        return len(old) + len(beyond)


def address_host(site: str) -> str:
    """The key of a site: the host of a URL or bare host, without `www.`, and a non-default port."""
    url = site if SCHEME.match(site) else f"http://{site}"
    try:
        name, port = site_host(url)
    except ValueError:
        name, port = urlsplit(url).netloc, None
    return f"{name}:{port}" if port else name


def learned_at(record: Record) -> float:
    """When a record was learned, in seconds since the epoch."""
    return float(record.about.get("time", 0.0))


def read_legible(shelf: Shelf[Kept_co], records: Sequence[Record]) -> tuple[Kept_co, ...]:
    """The items in the records; those that cannot be read are left out."""
    found: list[Kept_co] = []
    for record in records:
        try:
            found.append(shelf.read(record))
        except ValidationError:
            continue
    return tuple(found)
