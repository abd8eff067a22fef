"""Migrations of stored values from older state versions.

The kind of a stored value names the state version that wrote it, as in `msgpack+z@2`; version 1
wrote none. To change the fields of a stored class, raise STATE_VERSION in `domain.state` and add a
step to STEPS. It receives the class name and the fields of each value in the state, and returns the
fields of the next version. Values within a value are plain dictionaries in its fields.
"""

from collections.abc import Callable, Mapping
from typing import Any

import ormsgpack

from forager.adapters.store.checkpoints.aliases import NAMED_EXTENSIONS, OPTION
from forager.domain.state import STATE_VERSION
from forager.errors import StoreError

Step = Callable[[str, Any], Any]
STEPS: Mapping[int, Step] = {}
"""Migration steps by the version that they start from."""
VERSION_MARK = "@"


def mark_version(kind: str, version: int = STATE_VERSION) -> str:
    """The kind of a value, marked with the version that writes it."""
    return kind if version == 1 else f"{kind}{VERSION_MARK}{version}"


def split_kind(kind: str, newest: int = STATE_VERSION) -> tuple[str, int]:
    """Split the kind of a stored value into the plain kind and the version.

    Raises StoreError for a version newer than `newest`.
    """
    plain, _, version = kind.partition(VERSION_MARK)
    number = int(version or 1)
    refuse_newer_state(number, newest)
    return plain, number


def refuse_newer_state(version: int, newest: int = STATE_VERSION) -> None:
    """Raise StoreError for a state that a newer Forager wrote."""
    if version > newest:
        raise StoreError(
            f"A newer Forager wrote this session: its state has version {version}, this one reads "
            f"versions up to {newest}.",
            "Install the newest Forager.",
        )


def migrate_value(
    body: bytes,
    version: int,
    newest: int = STATE_VERSION,
    steps: Mapping[int, Step] = STEPS,
) -> bytes:
    """Migrate the msgpack of a value from `version` to the newest version."""
    if version >= newest:
        return body

    def change(code: int, data: bytes) -> ormsgpack.Ext:
        if code not in NAMED_EXTENSIONS:
            return ormsgpack.Ext(code, data)
        module, name, fields, *rest = _unpack(data)
        for number in range(version, newest):
            fields = steps[number](name, fields)
        migrated = (module, name, fields, *rest)
        return ormsgpack.Ext(code, ormsgpack.packb(migrated, option=OPTION))

    def _unpack(data: bytes) -> Any:
        return ormsgpack.unpackb(data, ext_hook=change, option=OPTION)

    return ormsgpack.packb(_unpack(body), option=OPTION)
