"""Checkpoints in one SQLite file, in which a value that did not change is not written again.

LangGraph's own SQLite saver writes the whole state at every super-step. Here a checkpoint names
the version of each state key, and each version is stored once, in pieces.
"""

import asyncio
import dataclasses
import logging
import sqlite3
import zlib
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver
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
from forager.util.sqlite import PATIENCE, decode_leniently

LOG = logging.getLogger(__name__)
Result = TypeVar("Result")
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


class Checkpoints(SqliteSaver):
    """LangGraph's SQLite saver with the state's values in separate tables.

    One thread does all work on the file, and each piece of work is one transaction: see `run`.
    """

    def __init__(self, conn: sqlite3.Connection, path: Path, holds: type, thread: Executor) -> None:
        self.path = path
        self._thread = thread
        self._keys = frozenset(get_type_hints(holds))
        super().__init__(conn, serde=PackedSerializer(types_within(holds)))
        self.pieces = ValuePieces(conn, self.serde)

    async def run(self, work: Callable[[], Result]) -> Result:
        """Do work on the file in its thread; commit at the end, roll back on any error.

        Raises StoreError for what SQLite or the file system raises.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._commit, work)

    def _commit(self, work: Callable[[], Result]) -> Result:
        with translate_errors(self.path), self.conn:
            return work()

    @contextmanager
    def cursor(self, transaction: bool = True) -> Iterator[sqlite3.Cursor]:
        """A cursor for LangGraph's own methods, whose work is part of a transaction here."""
        with closing(self.conn.cursor()) as cursor:
            yield cursor

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save the changed values and the checkpoint that names their versions."""
        saved = await self.run(lambda: self.put(config, checkpoint, metadata, new_versions))
        step, thread = metadata.get("step"), config["configurable"]["thread_id"]
        LOG.info("saved checkpoint: session %s, step %s", thread, step)
        return saved

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint and its changed values. It has the writes of its parent, which go."""
        values = checkpoint["channel_values"]
        changed = {
            channel: (str(version), values[channel])
            for channel, version in new_versions.items()
            if channel in values
        }
        self.pieces.put(_place_of(config), changed)
        slim = Checkpoint(**{**checkpoint, "channel_values": {}})
        saved = super().put(config, slim, metadata, new_versions)
        self.conn.execute(DELETE_WRITES, _checkpoint_key(config))
        return saved

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Save the writes of one task before the super-step ends."""
        await self.run(lambda: self.put_writes(config, writes, task_id, task_path))

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint with its values. Raises DamagedError."""
        return await self.run(lambda: self.get_tuple(config))

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint with its values. Raises DamagedError."""
        with reading_steps(self.path, str(config["configurable"]["thread_id"])):
            found = super().get_tuple(config)
            return self._fill_values(found) if found else None

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """The checkpoints with their values, newest first."""
        found = await self.run(
            lambda: list(self.list(config, filter=filter, before=before, limit=limit))
        )
        for item in found:
            yield await self.run(partial(self._fill_values, item))

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete a thread's checkpoints and values."""

        def delete() -> None:
            self.pieces.delete(thread_id)
            self.delete_thread(thread_id)

        await self.run(delete)

    async def list_threads(self) -> Sequence[str]:
        """All threads, by name."""
        return await self.run(lambda: [thread for (thread,) in self.conn.execute(THREADS)])

    async def list_namespaces(self, thread_id: str) -> Sequence[str]:
        """The checkpoint namespaces of a thread: its own, which is empty, and its branches."""
        query = (
            "SELECT DISTINCT checkpoint_ns FROM checkpoints WHERE thread_id = ? "
            "ORDER BY checkpoint_ns"
        )
        return await self.run(lambda: [name for (name,) in self.conn.execute(query, (thread_id,))])

    def _fill_values(self, found: CheckpointTuple) -> CheckpointTuple:
        versions = found.checkpoint["channel_versions"]
        values = self.pieces.get(_place_of(found.config), versions)
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
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(1, "checkpoints") as thread:
        checkpoints = await loop.run_in_executor(thread, _open, path, holds, thread)
        try:
            yield checkpoints
        finally:
            await loop.run_in_executor(thread, checkpoints.conn.close)


def _open(path: Path, holds: type, thread: Executor) -> Checkpoints:
    upgrade_tables(path, "checkpoints")
    with translate_errors(path):
        connection = sqlite3.connect(path, timeout=PATIENCE, check_same_thread=False)
        try:
            connection.text_factory = decode_leniently
            connection.execute("PRAGMA synchronous=NORMAL")  # survives a killed process
            checkpoints = Checkpoints(connection, path, holds, thread)
            checkpoints.setup()
        except sqlite3.Error:
            connection.close()
            raise
    return checkpoints
