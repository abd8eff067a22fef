"""YAML text to data, with the line of every value."""

from collections.abc import Iterator
from typing import Any

import yaml

from forager.errors import GraphError

Path = tuple[str | int, ...]


def read_yaml(text: str, source: str) -> tuple[Any, dict[Path, int]]:
    """The data of a YAML or JSON text, and the line (from 1) of each path. Raises GraphError."""
    if text.lstrip().startswith("{"):
        text = text.expandtabs(2)  # JSON may be indented with tabs, which YAML refuses
    try:
        if "*" in text and _has_aliases(text):
            raise GraphError(f"{source} uses YAML aliases (*name).", "Write the value out.")
        loader = yaml.SafeLoader(text)
        root = loader.get_single_node()
        places = dict(_walk(root, (), source)) if root else {}
        data = loader.construct_document(root) if root else None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        what = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise GraphError(f"{source}{line}: {what}.", "Mend the YAML.") from error
    except RecursionError as error:
        raise GraphError(f"{source} is nested too deeply.", "Flatten it.") from error
    except ValueError as error:  # a date or number that YAML recognises and cannot build
        raise GraphError(f"{source}: {error}.", "Quote the value.") from error
    return data, places


def _has_aliases(text: str) -> bool:
    return any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, yaml.SafeLoader))


def _walk(node: yaml.Node, path: Path, source: str) -> Iterator[tuple[Path, int]]:
    yield path, node.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            yield from _walk(item, (*path, index), source)
    elif isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            _check_key(key, seen, source)
            yield from (
                (p, key.start_mark.line + 1 if p == (*path, key.value) else line)
                for p, line in _walk(value, (*path, key.value), source)
            )


def _check_key(key: yaml.Node, seen: set[str], source: str) -> None:
    line = key.start_mark.line + 1
    if key.tag != "tag:yaml.org,2002:str":
        raise GraphError(f"{source}, line {line}: {key.value!r} is not a name.", "Quote it.")
    if key.value in seen:
        raise GraphError(
            f"{source}, line {line}: {key.value!r} stands twice.", "Rename or remove one of them."
        )
    seen.add(key.value)
