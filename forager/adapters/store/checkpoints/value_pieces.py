"""Values in pieces: the items of a tuple are stored one by one, each once per thread.

A ledger that grows by one entry a hundred times takes a hundred pieces, not five thousand. Damaged
rows of steps are reported as damage of their session.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from forager.adapters.store.sessions.session_records import (
    damaged_session,
    first_fault,
    session_of,
)
from forager.adapters.store.store_files import translate_errors

if TYPE_CHECKING:
    from langgraph.checkpoint.serde.base import SerializerProtocol


DAMAGE = (
    *(ValueError, LookupError, TypeError, AttributeError, OverflowError),
    *(NotImplementedError, RecursionError, zlib.error),
)
"""What unpacking a row raises that is not as it was written."""


@contextmanager
def reading_steps(path: Path, thread: str) -> Iterator[None]:
    """Raise DamagedError where steps of a thread cannot be unpacked, StoreError for the file."""
    with translate_errors(path):
        try:
            yield
        except DAMAGE as error:
            fault = f"a step cannot be read: {first_fault(error)}"
            raise damaged_session(session_of(thread), fault) from error


SELECT_VALUES = """
SELECT channel, version, many, digests FROM json_each(?) AS wanted
JOIN channel_values ON channel = json_extract(wanted.value, '$[0]')
    AND version = json_extract(wanted.value, '$[1]')
WHERE thread_id = ? AND checkpoint_ns = ?
"""
SELECT_PIECES = """
SELECT digest, pieces.type, pieces.value FROM json_each(?) AS wanted
JOIN pieces ON digest = wanted.value WHERE thread_id = ?
"""
DIGEST_BYTES = 8
"""The length of a digest. With a thousand pieces in a thread, two collide with chance 3e-14."""
ChannelVersion = tuple[str, Any]
"""A channel and its version."""


class BranchPlace(NamedTuple):
    """A thread and one of its branches; the thread's own checkpoints are in the empty branch."""

    thread: str
    branch: str


class ValuePieces:
    """Reads and writes values; the caller commits."""

    def __init__(self, db: sqlite3.Connection, serde: "SerializerProtocol") -> None:
        self._db = db
        self._serde = serde

    def put(self, place: BranchPlace, values: Mapping[str, tuple[str, Any]]) -> None:
        """Store values by channel, each with its version."""
        pieces: list[tuple[str, str, str, bytes]] = []
        rows: list[tuple[str, str, str, str, bool, bytes]] = []
        for channel, (version, value) in values.items():
            many = isinstance(value, tuple)
            packed = [self._serde.dumps_typed(item) for item in (value if many else (value,))]
            digests = [_piece_digest(kind, body) for kind, body in packed]
            pieces += [
                (place.thread, digest.hex(), *item)
                for digest, item in zip(digests, packed, strict=True)
            ]
            rows.append((*place, channel, version, many, b"".join(digests)))
        self._db.executemany("INSERT OR IGNORE INTO pieces VALUES (?, ?, ?, ?)", pieces)
        self._db.executemany(
            "INSERT OR REPLACE INTO channel_values VALUES (?, ?, ?, ?, ?, ?)", rows
        )

    def get(self, place: BranchPlace, versions: Mapping[str, object]) -> dict[str, Any]:
        """The values of channels in the given versions; channels without one are left out."""
        found = self.get_all(place, versions.items())
        return {channel: value for (channel, _), value in found.items()}

    def get_all(
        self, place: BranchPlace, wanted: Iterable[ChannelVersion]
    ) -> dict[ChannelVersion, Any]:
        """The values of (channel, version) pairs; a piece that several share is read once."""
        rows = self._db.execute(SELECT_VALUES, (json.dumps(list(wanted)), *place))
        found = [(pair, many, split_digests(digests)) for *pair, many, digests in rows]
        if any(many not in (0, 1) for _, many, _ in found):
            raise ValueError("a value that is neither whole nor in pieces")
        pieces = json.dumps(sorted({digest for _, _, digests in found for digest in digests}))
        packed = self._db.execute(SELECT_PIECES, (pieces, place.thread))
        piece = {digest: self._serde.loads_typed((kind, body)) for digest, kind, body in packed}
        return {
            tuple(pair): tuple(piece[digest] for digest in digests) if many else piece[digests[0]]
            for pair, many, digests in found
        }

    def delete(self, thread: str) -> None:
        """Delete a thread's values."""
        for query in (
            "DELETE FROM pieces WHERE thread_id = ?",
            "DELETE FROM channel_values WHERE thread_id = ?",
        ):
            self._db.execute(query, (thread,))


def _piece_digest(kind: str, body: bytes) -> bytes:
    return blake2b(kind.encode() + body, digest_size=DIGEST_BYTES).digest()


def split_digests(digests: bytes) -> list[str]:
    """The digests of a value's pieces, in hex."""
    return [
        digests[start : start + DIGEST_BYTES].hex()
        for start in range(0, len(digests), DIGEST_BYTES)
    ]
