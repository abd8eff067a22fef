"""The differences between two graphs, in words and with their places."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, Literal

from pydantic import BaseModel

from forager.domain.base import Frozen
from forager.errors import GraphError
from graphs.spec.spec import GRAPH, Edge, GraphSpec, NodeSpec

MIN_OVERLAP = 0.5
"""The share of common edges above which a node counts as another one renamed."""
MAX_SHOWN = 80
INNER_PARAM = "spec"


class Difference(Frozen):
    """One change: `at` is a node's name, an edge as written, or empty for the whole graph.

    `at` is a place in the new graph, or in the old one for what was removed. `was` is the old name
    of a renamed node, or the old form of a changed edge.
    """

    sign: Literal["+", "-", "~"]
    at: str
    message: str
    was: str = ""

    def __str__(self) -> str:
        return f"{self.sign} {self.at or 'graph'}: {self.message}"

    def nested_in(self, node: str) -> "Difference":
        """The same difference, seen from the graph around it."""
        return self.model_copy(update={"at": f"{node}/{self.at}" if self.at else node})


def compare_specs(old: GraphSpec, new: GraphSpec) -> tuple[Difference, ...]:
    """What was changed, added and removed; empty if both graphs are equal but for their layout."""
    names = find_renames(old, new)
    return (
        *_head_changes(old, new),
        *_node_changes(old, new, names),
        *_edge_changes(old, new, names),
    )


def find_renames(old: GraphSpec, new: GraphSpec) -> dict[str, str]:
    """The renamed nodes, from old to new name, found by type and common edges."""
    removed = [name for name in old.nodes if name not in new.nodes]
    added = [name for name in new.nodes if name not in old.nodes]
    pairs = sorted(
        ((_edge_overlap(old, new, was, now), was, now) for was in removed for now in added),
        key=lambda pair: -pair[0],
    )
    found: dict[str, str] = {}
    for overlap, was, now in pairs:
        if overlap >= MIN_OVERLAP and was not in found and now not in found.values():
            found[was] = now
    return found


def _edge_overlap(old: GraphSpec, new: GraphSpec, was: str, now: str) -> float:
    """The share of edges that two nodes have in common; higher if their parameters are equal."""
    then, here = old.nodes[was], new.nodes[now]
    if then.type != here.type:
        return 0.0
    before = {
        edge
        for edge in (rename_ends(each, {was: now}) for each in old.edges)
        if _touches(edge, now)
    }
    after = {edge for edge in new.edges if _touches(edge, now)}
    shared = len(before & after) / len(before | after) if before | after else 0.0
    return shared + (
        MIN_OVERLAP if is_same_node(then, here) and (shared or not before | after) else 0.0
    )


def _touches(edge: Edge, node: str) -> bool:
    return node in (edge.source, edge.target)


def rename_ends(edge: Edge, names: Mapping[str, str]) -> Edge:
    """The edge with renamed nodes; `names` maps old to new names."""
    ends = {end: names.get(getattr(edge, end), getattr(edge, end)) for end in ("source", "target")}
    return edge.model_copy(update=ends)


MISSING: Final = object()
"""A value that is not there."""


def is_same_value(one: object, other: object) -> bool:
    """Whether two values, models among them, are equal as JSON."""
    if MISSING in (one, other):
        return one is other
    return _show_value(_as_data(one)) == _show_value(_as_data(other))


def _as_data(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    return [_as_data(each) for each in value] if isinstance(value, tuple) else value


def inner_graph(node: NodeSpec) -> GraphSpec | None:
    """The graph inside of a node; None if it holds none."""
    if node.type != GRAPH:
        return None
    try:
        return GraphSpec(name="", nodes={"inner": node}, edges=()).inner("inner")
    except GraphError:
        return None


def is_same_node(one: NodeSpec, other: NodeSpec) -> bool:
    """Whether two nodes are equal as JSON (in Python, `1 == True`)."""
    return _show_value(one.model_dump(mode="json")) == _show_value(other.model_dump(mode="json"))


def _head_changes(old: GraphSpec, new: GraphSpec) -> Iterator[Difference]:
    if old.name != new.name:
        yield Difference(sign="~", at="", message=f"renamed from {old.name!r} to {new.name!r}")
    if old.description != new.description:
        yield Difference(sign="~", at="", message="description changed")
    for name in dict.fromkeys([*old.parameters, *new.parameters]):
        was, now = old.parameters.get(name), new.parameters.get(name)
        if now is None:
            yield Difference(sign="~", at="", message=f"no longer the parameter {name!r}")
        elif was is None:
            shown = _shorten(now.default)
            yield Difference(sign="~", at="", message=f"new parameter {name!r}: {shown}")
        elif _show_value(was.default) != _show_value(now.default):
            change = f"{_shorten(was.default)} → {_shorten(now.default)}"
            yield Difference(sign="~", at="", message=f"parameter {name!r}: {change}")
        elif was != now:
            yield Difference(sign="~", at="", message=f"parameter {name!r} changed")


def _node_changes(old: GraphSpec, new: GraphSpec, names: Mapping[str, str]) -> Iterator[Difference]:
    before = {names.get(name, name): name for name in old.nodes}
    for name, node in new.nodes.items():
        if name not in before:
            yield Difference(sign="+", at=name, message=f"new node, {_describe_node(node)}")
            continue
        was = before[name]
        if was != name:
            yield Difference(sign="~", at=name, message=f"renamed from {was!r}", was=was)
        yield from _param_changes(name, old.nodes[was], node)
    for name, node in old.nodes.items():
        if names.get(name, name) not in new.nodes:
            yield Difference(sign="-", at=name, message=f"removed, {_describe_node(node)}")


def _param_changes(name: str, old: NodeSpec, new: NodeSpec) -> Iterator[Difference]:
    if old.type != new.type:
        what = f"type {old.type!r} → {new.type!r}"
        yield Difference(sign="~", at=name, message=what)
    inner = _inner_graphs(old, new)
    for param in dict.fromkeys([*old.params, *new.params]):
        if inner and param == INNER_PARAM:
            continue
        if what := _show_param(param, old.params, new.params):
            yield Difference(sign="~", at=name, message=what)
    if inner:
        yield from (each.nested_in(name) for each in compare_specs(*inner))
    rest = {"type", "params"}
    then, now = (each.model_dump(mode="json", exclude=rest) for each in (old, new))
    for field, value in now.items():
        if _show_value(then[field]) != _show_value(value):
            yield from _text_changes(name, field, then[field], value)


def _text_changes(name: str, field: str, old: object, new: object) -> Iterator[Difference]:
    """The differences between two mappings of texts, such as the prompts of a node."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        yield Difference(sign="~", at=name, message=f"{field} changed")
        return
    for key in dict.fromkeys([*old, *new]):
        if old.get(key) != new.get(key):
            how = "removed" if key not in new else "added" if key not in old else "changed"
            yield Difference(sign="~", at=name, message=f"{field} {key!r} {how}")


