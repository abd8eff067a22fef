"""Writes a graph as a Python file that builds it with LangGraph, on Forager's nodes.

`python_reader` reads such a file.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any, NamedTuple

from forager.domain.parameters import Parameter
from forager.node_type import Registry
from graphs.runtime.compile import joint_name, langgraph_name
from graphs.spec.resolved_graph import ResolvedGraph, resolve_types
from graphs.spec.spec import END, SET, START, Edge, GraphSpec

PACKAGE = "forager-agent"
WIDTH = 100
STEP = "    "
OUTER = "build_graph"
PARAMETERS = "PARAMETERS"
PARTS = "ONCE", "Nodes", "fan_out", "join_found", "run_branch", "run_inside"
"""What graphs are built with, some of it not by all."""
HEAD = '''\
"""A graph of Forager, built with LangGraph: change nodes and edges as you like.

Start it with the Python of Forager's folder, or with uv, which installs what it needs (the wheel of
Forager is what `./run wheel` makes):

    .venv/bin/python FILE "QUESTION" --site https://…/
    uv run --find-links dist FILE "QUESTION" --site https://…/
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["{package}=={version}"]
# ///

from langgraph.graph import END, START, StateGraph

{parameters}from graphs.runtime.graph_nodes import {parts}
from ui.cli.graph_script import main


