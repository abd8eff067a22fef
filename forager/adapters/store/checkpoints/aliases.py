"""Old names of classes in stored checkpoints, and their present places.

A checkpoint names the module and class of every value in it. A class that was moved or renamed
has its old names here, so that data of earlier releases can be read.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import ormsgpack
from langgraph.checkpoint.serde import jsonplus

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