def _inner_graphs(old: NodeSpec, new: NodeSpec) -> tuple[GraphSpec, GraphSpec] | None:
    """The graphs inside two nodes; None unless both hold one."""
    before, after = inner_graph(old), inner_graph(new)
    return (before, after) if before and after else None


def _show_param(param: str, old: Mapping[str, object], new: Mapping[str, object]) -> str:
    then, now = (_shorten(each[param]) if param in each else "" for each in (old, new))
    if param in old and param in new:
        return (
            f"{param} {then} → {now}" if _show_value(old[param]) != _show_value(new[param]) else ""
        )
    return f"{param} set to {now}" if param in new else f"no longer {param} {then}"


def _edge_changes(old: GraphSpec, new: GraphSpec, names: Mapping[str, str]) -> Iterator[Difference]:
    before = Counter(rename_ends(edge, names) for edge in old.edges)
    after = Counter(new.edges)
    removed, added = list((before - after).elements()), list((after - before).elements())
    for edge in added:
        then = next((each for each in removed if _edge_origin(each) == _edge_origin(edge)), None)
        if then is None:
            yield Difference(sign="+", at=str(edge), message="new edge")
            continue
        removed.remove(then)
        yield Difference(
            sign="~", at=str(edge), message=_describe_targets(then, edge), was=str(then)
        )
    old_names = {now: was for was, now in names.items()}
    for edge in removed:
        was = rename_ends(edge, old_names)
        yield Difference(sign="-", at=str(was), message="removed")


def _edge_origin(edge: Edge) -> tuple[str, str]:
    return edge.source, edge.route


def _describe_targets(then: Edge, now: Edge) -> str:
    changes = []
    if then.target != now.target:
        changes.append(f"target {then.target!r} → {now.target!r}")
    if then.fan != now.fan:
        changes.append("now one branch per arm" if now.fan else "no longer one branch per arm")
    return "; ".join(changes)


def _describe_node(node: NodeSpec) -> str:
    shown = {name: value for name, value in node.params.items() if name != INNER_PARAM}
    params = ", ".join(f"{name} {_shorten(value)}" for name, value in shown.items())
    return f"of type {node.type!r}" + (f": {params}" if params else "")


def _shorten(value: object) -> str:
    text = value if isinstance(value, str) else _show_value(value)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"


def _show_value(value: object) -> str:
    return json.dumps(_as_whole_numbers(value), sort_keys=True, ensure_ascii=False)


def _as_whole_numbers(value: object) -> object:
    """The same with `1` for `1.0`: JavaScript and YAML editors write either."""
    match value:
        case float() if value.is_integer():
            return int(value)
        case dict():
            return {key: _as_whole_numbers(each) for key, each in value.items()}
        case list() | tuple():
            return [_as_whole_numbers(each) for each in value]
        case _:
            return value
