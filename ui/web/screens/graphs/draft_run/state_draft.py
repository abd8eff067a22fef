"""A state that is being changed by hand, and what its types say; uses nothing of Streamlit."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import UnionType
from typing import Any, Final, Literal

from pydantic import JsonValue

Schema = Mapping[str, Any]
Place = tuple[int | str, ...]
"""A key of the state, and the members and indices that lead on from there."""
Kind = Literal[
    "choice", "switch", "integer", "number", "text", "lines", "list", "map", "model", "json"
]
NULL: Final = {"type": "null"}
SIMPLE: Final[dict[str, tuple[Kind, type | UnionType]]] = {
    "boolean": ("switch", bool),
    "integer": ("integer", int),
    "number": ("number", int | float),
    "string": ("text", str),
}
MOST_EXACT: Final = 2**53
"""From here on a browser does not keep each whole number."""


@dataclass
class StateDraft:
    """What a person has changed so far.

    `values` are the changed keys, `unread` texts that are no JSON, `opened` the models whose fields
    are shown. Fields are named by `revision`: they are drawn anew once rows moved. `takers` take a
    new value from the fields that are drawn.
    """

    values: dict[str, JsonValue] = field(default_factory=dict)
    unread: dict[Place, str] = field(default_factory=dict)
    opened: set[Place] = field(default_factory=set)
    revision: int = 0
    takers: list[Callable[[], None]] = field(default_factory=list)

    def take_fields(self) -> None:
        """Take what stands in the fields, where a button was pressed before they were taken."""
        for take in self.takers:
            take()

    def put(self, place: Place, value: JsonValue, whole: JsonValue) -> None:
        """Set the value at a place; `whole` is its key's value as it is in the session."""
        key, *inner = place
        self.unread.pop(place, None)
        self.values[str(key)] = _with_value(self.values.get(str(key), whole), inner, value)

    def put_rows(self, place: Place, rows: JsonValue, whole: JsonValue) -> None:
        """Set what has other rows or members than before."""
        self.put(place, rows, whole)
        self.unread = {at: text for at, text in self.unread.items() if not _inside(at, place)}
        self.opened = {at for at in self.opened if not _inside(at, place)}
        self.revision += 1

    def toggle(self, place: Place) -> None:
        """Show the fields of a model, or hide them."""
        self.opened ^= {place}


def _inside(place: Place, other: Place) -> bool:
    return len(place) > len(other) and place[: len(other)] == other


def _with_value(old: JsonValue, inner: list[int | str], value: JsonValue) -> JsonValue:
    if not inner:
        return value
    step, *rest = inner
    if isinstance(old, list):
        at = int(step)
        return [*old[:at], _with_value(old[at], rest, value), *old[at + 1 :]]
    members = old if isinstance(old, dict) else {}
    return {**members, str(step): _with_value(members.get(str(step)), rest, value)}


def find_schema(schema: Schema, definitions: Schema) -> tuple[Schema, bool]:
    """What a schema stands for, without references, and whether the value may be missing."""
    optional = False
    while True:
        if "$ref" in schema:
            name = str(schema["$ref"]).rpartition("/")[2]
            schema = definitions[name]
        elif NULL in schema.get("anyOf", ()):
            [*others] = (each for each in schema["anyOf"] if each != NULL)
            schema, optional = (others[0] if len(others) == 1 else {"anyOf": others}), True
        else:
            return schema, optional


def find_choices(schema: Schema) -> list[JsonValue]:
    """The values of a Literal, or of a union of some."""
    if "const" in schema:
        return [schema["const"]]
    if "enum" in schema:
        return list(schema["enum"])
    found = [find_choices(each) for each in schema.get("anyOf", ())]
    return [each for some in found for each in some] if all(found) else []


def find_kind(schema: Schema, value: JsonValue) -> Kind:
    """The field that can show a value of this schema; JSON if no other can."""
    if choices := find_choices(schema):
        return "choice" if value in choices else "json"
    if isinstance(value, list):
        items = schema.get("items", {})
        lines = items == {"type": "string"} and all(map(_is_line, value))
        return "lines" if lines else "list" if items else "json"
    kind, values = SIMPLE.get(str(schema.get("type")), ("json", object))
    if "properties" in schema and isinstance(value, dict):
        return "model"
    if isinstance(schema.get("additionalProperties"), Mapping) and isinstance(value, dict):
        return "map"
    large = isinstance(value, int) and abs(value) >= MOST_EXACT
    return kind if isinstance(value, values) and not large else "json"


def _is_line(value: JsonValue) -> bool:
    """Whether a text can stand on a line of its own, and is the same there."""
    return isinstance(value, str) and value.strip().splitlines() == [value]


def renamed_member(value: Mapping[str, JsonValue], old: str, new: str) -> dict[str, JsonValue]:
    """The members with another name for one of them, in the same place."""
    return {new if name == old else name: each for name, each in value.items()}


def new_name(value: Mapping[str, JsonValue]) -> str:
    """A name for a new member, which none has."""
    names = ("new", *(f"new {number}" for number in range(2, len(value) + 2)))
    return next(name for name in names if name not in value)


def empty_value(schema: Schema, definitions: Schema) -> JsonValue:
    """A value to begin with: the default, else an empty one, which may not fit yet."""
    if "default" in schema:
        default: JsonValue = schema["default"]
        return default
    schema, optional = find_schema(schema, definitions)
    if optional:
        return None
    if choices := find_choices(schema):
        return choices[0]
    if "properties" in schema:
        members: Schema = schema["properties"]
        return {name: empty_value(each, definitions) for name, each in members.items()}
    least = schema.get("minimum", 0)
    empty: dict[str, JsonValue] = {
        "string": "",
        "boolean": False,
        "integer": int(least),
        "number": float(least),
        "array": [],
    }
    return empty.get(str(schema.get("type")), {})
