"""Operations on the checkpoint history of a thread: list, copy, go back, change values.

Copies are made row by row in SQL, without loading values.
"""

import json
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, CheckpointMetadata
from langgraph.checkpoint.base.id import uuid6
from sqlalchemy import ColumnElement, Connection, Table, literal, select, update

from forager.adapters.store.checkpoints.saver import Checkpoints
from forager.adapters.store.checkpoints.value_pieces import (
    BATCH,
    BranchPlace,
    ChannelVersion,
    is_one_of,
    reading_steps,
    split_digests,
)
from forager.adapters.store.database import insert_or_skip
from forager.util.batches import batched

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

        of = self._to.tables.checkpoints
        columns = (
            *(of.c.checkpoint_id, of.c.parent_checkpoint_id),
            *(of.c.type, of.c.checkpoint, of.c.metadata),
        )
        query = select(*columns).where(*BranchPlace(thread, branch).rows_of(of))
        ordered = query.order_by(of.c.checkpoint_id)

        def read(db: Connection) -> tuple[CheckpointRow, ...]:
            with reading_steps(thread):
                rows = tuple([self._read_row(*each) for each in db.execute(ordered)])
                refuse_cycles({row.id: row.parent for row in rows})
            return rows

        return await self._to.run(thread, read)

    async def kept_channels(
        self, thread: str, prefix: str, branch: str = ""
    ) -> frozenset[tuple[str, str]]:
        """All (channel, version) pairs with a stored value whose channel begins with `prefix`."""
        values = self._to.tables.channel_values
        query = select(values.c.channel, values.c.version).where(
            *BranchPlace(thread, branch).rows_of(values), values.c.channel.startswith(prefix)
        )
        return await self._to.run(
            thread,
            lambda db: frozenset((channel, version) for channel, version in db.execute(query)),
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

        def read(db: Connection) -> dict[ChannelVersion, Any]:
            with reading_steps(thread):
                return self._to.pieces(db).get_all(BranchPlace(thread, branch), wanted)

        return await self._to.run(thread, read)

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

        def copy(db: Connection) -> None:
            for branch, wanted in {"": chain, **inner}.items():
                self._copy_rows(db, BranchPlace(source, branch), target, wanted)
            self._copy_pieces(db, source, target)

        await self._to.run(target, copy)

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
        kind, body = self._to.pack_checkpoint(slim)
        place, of = BranchPlace(thread, branch), self._to.tables.checkpoints
        newest_row = update(of).where(*place.rows_of(of), of.c.checkpoint_id == row.id)

        def put(db: Connection) -> None:
            self._to.pieces(db).put(place, added)
            db.execute(newest_row.values(type=kind, checkpoint=body))

        await self._to.run(thread, put)

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

    def _copy_rows(
        self, db: Connection, source: BranchPlace, target: str, rows: Sequence[CheckpointRow]
    ) -> None:
        checkpoints, writes, values, _ = self._to.tables
        for ids in batched([row.id for row in rows], BATCH):
            for table in (checkpoints, writes):
                _copy(db, table, target, *source.rows_of(table), table.c.checkpoint_id.in_(ids))
        versions = {pair for row in rows for pair in row.checkpoint["channel_versions"].items()}
        for pairs in batched(
            sorted((channel, str(version)) for channel, version in versions), BATCH
        ):
            _copy(db, values, target, *source.rows_of(values), is_one_of(values, pairs))

    def _copy_pieces(self, db: Connection, source: str, target: str) -> None:
        _, _, values, pieces = self._to.tables
        found = db.execute(select(values.c.digests).where(values.c.thread_id == target)).scalars()
        wanted = {digest for digests in found for digest in split_digests(digests)}
        for some in batched(sorted(wanted), BATCH):
            _copy(db, pieces, target, pieces.c.thread_id == source, pieces.c.digest.in_(some))

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


def _copy(db: Connection, table: Table, target: str, *where: ColumnElement[bool]) -> None:
    """Copy rows to the thread `target`, in the database; those that it has stay."""
    others = [column for column in table.c if column.key != "thread_id"]
    keys = [column.key for column in others]
    rows = select(literal(target), *others).where(*where)
    db.execute(insert_or_skip(db, table).from_select(["thread_id", *keys], rows))
