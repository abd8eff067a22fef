"""Export the rows of a thread as JSON, and import them with checks.

Imported rows are not trusted: only the kinds that this module writes are read, unpacking has a size
limit, and each value must be valid and of a type that occurs in a state.
"""

import asyncio
import base64
import binascii
import json
import math
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, get_type_hints
from urllib.parse import urlsplit

from langgraph.types import Send
from pydantic import BaseModel, JsonValue, TypeAdapter, ValidationError
from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from forager.adapters.store.checkpoints.checkpoint_tables import JSON_KIND
from forager.adapters.store.checkpoints.lineage import is_metadata, refuse_cycles
from forager.adapters.store.checkpoints.saver import PACKED, Checkpoints, types_within
from forager.adapters.store.checkpoints.state_migrations import split_kind
from forager.adapters.store.checkpoints.value_pieces import DIGEST_BYTES, split_digests
from forager.browsing.safety.address_verbs import address_side_effect
from forager.domain.base import MAX_INTEGER
from forager.domain.state import Question
from forager.errors import UsageError

Rows = dict[str, list[list[JsonValue]]]

COLUMNS = {
    "checkpoints": (
        *("checkpoint_ns", "checkpoint_id", "parent_checkpoint_id"),
        *("type", "checkpoint", "metadata"),
    ),
    "writes": (
        *("checkpoint_ns", "checkpoint_id", "task_id", "task_path", "idx", "channel"),
        *("type", "value"),
    ),
    "channel_values": ("checkpoint_ns", "channel", "version", "many", "digests"),
    "pieces": ("digest", "type", "value"),
}
KIND, BODY, METADATA = 3, 4, 5
"""Where the columns of a checkpoint stand."""
KINDS = frozenset({"msgpack", "msgpack+z", "null", "bytes"})
MAX_UNPACKED = 20_000_000
MAX_TOTAL = 300_000_000
"""Unpacked bytes of an archive and of all its steps."""
MAX_SECONDS = 30.0
MAX_ROWS = 50_000
ROW_BYTES = 100
PIECE_BYTES = 300
"""What a row counts beside its content, and a piece each time that a value names it."""
MAX_DEPTH = 20
ADDRESS_KEYS = frozenset({"url", "urls", "site", "sites"})
PLAIN_TYPES = (str, int, float, bool, type(None))
BASE64_PREFIX = "b64:"


async def pack_thread(checkpoints: Checkpoints, thread: str) -> Rows:
    """All rows of a thread, by table, without the thread's id. Raises StoreError."""

    def pack(db: Connection) -> Rows:
        return {
            name: [[_write_cell(cell) for cell in row] for row in rows]
            for name, rows in read_thread(db, checkpoints, thread).items()
        }

    return await checkpoints.run(thread, pack)


class ProofBudget:
    """What proving an archive may take: unpacked bytes, and seconds from now."""

    def __init__(self, size: int = MAX_TOTAL, seconds: float = MAX_SECONDS) -> None:
        self._size = size
        self._end = time.monotonic() + seconds

    def spend(self, size: int) -> None:
        """Count unpacked bytes. Raises UsageError beyond the budget."""
        self._size -= size
        if self._size < 0 or time.monotonic() > self._end:
            raise UsageError(
                "What is in this file takes more space or time than an import may.",
                "Import a smaller session.",
            )


async def unpack_thread(
    checkpoints: Checkpoints, thread: str, rows: Rows, holds: type, budget: ProofBudget
) -> None:
    """Import rows as a new thread; they are proved in a thread of their own, within the budget.

    Raises UsageError for invalid rows, and StoreError.
    """
    read = await asyncio.to_thread(_read_rows, checkpoints, rows, holds, budget)

    def insert_rows(db: Connection) -> None:
        try:
            write_thread(db, checkpoints, thread, read)
        except IntegrityError as error:  # a key twice, or none
            raise foreign_archive() from error

    await checkpoints.run(thread, insert_rows)


def read_thread(
    db: Connection, checkpoints: Checkpoints, thread: str
) -> dict[str, list[list[Any]]]:
    """All rows of a thread, by table, in the order of COLUMNS; checkpoints as files hold them."""
    found = {
        name: [
            list(row)
            for row in db.execute(
                select(*(table.c[key] for key in COLUMNS[name])).where(table.c.thread_id == thread)
            )
        ]
        for name, table in checkpoints.tables.named().items()
    }
    for row in found["checkpoints"]:
        if row[KIND] == JSON_KIND:
            row[KIND:METADATA] = checkpoints.serde.dumps_typed(json.loads(row[BODY]))
    return found


