"""Reads the Python file that a graph was exported as, without running it.

Its functions may only call what `python_writer` writes, with literals. Anything else is refused
with its line.
"""

import ast
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import JsonValue, ValidationError

from forager.domain.parameters import Parameter
from forager.errors import GraphError
from forager.node_type import Registry
from graphs.exchange.python_writer import PARAMETERS
from graphs.runtime.compile import joint_name
from graphs.spec.spec import END, GRAPH, INNER, SET, START, Edge, GraphSpec, NodeSpec

ENTRY, CONDITIONAL = "main", "graph.add_conditional_edges"
NAMES = {"START": START, "END": END}
JOIN = joint_name("")


def read_python(text: str, registry: Registry) -> GraphSpec:
    """The graph that the file builds. Raises GraphError with the line that is not understood."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise GraphError(
            f"The file is no Python: {error}.", "Import a file that Forager exported."
        ) from error
    functions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    file = _File(functions, _assigned(tree, PARAMETERS), registry)
    calls = [each for each in ast.walk(tree) if _called(each) == ENTRY]
    match calls:
        case [ast.Call(args=[ast.Name(id=function), name, *rest])] if function in functions and [
            ast.unparse(each) for each in rest
        ] in ([], [PARAMETERS]):
            spec = _Function(file).read(functions[function], _value(name))
        case _:
            raise GraphError(
                "The file does not say which graph it builds.",
                "A file that Forager exported ends with `main(build_graph, NAME)`.",
            )
    return spec


class _File(NamedTuple):
    """The functions of a file, its parameters, and the node types."""

    functions: Mapping[str, ast.FunctionDef]
    parameters: ast.expr | None
    registry: Registry


class _Function:
    """Reads a function that builds a graph, and those that it calls."""

    def __init__(self, file: _File, trail: tuple[str, ...] = ()) -> None:
        self._file = file
        self._trail = trail
        self._built: dict[str, dict[str, JsonValue]] = {}
        self._parameters: dict[str, Parameter] = {}
        self._names: dict[str, str] = {}
        self._nodes: dict[str, NodeSpec] = {}
        self._edges: list[Edge] = []

    def read(self, function: ast.FunctionDef, name: object) -> GraphSpec:
        """The graph that the function builds. Raises GraphError."""
        if function.name in self._trail:
            raise _refuse(function, "it builds itself")
        self._trail = (*self._trail, function.name)
        for statement in function.body:
            self._read_statement(statement)
        try:
            return GraphSpec.model_validate(
                {
                    "name": name,
                    "description": ast.get_docstring(function, clean=False) or "",
                    "parameters": self._parameters,
                    "nodes": self._nodes,
                    "edges": self._edges,
                }
            )
        except ValidationError as error:
            raise _refuse(function, error.errors()[0]["msg"]) from error

    def _read_statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Expr(value=ast.Constant()) | ast.Return():
                pass
            case ast.Assign(value=call) if _called(call) == "nodes.new_graph":
                pass
            case ast.Assign(
                targets=[ast.Name(id="nodes")], value=ast.Call(args=[declared]) as call
            ) if _called(call) == "nodes.declare":
                self._declare(declared)
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Call() as call):
                self._built[target] = self._read_inner(call)
            case ast.Expr(value=ast.Call() as call) if _called(call) == "graph.add_node":
                self._add_node(call)
            case ast.Expr(value=ast.Call() as call) if _called(call) == "graph.add_edge":
                self._add_edge(call)
            case ast.Expr(value=ast.Call() as call) if _called(call) == CONDITIONAL:
                self._add_conditional_edges(call)
            case _:
                raise _refuse(statement)

    def _declare(self, declared: ast.expr) -> None:
        """`{"depth": Parameter(type="integer", default=3)}`, or the file's `PARAMETERS`."""
        match declared:
            case ast.Name(id="PARAMETERS") if self._file.parameters:
                self._declare(self._file.parameters)
            case ast.Dict(keys=keys, values=values):
                for key, value in zip(keys, values, strict=True):
                    match value:
                        case ast.Call(func=ast.Name(id="Parameter"), args=[], keywords=words) if (
                            key
                        ):
                            given = {str(each.arg): _value(each.value) for each in words}
                        case _:
                            raise _refuse(value)
                    try:
                        parameter = Parameter.model_validate(given)
                    except ValidationError as error:
                        raise _refuse(value, error.errors()[0]["msg"]) from error
                    self._parameters[str(_value(key))] = parameter
            case _:
                raise _refuse(declared)

    def _read_inner(self, call: ast.Call) -> dict[str, JsonValue]:
        """`build_x(nodes.inside("x")).compile(name="…")`: the parameters of the node."""
        match call:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Call(func=ast.Name(id=function), args=[ast.Call() as entered]),
                    attr="compile",
                ),
                keywords=[ast.keyword(arg="name", value=name)],
            ) if function in self._file.functions and _called(entered) == "nodes.inside":
                inner = _Function(self._file, self._trail)
                spec = inner.read(self._file.functions[function], _value(name))
                values = [_value(each) for each in entered.args[1:]]
                given: dict[str, JsonValue] = {INNER: json.loads(spec.canonical())}
                return given | ({SET: values[0]} if values else {})
        raise _refuse(call)

    def _add_node(self, call: ast.Call) -> None:
        match call.args:
            case [name, ast.Call(args=[node, *words]) as own] if _called(own) == "nodes.bind":
                values = map(_value, words)
                given = dict(zip(("type", "params", "prompts"), values, strict=False))
                self._keep(_value(name), _value(node), call, **given)
            case [name, ast.Call(args=[ast.Name(id=built)]) as own] if (
                _called(own) in ("run_inside", "run_branch") and built in self._built
            ):
                own_name = built.removesuffix("_graph")
                self._keep(_value(name), own_name, call, type=GRAPH, params=self._built[built])
            case [_, ast.Name(id="join_found")]:
                pass  # the edge to it names the node
            case _:
                raise _refuse(call)

    def _keep(self, name: object, node: object, call: ast.Call, **given: object) -> None:
        try:
            self._nodes[str(node)] = NodeSpec.model_validate(given)
        except ValidationError as error:
            raise _refuse(call, error.errors()[0]["msg"]) from error
        self._names[str(name)] = str(node)

    def _add_edge(self, call: ast.Call) -> None:
        if len(call.args) != 2:  # noqa: PLR2004  # source and target
            raise _refuse(call)
        source, target = (self._end(word, call) for word in call.args)
        if source == target and str(_value(call.args[1])).endswith(JOIN):
            return
        route = "" if source == START else self._only_route(source, call)
        self._edges.append(Edge(source=source, route=route, target=target))

    def _only_route(self, source: str, call: ast.Call) -> str:
        if source == END:
            raise _refuse(call, "nothing follows the end")
        node = self._nodes[source]
        if node.type == GRAPH:
            return END
        kind = self._file.registry.get(node.type)
        if kind is None or len(kind.routes) != 1:
            raise _refuse(call, f"a {node.type} has several routes")
        return kind.routes[0]

    def _add_conditional_edges(self, call: ast.Call) -> None:
        match call.args:
            case [source, route, ast.Dict(keys=keys, values=targets)]:
                fans = self._fans(route)
                for key, target in zip(keys, targets, strict=True):
                    if key is None:
                        raise _refuse(call)
                    name = str(_value(key))
                    edge = Edge(
                        source=self._end(source, call),
                        route=name,
                        target=self._end(target, call),
                        fan=name in fans,
                    )
                    self._edges.append(edge)
            case _:
                raise _refuse(call)

    def _fans(self, route: ast.expr) -> Mapping[str, Any]:
        match route:
            case ast.Call(args=[_, fans]) if _called(route) == "fan_out":
                found = _value(fans)
                return found if isinstance(found, dict) else {}
        return {}

    def _end(self, word: ast.expr, call: ast.Call) -> str:
        """The node that a word names; a join is part of the node whose branches it joins."""
        if isinstance(word, ast.Name):
            if word.id not in NAMES:
                raise _refuse(call)
            return NAMES[word.id]
        name = str(_value(word))
        if (node := self._names.get(name.removesuffix(JOIN))) is None:
            raise _refuse(call, f"there is no node {name!r}")
        return node


def _assigned(tree: ast.Module, name: str) -> ast.expr | None:
    """What the file assigns to a name, outside of functions."""
    for each in tree.body:
        match each:
            case ast.Assign(targets=[ast.Name(id=own)], value=value) if own == name:
                return value
    return None


def _called(node: ast.AST) -> str:
    """What a call calls, with its dots; empty for anything else."""
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)):
            return f"{owner}.{name}"
    return ""


def _value(word: ast.expr) -> Any:
    """The value of a literal. Raises GraphError."""
    try:
        return ast.literal_eval(word)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError) as error:
        raise _refuse(word, "only literals are read") from error


def _refuse(node: ast.AST, why: str = "Forager does not write such a line") -> GraphError:
    return GraphError(
        f"Line {getattr(node, 'lineno', 0)} of the Python file is not understood: {why}.",
        "Only what Forager exported can be read back; run a file with other code instead.",
    )
