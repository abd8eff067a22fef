"""The schema of a role's reply: as JSON Schema for an endpoint, and in words for a prompt."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Any

from pydantic import BaseModel

from forager.ports import RoleReply

Schema = dict[str, Any]
OMITTED_KEYWORDS = frozenset(
    {"title", "default", "minimum", "maximum", "exclusiveMinimum", "minLength"}
)
"""Keywords that strict modes refuse or that mean nothing to a model."""


def strict_schema(model: type[BaseModel], without: AbstractSet[str] = frozenset()) -> Schema:
    """The JSON Schema for strict modes: all fields are required, and no others are allowed.

    Fields `without` which the reply is asked for are left out at any depth.
    """
    schema = model.model_json_schema()
    definitions: Schema = schema.pop("$defs", {})
    schema.pop("description", None)
    inherited = [name for name in RoleReply.model_fields if name in schema["properties"]]
    for name in inherited:  # last, because a model writes fields in the order of the schema
        schema["properties"][name] = schema["properties"].pop(name)
    converted: Schema = _make_strict(schema, definitions)
    return _rebuild(converted, lambda node: _drop_fields(node, without))


def bare_schema(schema: Schema) -> Schema:
    """A strict schema without the meanings of its fields, which the prompt tells in words."""
    return _rebuild(schema, lambda node: {key: node[key] for key in node if key != "description"})


def describe_fields(schema: Schema, indent: str = "") -> str:
    """Describe the fields of a reply, one per line, with types and meanings."""
    lines: list[str] = []
    for name, field in schema["properties"].items():
        inner = field.get("items", field)
        meaning = f": {field['description']}" if field.get("description") else ""
        lines.append(f"{indent}- {name} ({_describe_type(field)}){meaning}")
        if "properties" in inner:
            lines.append(describe_fields(inner, f"{indent}  "))
    return "\n".join(lines)


def _make_strict(node: Any, definitions: Schema, *, names: bool = False) -> Any:
    """Convert a node of the schema; with `names`, its keys are names of fields."""
    if isinstance(node, list):
        return [_make_strict(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        named = dict(definitions[node["$ref"].rpartition("/")[2]])
        named.pop("description", None)  # the class's docstring; the field has its own description
        beside = {key: value for key, value in node.items() if key != "$ref"}
        return _make_strict({**named, **beside}, definitions)
    kept = {
        key: _make_strict(value, definitions, names=key == "properties")
        for key, value in node.items()
        if names or key not in OMITTED_KEYWORDS
    }
    if not names and kept.get("type") == "object":
        kept |= {"additionalProperties": False, "required": list(kept.get("properties", {}))}
    return kept


def _rebuild(node: Schema, change: Callable[[Schema], Schema]) -> Schema:
    """A strict schema with each of its nodes changed, from the inside out."""
    inner = dict(node)
    if "properties" in node:
        fields = node["properties"].items()
        inner["properties"] = {name: _rebuild(field, change) for name, field in fields}
    if "items" in node:
        inner["items"] = _rebuild(node["items"], change)
    return change(inner)


def _drop_fields(node: Schema, names: AbstractSet[str]) -> Schema:
    if "properties" not in node:
        return node
    fields = {name: field for name, field in node["properties"].items() if name not in names}
    return node | {"properties": fields, "required": list(fields)}


def _describe_type(field: Schema, plural: str = "") -> str:
    if "enum" in field:
        return " or ".join(f'"{value}"' for value in field["enum"])
    if field.get("type") == "array":
        return f"list{plural} of {_describe_type(field['items'], 's')}"
    return f"{field.get('type', 'value')}{plural}"
