"""Pages of the handbook that the program writes itself: settings, node types, presets."""

from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from forager.node_type import NodeType, Registry
from forager.settings import FOLDER_SETTINGS, Settings
from graphs.exchange.mermaid import draw_mermaid
from graphs.spec.spec import GraphSpec, load_graph, preset_names
from ui.server.handbook.markdown_pages import MarkdownPage, parse_page


def generate_pages(registry: Registry) -> dict[str, MarkdownPage]:
    """Every generated page, by name."""
    pages = {
        "settings": parse_page(write_settings_page()),
        "node-types": parse_page(write_types_page(registry)),
    }
    return pages | {
        f"preset-{name}": parse_page(write_preset_page(load_graph(name))) for name in preset_names()
    }


def write_settings_page() -> str:
    """Every setting with its variable and its default."""
    lines = [
        "# Settings",
        "",
        "Set a setting as an environment variable, or in a file: `forager --env FILE COMMAND`. "
        "All settings are optional. A file `.env` in the folder where you start Forager may set "
        "those that are marked with * alone.",
        "",
        *table_head("variable", "default", "meaning"),
    ]
    for name, field in Settings.model_fields.items():
        variable = field.validation_alias or f"FORAGER_{name.upper()}"
        mark = " *" if name in FOLDER_SETTINGS else ""
        lines.append(
            table_row(f"`{variable}`{mark}", describe_default(field), field.description or "")
        )
    return "\n".join(lines) + "\n"


def write_types_page(registry: Registry) -> str:
    """Every node type in the registry."""
    lines = [
        "# Node types",
        "",
        "The types of nodes in a graph, with their routes, state keys and parameters.",
    ]
    for kind in registry.values():
        lines += ["", *write_type_section(kind)]
    return "\n".join(lines) + "\n"


def write_type_section(kind: NodeType) -> list[str]:
    """One node type: what it does, its routes, its state keys and its parameters."""
    lines = [f"## {kind.name}", "", f"{as_sentence(kind.summary)} Family: {kind.family}.", ""]
    lines.append(f"- Routes: {code_list(kind.routes)}")
    if kind.spent:
        lines.append(f"- Route when the budget is used up: `{kind.spent}`")
    lines.append(f"- Reads: {code_list(sorted(kind.reads | kind.looks))}")
    lines.append(f"- Writes: {code_list(sorted(kind.writes))}")
    fields = kind.params.model_fields
    if fields:
        lines += ["", *table_head("parameter", "default", "meaning")]
        for name, field in fields.items():
            lines.append(table_row(f"`{name}`", describe_default(field), field.description or ""))
    return lines


def write_preset_page(spec: GraphSpec) -> str:
    """A preset: its nodes, its edges, and its drawing."""
    lines = [f"# The graph {spec.name}", "", as_sentence(spec.description), ""]
    lines += table_head("node", "type", "parameters")
    for name, node in spec.nodes.items():
        params = ", ".join(f"{key} = {value}" for key, value in node.params.items())
        lines.append(table_row(f"`{name}`", node.type, params or "the defaults"))
    lines += ["", "## Edges", "", *(f"- `{edge}`" for edge in spec.edges)]
    lines += ["", "## Drawing", "", "```mermaid", draw_mermaid(spec).rstrip(), "```"]
    return "\n".join(lines) + "\n"


def describe_default(field: FieldInfo) -> str:
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


def table_head(*headings: str) -> list[str]:
    """The head of a Markdown table."""
    return [table_row(*headings), table_row(*("---" for _ in headings))]


def table_row(*cells: str) -> str:
    """A row of a Markdown table."""
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


def code_list(words: Iterable[str]) -> str:
    """Words as code, with commas."""
    return ", ".join(f"`{word}`" for word in words) or "nothing"


def as_sentence(text: str) -> str:
    """With a capital and a full stop."""
    text = text.strip()
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "?", "!")) else ".")
