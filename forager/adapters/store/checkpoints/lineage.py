"""Operations on the checkpoint history of a thread: list, copy, go back, change values.

Copies are made row by row in SQL, without loading values.
"""

import json
from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import Any, NamedTuple, TypeGuard

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, CheckpointMetadata
from langgraph.checkpoint.base.id import uuid6

from forager.adapters.store.checkpoints.saver import Checkpoints
from forager.adapters.store.checkpoints.value_pieces import (
    BranchPlace,
    ChannelVersion,
    reading_steps,
    split_digests,
)

SELECT_ROWS = """
SELECT checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata FROM checkpoints
WHERE thread_id = ? AND checkpoint_ns = ? ORDER BY checkpoint_id
"""
COPY_CHECKPOINTS = """
INSERT INTO checkpoints
    (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata)
SELECT ?, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoints.type, checkpoint, metadata
FROM checkpoints JOIN json_each(?) AS wanted ON checkpoint_id = wanted.value
WHERE thread_id = ? AND checkpoint_ns = ?
"""
COPY_WRITES = """
INSERT INTO writes
    (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value)
SELECT ?, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, writes.type, writes.value
FROM writes JOIN json_each(?) AS wanted ON checkpoint_id = wanted.value
WHERE thread_id = ? AND checkpoint_ns = ?
"""
COPY_VALUES = """
INSERT OR IGNORE INTO channel_values
SELECT ?, checkpoint_ns, channel, version, many, digests
FROM channel_values JOIN json_each(?) AS wanted
    ON channel = json_extract(wanted.value, '$[0]')
    AND version = json_extract(wanted.value, '$[1]')
WHERE thread_id = ? AND checkpoint_ns = ?
"""
SELECT_DIGESTS = "SELECT digests FROM channel_values WHERE thread_id = ?"
COPY_PIECES = """
INSERT OR IGNORE INTO pieces
SELECT ?, digest, pieces.type, pieces.value
FROM pieces JOIN json_each(?) AS wanted ON digest = wanted.value WHERE thread_id = ?
"""
SELECT_VERSIONS = """
SELECT channel, version FROM channel_values
WHERE thread_id = ? AND checkpoint_ns = ? AND channel LIKE ?
"""
UPDATE_CHECKPOINT = """
UPDATE checkpoints SET type = ?, checkpoint = ?
WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?
"""

MAX_STEP = 1_000_000
SOURCES = ("loop", "input", "update", "fork")
"""What LangGraph says that made a checkpoint."""


class CheckpointRow(NamedTuple):
    """A checkpoint without its values; `parent` is the id of the one before, or empty."""

    id: str
    parent: str
    checkpoint: Checkpoint
    metadata: CheckpointMetadata

    def channel_versions(self, channels: Iterable[str]) -> list[ChannelVersion]:
        """The channels that have a value in this checkpoint, each with its version."""
        versions = self.checkpoint["channel_versions"]
        return [(channel, versions[channel]) for channel in channels if channel in versions]

    def pick_values(
        self, channels: Iterable[str], kept: Mapping[ChannelVersion, Any]
    ) -> dict[str, Any]:
        """The values of channels in this checkpoint, taken from `kept`."""
        return {pair[0]: kept[pair] for pair in self.channel_versions(channels) if pair in kept}


