"""What both kinds of memory share: a collection whose records are found by site, session and age.

The metadata of each record has `host`, `session` and `time` (seconds since the epoch).
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
