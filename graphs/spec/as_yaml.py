"""A graph as a new YAML text, laid out as the presets are."""

from typing import Any

import yaml

from graphs.spec.spec import GraphSpec

WIDTH = 100


class _OnOneLine(dict[str, Any]):
    """A mapping that is written with braces."""


class _Dumper(yaml.SafeDumper):
    """Lists are indented, and texts of several lines stand as they are read."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, indentless=False)


def as_yaml(spec: GraphSpec) -> str:
    """The graph with its drawing; `parse` reads the same graph back."""
    body = spec.model_dump(mode="json", exclude_defaults=True)
    body["nodes"] = {name: _node(node) for name, node in body["nodes"].items()}
    for key in ("positions", "folds"):
        if key in body:
            body[key] = _OnOneLine(body[key])
    return str(yaml.dump(body, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=WIDTH))


def _node(node: dict[str, Any]) -> dict[str, Any]:
    """On one line, unless it holds prompts or another graph."""
    holds = "prompts" in node or isinstance(node.get("params", {}).get("spec"), dict)
    return node if holds else _OnOneLine(node)


def _mapping(dumper: yaml.SafeDumper, value: _OnOneLine) -> yaml.MappingNode:
    return dumper.represent_mapping("tag:yaml.org,2002:map", value, flow_style=True)


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(_OnOneLine, _mapping)
_Dumper.add_representer(str, _text)
