"""The tables of checkpoints: LangGraph's own, as its saver of the database has them, and ours."""

import json
from typing import Any, NamedTuple

from sqlalchemy import Column, Integer, LargeBinary, MetaData, Table, Text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.types import TypeDecorator, TypeEngine

JSON_KIND = "json"
"""The kind of a checkpoint on PostgreSQL, where it is JSON; in a file it is msgpack."""


class JsonBytes(TypeDecorator[bytes]):
    """JSON as bytes, in a JSONB column."""

    impl = JSONB
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Any) -> Any:
        return None if value is None else json.loads(value)

    def process_result_value(self, value: Any, dialect: Any) -> bytes | None:
        return None if value is None else json.dumps(value, ensure_ascii=False).encode()


class CheckpointKind(TypeDecorator[str]):
    """The kind of a checkpoint, which LangGraph leaves empty on PostgreSQL."""

    impl = Text
    cache_ok = True

    def process_result_value(self, value: str | None, dialect: Any) -> str:
        return value or JSON_KIND


class CheckpointTables(NamedTuple):
    """The tables in one kind of database; their columns have the same keys in each.

    The values of a checkpoint's channels are in `channel_values`, which names their `pieces`.
    """

    checkpoints: Table
    writes: Table
    channel_values: Table
    pieces: Table

    def named(self) -> dict[str, Table]:
        """The tables by what they hold."""
        return self._asdict()


def _declare(
    writes: str, written: str, kind: TypeEngine[str], body: type[TypeEngine[bytes]]
) -> CheckpointTables:
    tables = MetaData()
    branch = "thread_id", "checkpoint_ns"
    return CheckpointTables(
        checkpoints=Table(
            "checkpoints",
            tables,
            *_keys(*branch, "checkpoint_id"),
            Column("parent_checkpoint_id", Text),
            Column("type", kind),
            Column("checkpoint", body),
            Column("metadata", body),
        ),
        writes=Table(
            writes,
            tables,
            *_keys(*branch, "checkpoint_id", "task_id"),
            Column("task_path", Text, nullable=False),
            Column("idx", Integer, primary_key=True, autoincrement=False),
            Column("channel", Text, nullable=False),
            Column("type", Text),
            Column(written, LargeBinary, key="value"),
        ),
        channel_values=Table(
            "channel_values",
            tables,
            *_keys(*branch, "channel", "version"),
            Column("many", Integer, nullable=False),
            Column("digests", LargeBinary, nullable=False),
        ),
        pieces=Table(
            "pieces",
            tables,
            *_keys("thread_id", "digest"),
            Column("type", Text, nullable=False),
            Column("value", LargeBinary, nullable=False),
        ),
    )


def _keys(*names: str) -> list[Column[str]]:
    return [Column(name, Text, primary_key=True) for name in names]


FILE_TABLES = _declare("writes", "value", Text(), LargeBinary)
SERVER_TABLES = _declare("checkpoint_writes", "blob", CheckpointKind(), JsonBytes)
