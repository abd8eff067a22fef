"""A graph's YAML brought to a changed spec; what did not change stays as it was written.

The text is cut at the marks of the reader that reads every graph, so that columns stay too and a
comment goes with what it stands above.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

import yaml

from forager.errors import GraphError
from graphs.spec.diff import renames, same
from graphs.spec.spec import GRAPH, Find, GraphSpec, nowhere, parse
from graphs.spec.yaml_cut import Change, Cutting
from graphs.spec.yaml_text import entry

ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""What JSON may hold as it is and YAML may not, or takes for the end of a line."""


def written(spec: GraphSpec) -> str:
    """The graph as a new text."""
    body = spec.model_dump(mode="json", exclude_defaults=True)
    return "".join(entry(key, value) for key, value in body.items())


def rewritten(text: str, spec: GraphSpec, find: Find = nowhere) -> str:
    """The text of a graph brought to another spec, its comments, order and columns kept.

    JSON stays JSON. A text that holds no graph, or that cannot be cut, is written anew.
    """
    plain = _plain(text)
    try:
        old = parse(plain, find=find)
    except GraphError:
        return written(spec)
    if _equal(old, spec):
        return text
    raw = yaml.safe_load(plain)
    wanted = _wanted(spec, old, raw)
    if _is_json(text):
        changed = _as_json(wanted)
    else:
        changed = _patched(plain, Change("", raw, wanted), renames(old, spec))
    try:
        if not _equal(parse(changed, find=find), spec):
            changed = written(spec)
    except GraphError:
        changed = written(spec)
    return changed.replace("\n", "\r\n") if "\r\n" in text else changed


def _plain(text: str) -> str:
    """The text with each line ended in one way."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
    return plain if plain.endswith("\n") else f"{plain}\n"


def _equal(one: GraphSpec, other: GraphSpec) -> bool:
    return one == other and one.canonical() == other.canonical()


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _as_json(wanted: object) -> str:
    """JSON that a reader of YAML takes too."""
    text = json.dumps(wanted, indent=2, ensure_ascii=False)
    return ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def _wanted(spec: GraphSpec, old: GraphSpec, raw: Mapping[str, Any]) -> dict[str, Any]:
    """What the text is to hold; what did not change, in the way in which it was written."""
    body = spec.model_dump(mode="json", exclude_defaults=True)
    now = renames(old, spec)
    before = {now.get(name, name): name for name in old.nodes}
    for name, node in spec.nodes.items():
        then = before.get(name)
        if then is not None and same(old.nodes[then], node):
            body["nodes"][name] = raw["nodes"][then]
        elif node.type == GRAPH:
            params = raw["nodes"][then].get("params", {}) if then is not None else {}
            _inner(body["nodes"][name].get("params", {}), spec, name, params.get("spec"))
    for name, place in spec.positions.items():
        if old.positions.get(name) == place:
            body["positions"][name] = raw["positions"][name]
    return body


def _inner(params: dict[str, Any], spec: GraphSpec, name: str, raw: object) -> None:
    """A graph inside another in the short form; its edges in the order in which they stood."""
    try:
        inner = spec.inner(name)
        old = GraphSpec.model_validate(raw) if isinstance(raw, dict) else None
    except (GraphError, ValueError):
        return  # the checker says what is wrong with it
    if old is None or not isinstance(raw, dict):
        params["spec"] = inner.model_dump(mode="json", exclude_defaults=True)
        return
    places = {edge: place for place, edge in enumerate(old.edges)}
    edges = tuple(sorted(inner.edges, key=lambda edge: places.get(edge, len(places))))
    kept = {"edges": edges, "positions": old.positions, "folds": old.folds}
    params["spec"] = _wanted(inner.model_copy(update=kept), old, raw)


def _patched(text: str, change: Change, names: Mapping[str, str]) -> str:
    root = yaml.compose(text, yaml.SafeLoader)
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        return "".join(entry(key, value) for key, value in change.new.items())
    return Cutting(text, names).graph(root, change, 0, len(text))