'''
FOOT = """\



if __name__ == "__main__":
    main({arguments})
"""


def write_python(spec: GraphSpec, registry: Registry) -> str:
    """The text of a file that builds the graph and asks it a question.

    The graph must have no errors: its node types are known, and its inner graphs are whole. The
    file's command line sets its parameters.
    """
    writer = _Writer()
    writer.write_function(resolve_types(spec, registry), OUTER, spec.parameters)
    own = _declared(spec.parameters, f"{PARAMETERS} = ")
    blocks = ["\n".join(_lay_out(own, level=0))] if spec.parameters else []
    body = "\n\n\n".join([*blocks, *writer.functions])
    parts = ", ".join(part for part in PARTS if part in body)
    imported = f"from {Parameter.__module__} import Parameter\n" if "Parameter(" in body else ""
    head = HEAD.format(package=PACKAGE, version=version(PACKAGE), parts=parts, parameters=imported)
    arguments = [OUTER, _text(spec.name), *([PARAMETERS] if spec.parameters else [])]
    return head + body + FOOT.format(arguments=", ".join(arguments))


class Group(NamedTuple):
    """A call, a list or a dictionary: what stands around its items, and the items."""

    opening: str
    items: Sequence["Group | str"]
    closing: str = ")"

    @property
    def flat(self) -> str:
        """On one line."""
        inside = ", ".join(item if isinstance(item, str) else item.flat for item in self.items)
        return f"{self.opening}{inside}{self.closing}"


class _Writer:
    """Collects a function for each graph, inner ones before those that they are in."""

    def __init__(self) -> None:
        self.functions: list[str] = []
        self._taken = {OUTER}

    def write_function(
        self, seen: ResolvedGraph, function: str, parameters: Mapping[str, Parameter]
    ) -> None:
        """Its `parameters` are those of `seen`, without the values that the node around it sets."""
        inner = {name: self._write_inner(seen, name, function) for name in seen.inner}
        lines = [f"def {function}(nodes: Nodes) -> StateGraph:"]
        if seen.spec.description:
            lines.append(f"{STEP}{_text(seen.spec.description)}")
        lines += _declaration(seen, parameters, outer=function == OUTER)
        lines.append(f"{STEP}graph = nodes.new_graph()")
        for name, node in seen.spec.nodes.items():
            if name in inner:
                lines += _inner_node(seen, name, inner[name])
                continue
            given = [_literal(each) for each in (node.params, node.prompts)]
            given = given[: 2 if node.prompts else bool(node.params)]
            bound = Group("nodes.bind(", [_text(name), _text(node.type), *given])
            lines += _lay_out(Group("graph.add_node(", [_own(name), bound]))
        lines += _edges(seen)
        self.functions.append("\n".join([*lines, f"{STEP}return graph"]))

    def _write_inner(self, seen: ResolvedGraph, name: str, outer: str) -> str:
        wanted = f"build_{name}" if outer == OUTER else f"{outer}_{name}"
        function, number = wanted, 1
        while function in self._taken:
            number += 1
            function = f"{wanted}_{number}"
        self._taken.add(function)
        self.write_function(seen.inner[name], function, seen.spec.inner(name).parameters)
        return function


def _declaration(
    seen: ResolvedGraph, parameters: Mapping[str, Parameter], *, outer: bool
) -> Iterator[str]:
    """The lines that give a graph's parameters their values, if it has any."""
    if outer and parameters:
        yield f"{STEP}nodes = nodes.declare({PARAMETERS})"
    elif parameters or dict(seen.nodes) != seen.spec.nodes:
        yield from _lay_out(Group("nodes = nodes.declare(", [_declared(parameters)]))


def _declared(parameters: Mapping[str, Parameter], before: str = "") -> Group:
    items: list[Group] = []
    for name, own in parameters.items():
        words = [f"type={_text(own.type)}", f"default={_literal(own.default)}"]
        if own.help:
            words.append(f"help={_text(own.help)}")
        items.append(Group(f"{_text(name)}: Parameter(", words))
    return Group(f"{before}{{", items, "}")


def _inner_node(seen: ResolvedGraph, name: str, function: str) -> Iterator[str]:
    """The lines that add an inner graph, and where it runs in branches, what joins them."""
    values = seen.spec.nodes[name].params.get(SET)
    words = [_text(name), *([_literal(values)] if values else [])]
    inside = Group(f"{name}_graph = {function}(nodes.inside(", words, ")")
    yield from _lay_out(inside, after=f").compile(name={_text(seen.inner[name].spec.name)})")
    run = "run_branch" if seen.runs_in_branches(name) else "run_inside"
    yield f"{STEP}graph.add_node({_own(name)}, {run}({name}_graph), retry_policy=ONCE)"
    if seen.runs_in_branches(name):
        yield f"{STEP}graph.add_node({_text(joint_name(name))}, join_found)"
        yield f"{STEP}graph.add_edge({_own(name)}, {_text(joint_name(name))})"


def _edges(seen: ResolvedGraph) -> Iterator[str]:
    by_source: dict[str, list[Edge]] = {}
    for edge in seen.spec.edges:
        by_source.setdefault(edge.source, []).append(edge)
    yield from (f"{STEP}graph.add_edge(START, {_target(edge)})" for edge in by_source[START])
    for name in seen.spec.nodes:
        edges = by_source.get(name, [])
        source = _text(joint_name(name)) if seen.runs_in_branches(name) else _own(name)
        fans = {edge.route: langgraph_name(edge.target) for edge in edges if edge.fan}
        if len(seen.routes(name)) == 1 and not fans:
            yield from (f"{STEP}graph.add_edge({source}, {_target(edge)})" for edge in edges)
            continue
        route: Group | str = f"nodes.route({_text(seen.spec.nodes[name].type)})"
        if seen.types[name].varies and seen.spec.nodes[name].params:
            kind = _text(seen.spec.nodes[name].type)
            route = Group("nodes.route(", [kind, _literal(seen.spec.nodes[name].params)])
        if fans:
            route = Group("fan_out(", [route, _literal(fans)])
        targets = [f"{_text(edge.route)}: {_target(edge)}" for edge in edges]
        words = [source, route, Group("{", targets, "}")]
        yield from _lay_out(Group("graph.add_conditional_edges(", words))


def _own(name: str) -> str:
    return _text(langgraph_name(name))


def _target(edge: Edge) -> str:
    return "END" if edge.target == END else _own(edge.target)


def _text(text: str) -> str:
    """A text as Python writes it, in double quotes; letters of all languages as they are."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in quoted)


def _literal(value: Any, key: str = "") -> Group | str:
    if isinstance(value, Mapping):
        entries = [_literal(each, f"{_text(name)}: ") for name, each in value.items()]
        return Group(f"{key}{{", entries, "}")
    if isinstance(value, list | tuple):
        return Group(f"{key}[", [_literal(each) for each in value], "]")
    return key + (_text(value) if isinstance(value, str) else repr(value))


def _lay_out(piece: Group | str, level: int = 1, after: str = "") -> Iterator[str]:
    """The lines of a piece; one that is too long has a line for each of its items."""
    flat = piece if isinstance(piece, str) else piece.flat
    if isinstance(piece, str) or len(STEP) * level + len(flat) + len(after) <= WIDTH:
        yield f"{STEP * level}{flat}{after}"
        return
    yield f"{STEP * level}{piece.opening}"
    for item in piece.items:
        yield from _lay_out(item, level + 1, ",")
    yield f"{STEP * level}{piece.closing}{after}"
