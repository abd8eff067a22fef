"""What the API asks of a schema: of every one, and of those under `strict`."""

from collections.abc import Iterator
from typing import Any

from tests.endpoint.request import Json

# Structured Outputs, "Supported schemas", in the API's documentation.
PERMITTED = {
    *("type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf"),
    *("$ref", "$defs", "definitions", "$schema", "title", "description", "pattern", "format"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minItems", "maxItems"),
}
FORMATS = {
    *("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"),
}
DEPTH = 10  # levels of nesting
PROPERTIES = 5000  # in all
TYPED = {"type", "anyOf", "$ref", "enum", "const"}

Path = tuple[str, ...]


def misfits(schema: Json, strict: bool) -> Iterator[str]:
    """What is wrong with a schema, in the API's words."""
    if schema.get("type") != "object":
        kind = schema.get("type")
        yield f"schema must be a JSON Schema of 'type: \"object\"', got 'type: \"{kind}\"'."
    if not strict:
        return
    yield from _misfits(schema, schema, ())
    levels, properties = _size(schema, schema)
    if levels > DEPTH:
        yield f"{levels} levels of nesting exceeds limit of {DEPTH}."
    if properties > PROPERTIES:
        yield f"{properties} object properties exceeds limit of {PROPERTIES}."


def _misfits(schema: Any, root: Json, path: Path) -> Iterator[str]:
    if not isinstance(schema, dict):
        yield f"In context={path}, {schema!r} is not of type 'object'."
        return
    yield from (
        f"In context={path}, '{key}' is not permitted." for key in sorted(schema.keys() - PERMITTED)
    )
    if schema.get("format", "date") not in FORMATS:
        yield f"In context={path}, format '{schema['format']}' is not supported."
    if "$ref" in schema:
        yield from _reference(schema, root, path)
    elif not schema.keys() & TYPED:
        yield f"In context={path}, schema must have a 'type' key."
    if _is(schema, "object"):
        yield from _object(schema, path)
    if _is(schema, "array") and "items" not in schema:
        yield f"In context={path}, array schema missing items."
    for key, child in _children(schema):
        yield from _misfits(child, root, (*path, *key))


def _reference(schema: Json, root: Json, path: Path) -> Iterator[str]:
    if others := schema.keys() - {"$ref"}:
        yield f"context={path}, $ref cannot have keywords {others}."
    if _resolved(schema["$ref"], root) is None:
        yield f"In context={path}, reference '{schema['$ref']}' points to no definition."


def _object(schema: Json, path: Path) -> Iterator[str]:
    if schema.get("additionalProperties") is not False:
        yield (
            f"In context={path}, 'additionalProperties' is required to be supplied and to be false."
        )
    names, needed = list(schema.get("properties", {})), schema.get("required", [])
    if missing := [name for name in names if name not in needed]:
        yield (
            f"In context={path}, 'required' is required to be supplied and to be an array "
            f"including every key in properties. Missing '{missing[0]}'."
        )
    if extra := [name for name in needed if name not in names]:
        yield f"In context={path}, extra required key '{extra[0]}' supplied."


def _children(schema: Json) -> Iterator[tuple[Path, Any]]:
    for key in ("properties", "$defs", "definitions"):
        yield from (((key, name), child) for name, child in schema.get(key, {}).items())
    yield from ((("anyOf", str(n)), child) for n, child in enumerate(schema.get("anyOf", [])))
    if "items" in schema:
        yield ("items",), schema["items"]


def _is(schema: Json, kind: str) -> bool:
    kinds = schema.get("type")
    return kind in kinds if isinstance(kinds, list) else kinds == kind


def _resolved(ref: str, root: Json) -> Json | None:
    if ref == "#":
        return root
    top, _, name = ref.removeprefix("#/").partition("/")
    found: Json | None = root.get(top, {}).get(name)
    return found


def _size(schema: Json, root: Json, seen: Path = ()) -> tuple[int, int]:
    """Levels of objects and arrays, and properties in all; a recursion counts once."""
    ref = schema.get("$ref")
    if ref:
        found = None if ref in seen else _resolved(ref, root)
        return _size(found, root, (*seen, ref)) if found else (0, 0)
    children = [child for key, child in _children(schema) if key[0] not in {"$defs", "definitions"}]
    sizes = [_size(child, root, seen) for child in children if isinstance(child, dict)]
    own = 1 if _is(schema, "object") or _is(schema, "array") else 0
    levels = own + max((size[0] for size in sizes), default=0)
    return levels, len(schema.get("properties", {})) + sum(size[1] for size in sizes)