def write_thread(
    db: Connection, checkpoints: Checkpoints, thread: str, rows: Mapping[str, list[list[Any]]]
) -> None:
    """Store what `read_thread` read as a new thread. Raises IntegrityError."""
    for name, table in checkpoints.tables.named().items():
        stored = [dict(zip(COLUMNS[name], row, strict=True)) for row in rows[name]]
        for row in stored if name == "checkpoints" else ():
            plain = checkpoints.serde.loads_typed((row["type"], row["checkpoint"]))
            row["type"], row["checkpoint"] = checkpoints.pack_checkpoint(plain)
        if stored:
            db.execute(insert(table), [{"thread_id": thread, **row} for row in stored])


def _read_rows(
    checkpoints: Checkpoints, rows: Rows, holds: type, budget: ProofBudget
) -> dict[str, list[list[Any]]]:
    """The rows as the tables hold them, proved. Raises UsageError."""
    count = sum(len(rows.get(table, [])) for table in COLUMNS)
    if count > MAX_ROWS:
        raise UsageError(
            f"The file has more than {MAX_ROWS:,} rows of steps.", "Import a smaller session."
        )
    budget.spend(count * ROW_BYTES)
    read = {
        table: [[_read_cell(cell) for cell in row] for row in rows.get(table, [])]
        for table in COLUMNS
    }
    _check_rows(checkpoints, read, holds, budget)
    return read


def _write_cell(cell: Any) -> JsonValue:
    return BASE64_PREFIX + base64.b64encode(cell).decode() if isinstance(cell, bytes) else cell


def _read_cell(cell: JsonValue) -> Any:
    if not isinstance(cell, str) or not cell.startswith(BASE64_PREFIX):
        return cell
    try:
        return base64.b64decode(cell.removeprefix(BASE64_PREFIX), validate=True)
    except binascii.Error as error:
        raise foreign_archive() from error


def foreign_archive() -> UsageError:
    """The error for an archive that this program did not write."""
    return UsageError(
        "The steps in this file cannot be read: it is not a complete export of a session.",
        "Export it again: forager export ID --format zip.",
    )


def _check_rows(
    checkpoints: Checkpoints, read: dict[str, list[list[Any]]], holds: type, budget: ProofBudget
) -> None:
    """Raise UsageError unless all rows have the right columns and hold values of a state."""
    for table, names in COLUMNS.items():
        if any(len(row) != len(names) or not all(map(_is_storable, row)) for row in read[table]):
            raise foreign_archive()
    _check_pieces(read, budget)
    allowed = types_within(holds)
    load = checkpoints.serde.loads_typed
    for _, id, _, kind, body, metadata in read["checkpoints"]:
        _check_checkpoint(_load_value(load, kind, body, budget), id)
        if not isinstance(metadata, bytes) or not is_metadata(_parse_json(metadata)):
            raise foreign_archive()
    try:
        refuse_cycles({(row[0], row[1]): (row[0], row[2]) for row in read["checkpoints"]})
    except ValueError as error:
        raise foreign_archive() from error
    known = _channel_types(holds)
    for *_, channel, kind, body in read["writes"]:
        value = _load_value(load, kind, body, budget)
        _check_value(value, allowed)
        if channel in known:
            _check_channel(known[channel], value)
    _check_channels(checkpoints, read, holds, budget)


def _check_channels(
    checkpoints: Checkpoints, read: dict[str, list[list[Any]]], holds: type, budget: ProofBudget
) -> None:
    """Raise UsageError unless all values are of a state, each of a kind that its channel holds."""
    allowed = types_within(holds)
    load = checkpoints.serde.loads_typed
    pieces: dict[str, Any] = {}
    for digest, kind, body in read["pieces"]:
        pieces[digest] = _load_value(load, kind, body, budget)
        _check_value(pieces[digest], allowed)
    known = _channel_types(holds)
    proved: dict[str, set[str]] = {name: set() for name in known}
    for _, channel, _, many, digests in read["channel_values"]:
        names = list(split_digests(digests))
        if channel not in known:
            continue
        if not many:
            _check_channel(known[channel], pieces[names[0]])
            continue
        new = [name for name in dict.fromkeys(names) if name not in proved[channel]]
        _check_channel(known[channel], tuple(pieces[name] for name in new))
        proved[channel].update(new)


@cache
def _channel_types(holds: type) -> dict[str, TypeAdapter[Any]]:
    """What the channels of a state hold, by name."""
    return {name: TypeAdapter(kind) for name, kind in get_type_hints(holds).items()}


def _check_channel(kind: TypeAdapter[Any], value: Any) -> None:
    """Raise UsageError unless a channel can hold the value; the input of a branch has lists."""
    try:
        kind.validate_python(tuple(value) if isinstance(value, list) else value, strict=True)
    except ValidationError as error:
        raise foreign_archive() from error


