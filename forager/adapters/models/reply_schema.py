"""The shape of a role's reply: as JSON Schema for an endpoint, and in words for a prompt."""

from typing import Any

from pydantic import BaseModel

from forager.ports import RoleReply

Schema = dict[str, Any]
UNSAID = frozenset({"title", "default", "minimum", "maximum", "exclusiveMinimum", "minLength"})
"""Keywords that strict modes refuse, or that say nothing to a model."""


def strict(model: type[BaseModel]) -> Schema:
    """The JSON Schema that strict modes ask for: all fields required, and no others allowed."""
    schema = model.model_json_schema()
    definitions: Schema = schema.pop("$defs", {})
    schema.pop("description", None)
    inherited = [name for name in RoleReply.model_fields if name in schema["properties"]]
    for name in inherited:  # behind the role's own: a model writes in the order of the fields
        schema["properties"][name] = schema["properties"].pop(name)
    made: Schema = _strict(schema, definitions)
    return made


def describe(schema: Schema, indent: str = "") -> str:
    """The fields of a reply, one a line, with their types and meanings."""
    lines: list[str] = []
    for name, field in schema["properties"].items():
        inner = field.get("items", field)
        said = f": {field['description']}" if field.get("description") else ""
        lines.append(f"{indent}- {name} ({_kind(field)}){said}")
        if "properties" in inner:
            lines.append(describe(inner, f"{indent}  "))
    return "\n".join(lines)


def _strict(node: Any, definitions: Schema, *, names: bool = False) -> Any:
    """A node of the schema; where `names` is set its keys are the names of fields."""
    if isinstance(node, list):
        return [_strict(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        named = dict(definitions[node["$ref"].rpartition("/")[2]])
        named.pop("description", None)  # the class's docstring; the field's own says what it is for
        beside = {key: value for key, value in node.items() if key != "$ref"}
        return _strict({**named, **beside}, definitions)
    kept = {
        key: _strict(value, definitions, names=key == "properties")
        for key, value in node.items()
        if names or key not in UNSAID
    }
    if not names and kept.get("type") == "object":
        kept |= {"additionalProperties": False, "required": list(kept.get("properties", {}))}
    return kept


def _kind(field: Schema) -> str:
    if "enum" in field:
        return " or ".join(f'"{value}"' for value in field["enum"])
    if field.get("type") == "array":
        return f"list of {_kind(field['items'])}s"
    return str(field.get("type", "value"))
