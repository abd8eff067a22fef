"""What differs between two graphs, in words and by place."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal

from forager.domain.base import Frozen
from forager.errors import GraphError
from graphs.spec.spec import GRAPH, Edge, GraphSpec, NodeSpec

MIN_OVERLAP = 0.5
"""How much of the edges two nodes must share for one to be the other, renamed and changed."""
MAX_SHOWN = 80
INNER_PARAM = "spec"


class Difference(Frozen):
    """One change: `at` is a node's name, an edge as written, or empty for the whole graph.

    It is a place of the new graph, and for what was removed one of the old. `was` is what a renamed
    node, or a changed edge, was before.
    """

    sign: Literal["+", "-", "~"]
    at: str
    message: str
    was: str = ""

    def __str__(self) -> str:
        return f"{self.sign} {self.at or 'graph'}: {self.message}"

    def nested_in(self, node: str) -> "Difference":
        """The same, told from the graph around it."""
        return self.model_copy(update={"at": f"{node}/{self.at}" if self.at else node})


def compare_specs(old: GraphSpec, new: GraphSpec) -> tuple[Difference, ...]:
    """What was changed, added and removed; none where both do the same under the same name."""
    names = find_renames(old, new)
    return (
        *_head_changes(old, new),
        *_node_changes(old, new, names),
        *_edge_changes(old, new, names),
    )


def find_renames(old: GraphSpec, new: GraphSpec) -> dict[str, str]:
    """Nodes that are called otherwise now: from the old name to the new one."""
    gone = [name for name in old.nodes if name not in new.nodes]
    come = [name for name in new.nodes if name not in old.nodes]
    pairs = sorted(
        ((_edge_overlap(old, new, was, now), was, now) for was in gone for now in come),
        key=lambda pair: -pair[0],
    )
    found: dict[str, str] = {}
    for likeness, was, now in pairs:
        if likeness >= MIN_OVERLAP and was not in found and now not in found.values():
            found[was] = now
    return found


def _edge_overlap(old: GraphSpec, new: GraphSpec, was: str, now: str) -> float:
    """The share of the edges that two nodes have in common; more for the same parameters."""
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
    """The edge between nodes that are called otherwise now."""
    ends = {end: names.get(getattr(edge, end), getattr(edge, end)) for end in ("source", "target")}
    return edge.model_copy(update=ends)


def is_same_node(one: NodeSpec, other: NodeSpec) -> bool:
    """Are two nodes the same to the last digit? In Python `1 == 1.0 == True`."""
    return _show_value(one.model_dump(mode="json")) == _show_value(other.model_dump(mode="json"))


def _head_changes(old: GraphSpec, new: GraphSpec) -> Iterator[Difference]:
    if old.name != new.name:
        yield Difference(sign="~", at="", message=f"renamed from {old.name!r} to {new.name!r}")
    if old.description != new.description:
        yield Difference(sign="~", at="", message="another description")


def _node_changes(old: GraphSpec, new: GraphSpec, names: Mapping[str, str]) -> Iterator[Difference]:
    before = {names.get(name, name): name for name in old.nodes}
    for name, node in new.nodes.items():
        if name not in before:
            yield Difference(sign="+", at=name, message=f"a new node, {_describe_node(node)}")
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
        what = f"of type {new.type!r} now, before {old.type!r}"
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
    """What differs between texts by name, as the prompts of a node are."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        yield Difference(sign="~", at=name, message=f"{field} changed")
        return
    for key in dict.fromkeys([*old, *new]):
        if old.get(key) != new.get(key):
            how = "taken away" if key not in new else "new" if key not in old else "changed"
            yield Difference(sign="~", at=name, message=f"{field} {key!r} {how}")


def _inner_graphs(old: NodeSpec, new: NodeSpec) -> tuple[GraphSpec, GraphSpec] | None:
    """The graphs inside two nodes, where both hold one."""
    if old.type != GRAPH or new.type != GRAPH:
        return None
    try:
        holder = [GraphSpec(name="", nodes={"inner": node}, edges=()) for node in (old, new)]
        return holder[0].inner("inner"), holder[1].inner("inner")
    except GraphError:
        return None


def _show_param(param: str, old: Mapping[str, object], new: Mapping[str, object]) -> str:
    then, now = (_shorten(each[param]) if param in each else "" for each in (old, new))
    if param in old and param in new:
        return (
            f"{param} {then} → {now}" if _show_value(old[param]) != _show_value(new[param]) else ""
        )
    return f"{param} set to {now}" if param in new else f"{param} {then} taken away"


def _edge_changes(old: GraphSpec, new: GraphSpec, names: Mapping[str, str]) -> Iterator[Difference]:
    before = Counter(rename_ends(edge, names) for edge in old.edges)
    after = Counter(new.edges)
    gone, come = list((before - after).elements()), list((after - before).elements())
    for edge in come:
        then = next((each for each in gone if _edge_origin(each) == _edge_origin(edge)), None)
        if then is None:
            yield Difference(sign="+", at=str(edge), message="a new route")
            continue
        gone.remove(then)
        yield Difference(
            sign="~", at=str(edge), message=_describe_targets(then, edge), was=str(then)
        )
    back = {now: was for was, now in names.items()}
    for edge in gone:
        was = rename_ends(edge, back)
        yield Difference(sign="-", at=str(was), message="removed")


def _edge_origin(edge: Edge) -> tuple[str, str]:
    return edge.source, edge.route


def _describe_targets(then: Edge, now: Edge) -> str:
    ways = [f"leads to {now.target!r} now, before to {then.target!r}"]
    if then.target == now.target:
        ways = []
    if then.fan != now.fan:
        ways.append("once for each arm now" if now.fan else "no longer once for each arm")
    return "; ".join(ways)


def _describe_node(node: NodeSpec) -> str:
    shown = {name: value for name, value in node.params.items() if name != INNER_PARAM}
    params = ", ".join(f"{name} {_shorten(value)}" for name, value in shown.items())
    return f"of type {node.type!r}" + (f": {params}" if params else "")


def _shorten(value: object) -> str:
    text = value if isinstance(value, str) else _show_value(value)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"


def _show_value(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
