"""Checkpoints in one SQLite file, in which a value that did not change is not written again.

LangGraph's own SQLite saver writes the whole state at every super-step. Here a checkpoint names
the version of each state key, and each version is stored once, in pieces.
"""

import asyncio
import dataclasses
import logging
import sqlite3
import zlib
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from pydantic import BaseModel

from forager.adapters.store.checkpoints.state_migrations import (
    STEPS,
    Aliases,
    Step,
    mark_version,
    migrate_value,
    refuse_newer_state,
    split_kind,
)
from forager.adapters.store.checkpoints.value_pieces import BranchPlace, ValuePieces, reading_steps
from forager.adapters.store.store_files import translate_errors, upgrade_tables
from forager.domain.base import warn_of_unknown
from forager.domain.state import STATE_VERSION, State
from forager.util.sqlite import decode_leniently

LOG = logging.getLogger(__name__)
DELETE_WRITES = "DELETE FROM writes WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?"
LANGGRAPH_PREFIXES = ("branch:", "__")
"""Prefixes of LangGraph's own channels, which are not keys of the state."""
PACKED = "+z"
"""The suffix of the kind of a compressed value."""
MIN_PACKED = 64
"""Shorter values, in bytes, are not compressed."""
TUPLE_KEYS = frozenset(
    name for name, hint in get_type_hints(State).items() if get_origin(hint) is tuple
)
"""The state keys that msgpack would return as lists."""


@cache
def types_within(hint: Any) -> frozenset[type]:
    """Every model and dataclass within a type: the types that a checkpoint may hold."""
    if isinstance(hint, type) and (issubclass(hint, BaseModel) or dataclasses.is_dataclass(hint)):
        own = frozenset({hint, *filter(dataclasses.is_dataclass, hint.__mro__)})
        return own.union(*(types_within(inner) for inner in get_type_hints(hint).values()))
    return frozenset().union(*(types_within(inner) for inner in get_args(hint)))


class PackedSerializer(JsonPlusSerializer):
    """Compressed msgpack; only `types` are restored, under their present and their old names.

    A value of an older state version is migrated.
    """

    def __init__(
        self,
        types: Collection[type],
        version: int = STATE_VERSION,
        steps: Mapping[int, Step] = STEPS,
    ) -> None:
        super().__init__(allowed_msgpack_modules=types)
        self._aliases = Aliases(types)
        self._version = version
        self._steps = steps

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        kind, data = super().dumps_typed(obj)
        if len(data) > MIN_PACKED:
            kind, data = f"{kind}{PACKED}", zlib.compress(data)
        return mark_version(kind, self._version), data

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        kind, version = split_kind(data[0], self._version)
        body = data[1]
        if kind.endswith(PACKED):
            kind, body = kind.removesuffix(PACKED), zlib.decompress(body)
        if kind == "msgpack":
            body = migrate_value(
                self._aliases.rename_classes(body), version, self._version, self._steps
            )
        return super().loads_typed((kind, body))


THREADS = """
SELECT thread_id FROM checkpoints UNION SELECT thread_id FROM writes
UNION SELECT thread_id FROM channel_values UNION SELECT thread_id FROM pieces ORDER BY thread_id
"""


