"""Pages of the handbook that the program writes itself: settings, node types, presets."""

from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from forager.node_type import NodeType, Registry
from forager.settings import Settings
from graphs.spec.mermaid import mermaid
from graphs.spec.spec import GraphSpec, load, presets
from ui.handbook import Leaf, leaf


def generated(registry: Registry) -> dict[str, Leaf]:
    """Every generated page, by name."""
    pages = {"settings": leaf(settings_page()), "node-types": leaf(types_page(registry))}
    return pages | {f"preset-{name}": leaf(preset_page(load(name))) for name in presets()}


def settings_page() -> str:
    """Every setting with its variable and its default."""
    lines = [
        "# Settings",
        "",
        "Each setting is an environment variable, or a line of a file `.env` in the folder in "
        "which Forager is started. None has to be set.",
        "",
        *table("variable", "default", "meaning"),
    ]
    for name, field in Settings.model_fields.items():
        variable = field.validation_alias or f"FORAGER_{name.upper()}"
        lines.append(row(f"`{variable}`", default(field), field.description or ""))
    return "\n".join(lines) + "\n"


def types_page(registry: Registry) -> str:
    """Every node type of the registry."""
    lines = [
        "# Node types",
        "",
        "The types that a node of a graph can have, with their parameters.",
    ]
    for kind in registry.values():
        lines += ["", *type_section(kind)]
    return "\n".join(lines) + "\n"


def type_section(kind: NodeType) -> list[str]:
    """One node type: what it does, its ways out, the keys it touches, its parameters."""
    lines = [f"## {kind.name}", "", f"{sentence(kind.summary)} Its family is {kind.family}.", ""]
    lines.append(f"- Routes: {names(kind.routes)}")
    if kind.spent:
        lines.append(f"- Takes the route `{kind.spent}` once its budget is spent")
    lines.append(f"- Reads: {names(sorted(kind.reads | kind.looks))}")
    lines.append(f"- Writes: {names(sorted(kind.writes))}")
    fields = kind.params.model_fields
    if fields:
        lines += ["", *table("parameter", "default", "meaning")]
        for name, field in fields.items():
            lines.append(row(f"`{name}`", default(field), field.description or ""))
    return lines


def preset_page(spec: GraphSpec) -> str:
    """A preset: its nodes, its edges, and its drawing."""
    lines = [f"# The graph {spec.name}", "", sentence(spec.description), ""]
    lines += table("node", "type", "parameters")
    for name, node in spec.nodes.items():
        params = ", ".join(f"{key} = {value}" for key, value in node.params.items())
        lines.append(row(f"`{name}`", node.type, params or "the defaults"))
    lines += ["", "## Edges", "", *(f"- `{edge}`" for edge in spec.edges)]
    lines += ["", "## Drawing", "", "```mermaid", mermaid(spec).rstrip(), "```"]
    return "\n".join(lines) + "\n"


def default(field: FieldInfo) -> str:
    """A field's default as a reader would write it."""
    value = field.get_default(call_default_factory=True) if not field.is_required() else None
    if value is PydanticUndefined or field.is_required():
        return "required"
    if isinstance(value, Path):
        value = (
            f"~/{value.relative_to(Path.home())}" if value.is_relative_to(Path.home()) else value
        )
    if isinstance(value, tuple):
        value = ",".join(map(str, value))
    if isinstance(value, BaseModel):
        value = value.model_dump_json()
    return "not set" if value in (None, (), "") else f"`{value}`"


def table(*headings: str) -> list[str]:
    """The head of a Markdown table."""
    return [row(*headings), row(*("---" for _ in headings))]


def row(*cells: str) -> str:
    """A row of a Markdown table."""
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


def names(words: Iterable[str]) -> str:
    """Words as code, with commas."""
    return ", ".join(f"`{word}`" for word in words) or "nothing"


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    text = text.strip()
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "?", "!")) else ".")
