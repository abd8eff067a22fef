"""A text with line numbers, search and completion, such as the YAML of a graph, or a prompt."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel

from forager.errors import GraphError
from forager.node_type import Registry
from graphs.check.finding import Finding
from graphs.spec.spec import parse_graph
from ui.web.components.component import mount_code
from ui.web.tab_state import widget_value
from ui.web.words import later, say, say_told

LINE = re.compile(r"\bline (\d+)")
KEYS = {
    "name": later("The method's name"),
    "description": later("What the method does"),
    "parameters": later("Values to set when asking"),
    "nodes": later("The nodes by name"),
    "edges": later("Where each route leads"),
}
"""The keys of a graph that a person writes."""


def code_editor(  # noqa: PLR0913  # what it shows, and what it does
    key: str,
    text: str,
    label: str,
    on_text: Callable[[str], object],
    *,
    kind: Literal["yaml", "prompt"],
    height: int,
    **more: Any,
) -> None:
    """The text; `on_text` is given it when it was changed and left, or Ctrl+Enter was pressed."""

    def take_text() -> None:
        new = widget_value(key, {}).get("text")
        if isinstance(new, str):
            on_text(new)

    mount_code(
        key, text=text, label=label, kind=kind, height=height, on_text_change=take_text, **more
    )


def graph_schema(types: Registry) -> Mapping[str, Any]:
    """What may be written in a graph, for completion."""
    described = {
        name: {
            "about": say_told(kind.summary),
            "routes": list(kind.routes),
            "params": _params_of(kind.params),
        }
        for name, kind in types.items()
    }
    return {"keys": {name: say(about) for name, about in KEYS.items()}, "types": described}


def line_findings(
    findings: Sequence[Finding], lines: Mapping[str, int]
) -> Iterable[Mapping[str, Any]]:
    """The findings that are about a line of the text."""
    for finding in findings:
        place = finding.at.partition("/")[0]
        if line := lines.get(finding.at) or lines.get(place):
            told = " ".join(filter(None, (say_told(finding.message), say_told(finding.mend))))
            yield {"line": line, "severity": finding.severity, "message": told}


def text_fault(text: str) -> list[Mapping[str, Any]]:
    """Why a text is no graph, at its line."""
    try:
        parse_graph(text)
    except GraphError as error:
        found = LINE.search(error.what)
        line = int(found[1]) if found else 1
        return [{"line": line, "severity": "error", "message": say_told(str(error))}]
    return []


@lru_cache(64)
def _schemas_of(model: type[BaseModel]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = model.model_json_schema().get("properties", {})
    return found


def _params_of(model: type[BaseModel]) -> Mapping[str, Any]:
    return {
        name: {"about": say_told(str(schema.get("description", ""))), "choices": _choices(schema)}
        for name, schema in _schemas_of(model).items()
    }


def _choices(schema: Mapping[str, Any]) -> list[str]:
    if schema.get("type") == "boolean":
        return ["true", "false"]
    return [str(each) for each in schema.get("enum", ())]