class Checkpoints(AsyncSqliteSaver):
    """LangGraph's SQLite saver with the state's values in separate tables."""

    def __init__(self, conn: aiosqlite.Connection, path: Path, holds: type) -> None:
        self.path = path
        self._keys = frozenset(get_type_hints(holds))
        super().__init__(conn, serde=PackedSerializer(types_within(holds)))
        self.pieces = ValuePieces(conn, self.serde)

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save the changed values, then the checkpoint that names their versions."""
        values = checkpoint["channel_values"]
        changed = {
            channel: (str(version), values[channel])
            for channel, version in new_versions.items()
            if channel in values
        }
        slim = Checkpoint(**{**checkpoint, "channel_values": {}})
        with translate_errors(self.path):
            async with self.transaction():
                await self.pieces.put(_place_of(config), changed)
            try:
                saved = await super().aput(config, slim, metadata, new_versions)
            except sqlite3.Error:
                await self.conn.rollback()  # else the file stays locked for everybody
                raise
            # The checkpoint has these writes now. Deleting them earlier could lose both on a kill.
            async with self.transaction():
                await self.conn.execute(DELETE_WRITES, _checkpoint_key(config))
        step, thread = metadata.get("step"), config["configurable"]["thread_id"]
        LOG.info("saved checkpoint: session %s, step %s", thread, step)
        return saved

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Save the writes of one task before the super-step ends."""
        with translate_errors(self.path):
            try:
                await super().aput_writes(config, writes, task_id, task_path)
            except sqlite3.Error:
                await self.conn.rollback()
                raise

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint with its values."""
        with reading_steps(self.path, str(config["configurable"]["thread_id"])):
            found = await super().aget_tuple(config)
            return await self._fill_values(found) if found else None

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """The checkpoints with their values, newest first."""
        # Collected first: the saver holds its lock while it yields.
        found = [
            item async for item in super().alist(config, filter=filter, before=before, limit=limit)
        ]
        for item in found:
            yield await self._fill_values(item)

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete a thread's checkpoints and values."""
        with translate_errors(self.path):
            async with self.transaction():
                await self.pieces.delete(thread_id)
            await super().adelete_thread(thread_id)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """Commit at the end, roll back on a database error."""
        async with self.lock:
            try:
                yield
                await self.conn.commit()
            except sqlite3.Error:
                await self.conn.rollback()
                raise

    async def list_threads(self) -> list[str]:
        """All threads, by name."""
        with translate_errors(self.path):
            async with self.lock, self.conn.execute(THREADS) as rows:
                return [thread async for (thread,) in rows]

    async def list_namespaces(self, thread_id: str) -> list[str]:
        """The checkpoint namespaces of a thread: its own, which is empty, and its branches."""
        query = (
            "SELECT DISTINCT checkpoint_ns FROM checkpoints WHERE thread_id = ? "
            "ORDER BY checkpoint_ns"
        )
        with translate_errors(self.path):
            async with self.lock, self.conn.execute(query, (thread_id,)) as rows:
                return [namespace async for (namespace,) in rows]

    async def _fill_values(self, found: CheckpointTuple) -> CheckpointTuple:
        versions = found.checkpoint["channel_versions"]
        async with self.lock:
            values = await self.pieces.get(_place_of(found.config), versions)
        for key in values.keys() - self._keys:
            if not key.startswith(LANGGRAPH_PREFIXES):
                warn_of_unknown(key)
        if "state_version" in values:
            refuse_newer_state(values["state_version"])
            values["state_version"] = STATE_VERSION
        writes = [
            (task, channel, _restore_value(channel, value))
            for task, channel, value in found.pending_writes or ()
        ]
        checkpoint = Checkpoint(**{**found.checkpoint, "channel_values": values})
        return found._replace(checkpoint=checkpoint, pending_writes=writes)


def _place_of(config: RunnableConfig) -> BranchPlace:
    place = config["configurable"]
    return BranchPlace(thread=str(place["thread_id"]), branch=place["checkpoint_ns"])


def _checkpoint_key(config: RunnableConfig) -> tuple[str, str, str]:
    return (*_place_of(config), config["configurable"].get("checkpoint_id") or "")


def _restore_value(channel: str, value: Any) -> Any:
    return tuple(value) if channel in TUPLE_KEYS and isinstance(value, list) else value


@asynccontextmanager
async def open_checkpoints(path: Path, holds: type = State) -> AsyncIterator[Checkpoints]:
    """The checkpoints in a file, which is created if it is missing.

    `holds` is the class of their state. Raises StoreError.
    """
    await asyncio.to_thread(upgrade_tables, path, "checkpoints")
    with translate_errors(path):
        connection = await aiosqlite.connect(path, timeout=30)
    try:
        with translate_errors(path):
            connection.text_factory = decode_leniently
            await connection.execute("PRAGMA synchronous=NORMAL")  # survives a killed process
            checkpoints = Checkpoints(connection, path, holds)
            await checkpoints.setup()
        yield checkpoints
    finally:
        await connection.close()
