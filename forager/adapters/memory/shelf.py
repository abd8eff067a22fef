"""What the kinds of memory share: a collection whose records are found by site, session and age.

Each record says `host`, `session` and `time` (epoch, s) beside its text and what it has of its own.
"""

import re
import time
from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar
from urllib.parse import urlsplit

from pydantic import ValidationError

from forager.adapters.memory.collection import Collection, Record, Where
from forager.domain.base import Frozen
from forager.domain.urls import site_host

DAY = 24 * 3600.0
PRUNE_TO = 0.95
"""What is too much is cut down to this part, so that it is not cut again at once."""
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)

Kept_co = TypeVar("Kept_co", bound=Frozen, covariant=True)


class Shelf(Protocol[Kept_co]):
    """One kind of memory. Every method raises StoreError."""

    @property
    def collection(self) -> Collection:
        """Where it is kept."""

    def read(self, record: Record) -> Kept_co:
        """What a record holds. Raises ValidationError."""

    def delete(self, ids: Sequence[str]) -> None:
        """Let go of those that are there."""


class ShelfUpkeep(Generic[Kept_co]):
    """What a person may do with what a shelf keeps, and what time does with it."""

    def __init__(self, shelf: Shelf[Kept_co]) -> None:
        self._shelf = shelf

    def list_newest(self, site: str = "") -> tuple[Kept_co, ...]:
        """All of it, or what was learned on one site, the newest first."""
        where = {"host": address_host(site)} if site else None
        records = self._shelf.collection.get(where=where)
        return read_legible(
            self._shelf, sorted(records, key=lambda each: (-learned_at(each), each.id))
        )

    def count_by_site(self) -> dict[str, int]:
        """How much was learned on each site, by its host."""
        found: dict[str, int] = {}
        for record in self._shelf.collection.get():
            name = str(record.about.get("host", ""))
            found[name] = found.get(name, 0) + 1
        return found

    def forget_matching(self, ids: Sequence[str], site: str = "", session: str = "") -> int:
        """Those with these ids, of this site and of this session; how many there were."""
        collection = self._shelf.collection
        wanted = {record.id for record in collection.get(ids)}
        filters: list[Where] = [{"host": address_host(site)}] if site else []
        filters += [{"session": session}] if session else []
        for each in filters:
            wanted.update(record.id for record in collection.get(where=each))
        self._shelf.delete(sorted(wanted))
        return len(wanted)

    def forget_all(self) -> int:
        """All of it; how much it was."""
        ids = [record.id for record in self._shelf.collection.get()]
        self._shelf.delete(ids)
        return len(ids)

    def prune(self, days: float, items: int) -> int:
        """Forget what is older, and beyond `items` the oldest; how many there were."""
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
    """What the addresses of one site share; a bare host is an address too."""
    whole = site if SCHEME.match(site) else f"http://{site}"
    try:
        name, port = site_host(whole)
    except ValueError:
        name, port = urlsplit(whole).netloc, None
    return f"{name}:{port}" if port else name


def learned_at(record: Record) -> float:
    """When it was learned, in seconds since the epoch."""
    return float(record.about.get("time", 0.0))


def read_legible(shelf: Shelf[Kept_co], records: Sequence[Record]) -> tuple[Kept_co, ...]:
    """What the records hold, but for those that cannot be read any more."""
    found: list[Kept_co] = []
    for record in records:
        try:
            found.append(shelf.read(record))
        except ValidationError:
            continue
    return tuple(found)
