"""Checkpoints in which a value that did not change is not written again.

LangGraph's own savers write the whole of a changed value at every super-step. Here a checkpoint
names the version of each state key, and each version is stored once, in pieces.
"""

import asyncio
import dataclasses
import json
import logging
import random
import zlib
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints
from zlib import crc32

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import BaseModel
from sqlalchemy import Connection, delete, select, union

from forager.adapters.store.checkpoints.checkpoint_tables import (
    FILE_TABLES,
    JSON_KIND,
    SERVER_TABLES,
)
from forager.adapters.store.checkpoints.langgraph_savers import (
    DRIVER_ERRORS,
    make_tables,
    saver_on,
)
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
from forager.adapters.store.database import Database
from forager.adapters.store.server import POOL_SIZE
from forager.adapters.store.sessions.session_records import session_of
from forager.domain.base import warn_of_unknown
from forager.domain.state import STATE_VERSION, State
from forager.util.place import Place

LOG = logging.getLogger(__name__)
Result = TypeVar("Result")
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


class Checkpoints(BaseCheckpointSaver[str]):
    """LangGraph's saver of SQLite or PostgreSQL, with the state's values in tables of our own.

    Each piece of work is one transaction: see `run`. One worker does all work on a file, and on a
    server all that is on the same session, so that it is done in the order in which it was given.
    """

    def __init__(self, database: Database, holds: type, workers: Sequence[Executor]) -> None:
        super().__init__(serde=PackedSerializer(types_within(holds)))
        self.tables = FILE_TABLES if isinstance(database.place, Path) else SERVER_TABLES
        self._database = database
        self._workers = workers
        self._keys = frozenset(get_type_hints(holds))

    async def run(self, thread: str, work: Callable[[Connection], Result]) -> Result:
        """Do work on the steps of a thread; commit at the end, roll back on any error.

        Raises StoreError for what the database or the file system raises.
        """
        worker = self._workers[crc32(session_of(thread).encode()) % len(self._workers)]
        return await asyncio.get_running_loop().run_in_executor(worker, self._commit, work)

    def _commit(self, work: Callable[[Connection], Result]) -> Result:
        return self._database.run(work, DRIVER_ERRORS)

    def pieces(self, db: Connection) -> ValuePieces:
        """The values, read and written in a transaction."""
        return ValuePieces(db, self.tables, self.serde)

    def pack_checkpoint(self, checkpoint: Mapping[str, Any]) -> tuple[str, bytes]:
        """A checkpoint as its kind and its body, as the tables hold it."""
        if self.tables is FILE_TABLES:
            return self.serde.dumps_typed(checkpoint)
        return JSON_KIND, json.dumps(checkpoint).encode()

    def get_next_version(self, current: str | None, channel: None) -> str:
        """The version after this one, in the form that LangGraph's own savers give it."""
        number = int(str(current).partition(".")[0]) + 1 if current else 1
        return f"{number:032}.{random.random():016}"  # noqa: S311  two branches never count alike

    async def aput(
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
        slim = Checkpoint(**{**checkpoint, "channel_values": {}})
        writes, place = self.tables.writes, _place_of(config)
        parent = config["configurable"].get("checkpoint_id") or ""
        taken = delete(writes).where(*place.rows_of(writes), writes.c.checkpoint_id == parent)

        def put(db: Connection) -> RunnableConfig:
            self.pieces(db).put(place, changed)
            saved = saver_on(db, self.serde).put(config, slim, metadata, {})
            db.execute(taken)
            return saved

        saved = await self.run(place.thread, put)
        LOG.info("saved checkpoint: session %s, step %s", place.thread, metadata.get("step"))
        return saved

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Save the writes of one task before the super-step ends."""
        await self.run(
            _place_of(config).thread,
            lambda db: saver_on(db, self.serde).put_writes(config, writes, task_id, task_path),
        )

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint with its values. Raises DamagedError."""
        thread = str(config["configurable"]["thread_id"])

        def get(db: Connection) -> CheckpointTuple | None:
            with reading_steps(thread):
                found = saver_on(db, self.serde).get_tuple(config)
                return self._fill_values(found, db) if found else None

        return await self.run(thread, get)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """The checkpoints with their values, newest first."""
        thread = str(config["configurable"]["thread_id"]) if config else ""
        found = await self.run(
            thread,
            lambda db: [
                *saver_on(db, self.serde).list(config, filter=filter, before=before, limit=limit)
            ],
        )
        for item in found:
            yield await self.run(thread, partial(self._fill_values, item))

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete a thread's checkpoints and values."""

        def delete_rows(db: Connection) -> None:
            for table in self.tables:
                db.execute(delete(table).where(table.c.thread_id == thread_id))

        await self.run(thread_id, delete_rows)

    async def list_threads(self) -> Sequence[str]:
        """All threads, by name."""
        return await self.run("", self.read_threads)

    def read_threads(self, db: Connection) -> Sequence[str]:
        """All threads, by name, in a transaction."""
        query = union(*(select(table.c.thread_id) for table in self.tables))
        return [str(row[0]) for row in db.execute(query.order_by("thread_id"))]

    async def list_namespaces(self, thread_id: str) -> Sequence[str]:
        """The checkpoint namespaces of a thread: its own, which is empty, and its branches."""
        of = self.tables.checkpoints
        query = select(of.c.checkpoint_ns).distinct().where(of.c.thread_id == thread_id)
        ordered = query.order_by(of.c.checkpoint_ns)
        return await self.run(thread_id, lambda db: db.execute(ordered).scalars().all())

    def _fill_values(self, found: CheckpointTuple, db: Connection) -> CheckpointTuple:
        versions = found.checkpoint["channel_versions"]
        values = self.pieces(db).get(_place_of(found.config), versions)
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


def _restore_value(channel: str, value: Any) -> Any:
    return tuple(value) if channel in TUPLE_KEYS and isinstance(value, list) else value


@asynccontextmanager
async def open_checkpoints(place: Place, holds: type = State) -> AsyncIterator[Checkpoints]:
    """The checkpoints in a database, whose tables are made if they are missing.

    `holds` is the class of their state. Raises StoreError.
    """
    database = Database(place, "checkpoints", pooled=True)
    with ExitStack() as stack:
        count = 1 if isinstance(place, Path) else POOL_SIZE
        workers = [stack.enter_context(ThreadPoolExecutor(1, "checkpoints")) for _ in range(count)]
        work = partial(asyncio.get_running_loop().run_in_executor, workers[0])
        await work(database.prepare)
        await work(make_tables, database)
        try:
            yield Checkpoints(database, holds, workers)
        finally:
            await work(database.close)