class Lineage:
    """Reads, copies and edits the checkpoints of threads. Every method raises StoreError."""

    def __init__(self, checkpoints: Checkpoints) -> None:
        self._to = checkpoints

    async def read_rows(self, thread: str, branch: str = "") -> tuple[CheckpointRow, ...]:
        """The checkpoints of a thread or of one of its branches, oldest first.

        Raises DamagedError where one is its own ancestor.
        """

        def read() -> tuple[CheckpointRow, ...]:
            with reading_steps(self._to.path, thread):
                found = self._to.conn.execute(SELECT_ROWS, (thread, branch))
                rows = tuple([self._read_row(*each) for each in found])
                refuse_cycles({row.id: row.parent for row in rows})
            return rows

        return await self._to.run(read)

    async def kept_channels(
        self, thread: str, prefix: str, branch: str = ""
    ) -> frozenset[tuple[str, str]]:
        """All (channel, version) pairs with a stored value whose channel begins with `prefix`."""
        place = (thread, branch, f"{prefix}%")
        return await self._to.run(
            lambda: frozenset(self._to.conn.execute(SELECT_VERSIONS, place).fetchall())
        )

    async def read_values(
        self, thread: str, versions: Mapping[str, object], branch: str = ""
    ) -> dict[str, Any]:
        """The values of channels in the given versions; channels without one are left out."""
        found = await self.read_versions(thread, versions.items(), branch)
        return {channel: value for (channel, _), value in found.items()}

    async def read_versions(
        self, thread: str, wanted: Iterable[ChannelVersion], branch: str = ""
    ) -> dict[ChannelVersion, Any]:
        """The values of (channel, version) pairs in one query; pairs without one are left out."""

        def read() -> dict[ChannelVersion, Any]:
            with reading_steps(self._to.path, thread):
                return self._to.pieces.get_all(BranchPlace(thread, branch), wanted)

        return await self._to.run(read)

    async def newest_values(self, thread: str, branch: str = "") -> dict[str, Any]:
        """The values of the newest checkpoint; empty if there is no checkpoint."""
        rows = await self.read_rows(thread, branch)
        versions = rows[-1].checkpoint["channel_versions"] if rows else {}
        return await self.read_values(thread, versions, branch)

    async def copy_thread(self, source: str, target: str, last: str = "") -> None:
        """Copy a thread; with `last`, only that checkpoint and its ancestors.

        The pending writes and the branches of the newest checkpoint's unfinished super-step are
        copied too.
        """
        rows = await self.read_rows(source)
        chain = line_of_descent(rows, last) if last else rows
        at_newest = not last or last == rows[-1].id
        inner = await self.branches_from(source, chain[-1].id) if chain and at_newest else {}

        def copy() -> None:
            for branch, wanted in {"": chain, **inner}.items():
                self._copy_rows(BranchPlace(source, branch), target, wanted)
            self._copy_pieces(source, target)

        await self._to.run(copy)

    async def go_back(self, thread: str, id: str) -> str:
        """Make a copy of an older checkpoint the newest; returns its id. Later ones are kept."""
        rows = {row.id: row for row in await self.read_rows(thread)}
        row = rows[id]
        step = row.metadata.get("step", 0) + 1
        new = Checkpoint(**{**row.checkpoint, "id": str(uuid6(clock_seq=step))})
        metadata: CheckpointMetadata = {"source": "fork", "step": step, "parents": {}}
        await self._to.aput(_checkpoint_config(BranchPlace(thread, ""), id), new, metadata, {})
        return str(new["id"])

    async def put_values(
        self,
        thread: str,
        values: Mapping[str, Any],
        branch: str = "",
        without: Collection[str] = (),
    ) -> None:
        """Set values in the newest checkpoint and remove the channels `without`, in place."""
        row = (await self.read_rows(thread, branch))[-1]
        versions = dict(row.checkpoint["channel_versions"])
        newest = self._to.get_next_version(max(map(str, versions.values())), None)
        added = {channel: (newest, value) for channel, value in values.items()}
        kept = {channel: each for channel, each in versions.items() if channel not in without}
        slim = {**row.checkpoint, "channel_versions": {**kept, **dict.fromkeys(added, newest)}}
        if updated := row.checkpoint["updated_channels"]:  # only these trigger nodes
            slim["updated_channels"] = sorted({*updated, *added} - {*without})
        kind, body = self._to.serde.dumps_typed(slim)
        place = BranchPlace(thread, branch)

        def put() -> None:
            self._to.pieces.put(place, added)
            self._to.conn.execute(UPDATE_CHECKPOINT, (kind, body, *place, row.id))

        await self._to.run(put)

    async def branches_from(self, thread: str, id: str) -> dict[str, tuple[CheckpointRow, ...]]:
        """The branches that began at a checkpoint, by name, with their checkpoints."""
        return {
            branch: rows
            for branch, rows in (await self.read_branches(thread)).items()
            if rows and rows[-1].metadata.get("parents", {}).get("") == id
        }

    async def read_branches(self, thread: str) -> dict[str, tuple[CheckpointRow, ...]]:
        """The checkpoints of all branches of a thread, by the branch's name."""
        names = filter(None, await self._to.list_namespaces(thread))
        return {name: await self.read_rows(thread, name) for name in names}

    def _copy_rows(self, source: BranchPlace, target: str, rows: Iterable[CheckpointRow]) -> None:
        ids = json.dumps([row.id for row in rows])
        versions = {pair for row in rows for pair in row.checkpoint["channel_versions"].items()}
        db = self._to.conn
        db.execute(COPY_CHECKPOINTS, (target, ids, *source))
        db.execute(COPY_WRITES, (target, ids, *source))
        db.execute(COPY_VALUES, (target, json.dumps(sorted(versions)), *source))

    def _copy_pieces(self, source: str, target: str) -> None:
        found = self._to.conn.execute(SELECT_DIGESTS, (target,))
        wanted = {digest for (digests,) in found for digest in split_digests(digests)}
        self._to.conn.execute(COPY_PIECES, (target, json.dumps(sorted(wanted)), source))

    def _read_row(
        self, id: str, parent: str | None, kind: str, body: bytes, metadata: bytes
    ) -> CheckpointRow:
        told = json.loads(metadata)
        if not id or not is_metadata(told):
            raise ValueError(f"the id {id!r}, the metadata {str(told)[:80]!r}")
        return CheckpointRow(id, parent or "", self._to.serde.loads_typed((kind, body)), told)


def is_metadata(value: object) -> TypeGuard[CheckpointMetadata]:
    """Is a value the metadata of a checkpoint?"""
    return (
        isinstance(value, dict)
        and isinstance(value.get("parents", {}), dict)
        and isinstance(step := value.get("step", 0), int)
        and -1 <= step < MAX_STEP
        and value.get("source", SOURCES[0]) in SOURCES
    )


def refuse_cycles(parents: Mapping[Hashable, Hashable]) -> None:
    """Raise ValueError where a checkpoint is its own ancestor."""
    checked: set[Hashable] = set()
    for id in parents:
        at, line = id, set[Hashable]()
        while at in parents and at not in checked:
            if at in line:
                raise ValueError(f"the step {at!r} is its own ancestor")
            line.add(at)
            at = parents[at]
        checked |= line


def line_of_descent(rows: Iterable[CheckpointRow], last: str = "") -> tuple[CheckpointRow, ...]:
    """A checkpoint (by default the newest) with its ancestors, oldest first."""
    by_id = {row.id: row for row in rows}
    last = last or next(reversed(by_id), "")
    found: list[CheckpointRow] = []
    while row := by_id.get(last):
        found.append(row)
        last = row.parent
    return tuple(reversed(found))


def _checkpoint_config(place: BranchPlace, id: str) -> RunnableConfig:
    where = {"thread_id": place.thread, "checkpoint_ns": place.branch, "checkpoint_id": id}
    return {"configurable": where}