def _check_checkpoint(checkpoint: Any, id: Any) -> None:
    """Raise UsageError unless LangGraph can go on from a checkpoint, which is that of its row."""
    if not isinstance(checkpoint, dict) or checkpoint.get("id") != id:
        raise foreign_archive()
    versions, seen = checkpoint.get("channel_versions"), checkpoint.get("versions_seen", {})
    if not isinstance(checkpoint.get("ts"), str) or not isinstance(seen, dict):
        raise foreign_archive()
    if not all(map(_are_versions, (versions, *seen.values()))):
        raise foreign_archive()


def _are_versions(versions: Any) -> bool:
    return isinstance(versions, dict) and all(
        isinstance(name, str) and isinstance(version, str | int | float)
        for name, version in versions.items()
    )


def _is_storable(cell: Any) -> bool:
    """Whether SQLite can store the value."""
    return (
        cell is None
        or isinstance(cell, str | bytes)
        or (isinstance(cell, int) and -MAX_INTEGER <= cell <= MAX_INTEGER)
    )


def _check_pieces(read: dict[str, list[list[Any]]], budget: ProofBudget) -> None:
    """Raise UsageError if a piece of a value is missing, or a value has no pieces."""
    known = {digest for digest, *_ in read["pieces"]}
    for *_, many, digests in read["channel_values"]:
        if many not in (0, 1) or not isinstance(digests, bytes) or not (many or digests):
            raise foreign_archive()
        budget.spend(len(digests) // DIGEST_BYTES * PIECE_BYTES)
        if not known.issuperset(split_digests(digests)):
            raise foreign_archive()


def _parse_json(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise foreign_archive() from error


def _load_value(
    load: Callable[[tuple[str, bytes]], Any], kind: Any, body: Any, budget: ProofBudget
) -> Any:
    if not isinstance(kind, str) or not isinstance(body, bytes):
        raise foreign_archive()
    try:
        plain, _ = split_kind(kind)
        if plain not in KINDS:
            raise foreign_archive()
        if plain.endswith(PACKED):
            unpacker = zlib.decompressobj()
            budget.spend(len(unpacker.decompress(body, MAX_UNPACKED)))
            if unpacker.unconsumed_tail or not unpacker.eof:
                raise foreign_archive()
        else:
            budget.spend(len(body))
        return load((kind, body))
    except (zlib.error, ValueError, TypeError, KeyError, RecursionError) as error:
        raise foreign_archive() from error


def _check_value(value: Any, allowed: frozenset[type], depth: int = MAX_DEPTH) -> None:
    """Raise UsageError unless a value and all within it are valid and of allowed types."""
    if isinstance(value, Send):
        value = value.arg
    if isinstance(value, list | tuple):
        inner = list(value)
    elif type(value) in allowed:
        inner = [] if isinstance(value, BaseModel) else list(vars(value).values())
    elif _is_plain(value) or _is_interrupt(value):
        return
    else:
        raise foreign_archive()
    if isinstance(value, BaseModel):
        _check_model(value)
    if inner and not depth:
        raise foreign_archive()
    for item in inner:
        _check_value(item, allowed, depth - 1)


def _is_plain(value: Any) -> bool:
    return isinstance(value, PLAIN_TYPES) and not (
        isinstance(value, float) and not math.isfinite(value)
    )


def _check_model(value: BaseModel) -> None:
    if isinstance(value, Question):
        refuse_changing_sites(value)
    try:
        dumped = value.model_dump(warnings=False)
        type(value).model_validate(dumped)
        for address in _addresses_in(dumped):
            urlsplit(address)
    except (ValueError, RecursionError) as error:
        raise foreign_archive() from error


def _addresses_in(dumped: Any, name: str = "") -> Iterator[str]:
    """The values of all keys of a dumped model that hold addresses."""
    if isinstance(dumped, str):
        yield from [dumped] if name in ADDRESS_KEYS else []
    elif isinstance(dumped, dict):
        for key, value in dumped.items():
            yield from _addresses_in(value, key)
    elif isinstance(dumped, list | tuple):
        for value in dumped:
            yield from _addresses_in(value, name)


def refuse_changing_sites(question: Question) -> None:
    """Raise UsageError for a site that may change something: nobody here has named it."""
    for site in question.sites:
        if why := address_side_effect(site):
            raise UsageError(
                f"Opening a site of the session in this file may change something: {site} ({why}).",
                "If you want that, ask the question yourself.",
            )


def _is_interrupt(value: Any) -> bool:
    """Whether the value is a LangGraph interrupt; the resumed session raises it again."""
    return type(value).__module__ == "langgraph.types" and type(value).__name__ == "Interrupt"
