"""Values in pieces: the items of a tuple are stored one by one, each once per thread.

A ledger that grows by one entry a hundred times takes a hundred pieces, not five thousand. Damaged
rows of steps are reported as damage of their session.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Table, select, tuple_

from forager.adapters.store.checkpoints.checkpoint_tables import CheckpointTables
from forager.adapters.store.database import insert_or_replace, insert_or_skip
from forager.adapters.store.sessions.session_records import (
    damaged_session,
    first_fault,
    session_of,
)
from forager.util.batches import batched

if TYPE_CHECKING:
    from langgraph.checkpoint.serde.base import SerializerProtocol


DAMAGE = (
    *(ValueError, LookupError, TypeError, AttributeError, OverflowError),
    *(NotImplementedError, RecursionError, zlib.error),
)
"""What unpacking a row raises that is not as it was written."""


@contextmanager
def reading_steps(thread: str) -> Iterator[None]:
    """Raise DamagedError where steps of a thread cannot be unpacked."""
    try:
        yield
    except DAMAGE as error:
        fault = f"a step cannot be read: {first_fault(error)}"
        raise damaged_session(session_of(thread), fault) from error


BATCH = 300
"""Values asked for in one query; SQLite takes a bounded number."""
DIGEST_BYTES = 8
"""The length of a digest. With a thousand pieces in a thread, two collide with chance 3e-14."""
ChannelVersion = tuple[str, Any]
"""A channel and its version."""


class BranchPlace(NamedTuple):
    """A thread and one of its branches; the thread's own checkpoints are in the empty branch."""

    thread: str
    branch: str

    def keys(self) -> dict[str, Any]:
        """The columns that name the place."""
        return {"thread_id": self.thread, "checkpoint_ns": self.branch}

    def rows_of(self, table: Table) -> tuple[ColumnElement[bool], ...]:
        """Which rows of a table are of this place."""
        return table.c.thread_id == self.thread, table.c.checkpoint_ns == self.branch


class ValuePieces:
    """Reads and writes values; the caller commits."""

    def __init__(
        self, db: Connection, tables: CheckpointTables, serde: "SerializerProtocol"
    ) -> None:
        self._db = db
        self._tables = tables
        self._serde = serde

    def put(self, place: BranchPlace, values: Mapping[str, tuple[str, Any]]) -> None:
        """Store values by channel, each with its version."""
        pieces: dict[str, tuple[str, bytes]] = {}
        rows: list[dict[str, Any]] = []
        for channel, (version, value) in values.items():
            many = isinstance(value, tuple)
            packed = [self._serde.dumps_typed(item) for item in (value if many else (value,))]
            digests = [_piece_digest(kind, body) for kind, body in packed]
            pieces |= zip([digest.hex() for digest in digests], packed, strict=True)
            named = {"channel": channel, "version": version}
            rows.append(place.keys() | named | {"many": many, "digests": b"".join(digests)})
        if not rows:
            return
        _, _, of_values, of_pieces = self._tables
        if pieces:
            stored = [
                {"thread_id": place.thread, "digest": digest, "type": kind, "value": body}
                for digest, (kind, body) in pieces.items()
            ]
            self._db.execute(insert_or_skip(self._db, of_pieces), stored)
        self._db.execute(insert_or_replace(self._db, of_values), rows)

    def get(self, place: BranchPlace, versions: Mapping[str, object]) -> dict[str, Any]:
        """The values of channels in the given versions; channels without one are left out."""
        found = self.get_all(place, versions.items())
        return {channel: value for (channel, _), value in found.items()}

    def get_all(
        self, place: BranchPlace, wanted: Iterable[ChannelVersion]
    ) -> dict[ChannelVersion, Any]:
        """The values of (channel, version) pairs; a piece that several share is read once."""
        _, _, values, pieces = self._tables
        columns = values.c.channel, values.c.version, values.c.many, values.c.digests
        found = [
            ((channel, version), many, split_digests(digests))
            for some in batched([(channel, str(version)) for channel, version in wanted], BATCH)
            for channel, version, many, digests in self._db.execute(
                select(*columns).where(*place.rows_of(values), is_one_of(values, some))
            )
        ]
        if any(many not in (0, 1) for _, many, _ in found):
            raise ValueError("a value that is neither whole nor in pieces")
        piece = {
            digest: self._serde.loads_typed((kind, body))
            for some in batched(
                sorted({digest for _, _, digests in found for digest in digests}), BATCH
            )
            for digest, kind, body in self._db.execute(
                select(pieces.c.digest, pieces.c.type, pieces.c.value).where(
                    pieces.c.thread_id == place.thread, pieces.c.digest.in_(some)
                )
            )
        }
        return {
            pair: tuple(piece[digest] for digest in digests) if many else piece[digests[0]]
            for pair, many, digests in found
        }


def is_one_of(values: Table, pairs: Sequence[ChannelVersion]) -> ColumnElement[bool]:
    """Which rows have one of these channels in that version."""
    return tuple_(values.c.channel, values.c.version).in_(pairs)


def _piece_digest(kind: str, body: bytes) -> bytes:
    return blake2b(kind.encode() + body, digest_size=DIGEST_BYTES).digest()


def split_digests(digests: bytes) -> list[str]:
    """The digests of a value's pieces, in hex."""
    return [
        digests[start : start + DIGEST_BYTES].hex()
        for start in range(0, len(digests), DIGEST_BYTES)
    ]
