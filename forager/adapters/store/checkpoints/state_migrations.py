"""Reads stored values of earlier versions: classes that moved, and fields that changed.

A checkpoint names the module and class of every value in it. A class that was moved or renamed
has its old names in MOVED_CLASSES and RENAMED, so that data of earlier releases can be read.

The kind of a stored value names the state version that wrote it, as in `msgpack+z@2`; version 1
wrote none. To change the fields of a stored class, raise STATE_VERSION in `domain.state` and add a
step to STEPS. It receives the class name and the fields of each value in the state, and returns the
fields of the next version. Values within a value are plain dictionaries in its fields.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import ormsgpack
from langgraph.checkpoint.serde import jsonplus

from forager.domain.state import STATE_VERSION
from forager.errors import StoreError

Name = tuple[str, str]
"""Module and class."""

MOVED_CLASSES: Mapping[str, tuple[str, ...]] = {
    "forager.action": ("Action",),
    "forager.answer": ("Answer", "Citation", "Doubt"),
    "forager.element": ("Element",),
    "forager.episode": ("Episode", "Recalled"),
    "forager.frontier": ("Candidate",),
    "forager.recipe": ("Recipe",),
    "forager.results": ("Result",),
    "forager.snippet": ("Moment", "Rationale", "Snippet"),
    "forager.spend": ("Budget", "Spend"),
    "forager.state": (
        "Arm",
        "Draw",
        "Evidence",
        "Feedback",
        "Lesson",
        "Page",
        "Part",
        "Passage",
        "Proposal",
        "Question",
        "Reading",
        "Recall",
        "State",
        "Step",
        "Survey",
        "Turn",
        "Verdict",
    ),
    "forager.table": ("Cell", "Listed", "Table"),
    "forager.turn": ("Meaning",),
    "forager.view": ("Sent", "Tab", "View"),
    "forager.webform": ("Form",),
    "graphs.branch": ("Found", "Joining"),
}
"""The modules of version 0.1 with the classes that checkpoints hold."""
RENAMED: Mapping[Name, str] = {
    ("forager.results", "Result"): "SearchResult",
    ("forager.state", "Part"): "SubQuestion",
    ("forager.table", "Listed"): "ListRow",
    ("forager.view", "Sent"): "SentRequest",
    ("graphs.branch", "Found"): "BranchResult",
    ("graphs.branch", "Joining"): "JoiningState",
}
"""Old module and name to the new name of a class."""
NAMED_EXTENSIONS = frozenset(
    {
        jsonplus.EXT_CONSTRUCTOR_SINGLE_ARG,
        jsonplus.EXT_CONSTRUCTOR_POS_ARGS,
        jsonplus.EXT_CONSTRUCTOR_KW_ARGS,
        jsonplus.EXT_METHOD_SINGLE_ARG,
        jsonplus.EXT_PYDANTIC_V1,
        jsonplus.EXT_PYDANTIC_V2,
    }
)
"""The msgpack extensions whose payload begins with a module and a class name."""
OLD_MODULE = re.compile("|".join(re.escape(module) for module in MOVED_CLASSES).encode())
OPTION = ormsgpack.OPT_NON_STR_KEYS
Step = Callable[[str, Any], Any]
STEPS: Mapping[int, Step] = {}
"""Migration steps by the version that they start from."""
VERSION_MARK = "@"


class Aliases:
    """Replaces old class names in stored msgpack by the present ones."""

    def __init__(self, types: Iterable[type]) -> None:
        present = {each.__name__: (each.__module__, each.__name__) for each in types}
        self._present: dict[Name, Name] = {}
        for module, names in MOVED_CLASSES.items():
            for name in names:
                found = present.get(RENAMED.get((module, name), name))
                if found and found != (module, name):
                    self._present[(module, name)] = found

    def rename_classes(self, body: bytes) -> bytes:
        """The msgpack with present names; unchanged if it has no old ones."""
        if not self._present or not OLD_MODULE.search(body):
            return body
        return ormsgpack.packb(self._unpack(body), option=OPTION)

    def _unpack(self, body: bytes) -> Any:
        return ormsgpack.unpackb(body, ext_hook=self._rename_extension, option=OPTION)

    def _rename_extension(self, code: int, data: bytes) -> ormsgpack.Ext:
        if code not in NAMED_EXTENSIONS or not OLD_MODULE.search(data):
            return ormsgpack.Ext(code, data)
        module, name, *rest = self._unpack(data)
        module, name = self._present.get((module, name), (module, name))
        return ormsgpack.Ext(code, ormsgpack.packb((module, name, *rest), option=OPTION))


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
