"""A script whose replies are as short as the schema of a request permits."""

import math
from typing import Any

from tests.endpoint.reply import Reply
from tests.endpoint.request import Asked, Json

FORMATS = {
    "date": "2000-01-01",
    "date-time": "2000-01-01T00:00:00Z",
    "time": "00:00:00Z",
    "duration": "P1D",
    "email": "a@example.org",
    "uri": "http://example.org/",
    "uuid": "00000000-0000-4000-8000-000000000000",
}


def conforming(asked: Asked) -> Reply:
    """The minimal JSON for the schema asked for, wherever it stands; else an empty object or OK."""
    if asked.schema is not None:
        return Reply(minimal(asked.schema))
    return Reply({} if asked.way in {"json", "tool"} else "OK")


class EndlessError(ValueError):
    """A schema that only endless JSON fits."""


def minimal(schema: Json) -> Any:
    """The least JSON that fits a schema. Raises EndlessError."""
    return _least(schema, schema, ())


def _least(schema: Json, root: Json, within: tuple[str, ...]) -> Any:
    if "$ref" in schema:
        return _referred(schema["$ref"], root, within)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return _either(options, root, within)
    if parts := schema.get("allOf"):
        return _merged(
            [*parts, {key: schema[key] for key in schema if key != "allOf"}], root, within
        )
    return _typed(schema, root, within)


def _referred(ref: str, root: Json, within: tuple[str, ...]) -> Any:
    if ref in within:
        raise EndlessError(f"{ref} needs itself")
    found = root
    for step in ref.removeprefix("#").strip("/").split("/"):
        found = found[step.replace("~1", "/").replace("~0", "~")] if step else found
    return _least(found, root, (*within, ref))


def _either(options: list[Json], root: Json, within: tuple[str, ...]) -> Any:
    if any(option.get("type") == "null" for option in options):
        return None
    for option in options:
        try:
            return _least(option, root, within)
        except EndlessError:
            continue
    raise EndlessError("every choice needs itself")


def _merged(parts: list[Json], root: Json, within: tuple[str, ...]) -> Any:
    values = [
        _least(part, root, within) for part in parts if part.keys() - {"title", "description"}
    ]
    if not all(isinstance(value, dict) for value in values):
        return values[0]
    return {key: value for each in values for key, value in each.items()}


def _typed(schema: Json, root: Json, within: tuple[str, ...]) -> Any:
    kinds = schema.get("type", "object" if "properties" in schema else "null")
    kind = kinds if isinstance(kinds, str) else ("null" if "null" in kinds else kinds[0])
    match kind:
        case "object":
            properties = schema.get("properties", {})
            needed = schema.get("required", [])
            return {key: _least(properties.get(key, {}), root, within) for key in needed}
        case "array":
            return _listed(schema, root, within)
        case "string":
            return FORMATS.get(schema.get("format", ""), "x" * schema.get("minLength", 0))
        case "integer" | "number":
            return _number(schema, kind)
    return {"boolean": False}.get(kind)


def _listed(schema: Json, root: Json, within: tuple[str, ...]) -> list[Any]:
    first = [_least(each, root, within) for each in schema.get("prefixItems", [])]
    missing = max(0, schema.get("minItems", 0) - len(first))
    return first + ([_least(schema.get("items", {}), root, within)] * missing if missing else [])


def _number(schema: Json, kind: str) -> float:
    low = schema.get("minimum", -math.inf)
    above = schema.get("exclusiveMinimum", -math.inf)
    high = min(schema.get("maximum", math.inf), schema.get("exclusiveMaximum", math.inf))
    least: float = 0 if max(low, above) == -math.inf else low if low > above else above + 1
    if least > high or (least == high == schema.get("exclusiveMaximum")):
        least = (above + high) / 2 if above > -math.inf else high - 1
    return math.ceil(least) if kind == "integer" else least
