"""A node type of one's own, held to what it says of itself: its faults are told, never a crash."""

import inspect
import traceback
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, cast, get_type_hints

from pydantic import BaseModel, TypeAdapter, ValidationError

from forager.domain.state import State, Update
from forager.errors import NodeError
from forager.ports import Ports, Task
from graphs.check import NAME
from graphs.node_type import KEYS_GIVEN, NodeType, Registry
from graphs.spec import END, GRAPH, START

BROKEN = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    NameError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)
"""What a mistake in a program raises."""
KEYS = frozenset(each.name for each in fields(State))
MEND = "Mend the file; a session goes on from there when it is resumed."


def place(error: BaseException, path: Path) -> str:
    """The error in one line, with the last line of the file that it passed."""
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg}, line {error.lineno}"
    here = [each.lineno for each in traceback.extract_tb(error.__traceback__) if _in(each, path)]
    said = str(error).splitlines() or [""]
    return f"{type(error).__name__}: {said[0]}" + (f", line {here[-1]}" if here else "")


def faults(kind: NodeType, types: Registry) -> Iterator[str]:
    """Why a type cannot be taken in beside the others."""
    if not NAME.fullmatch(kind.name) or kind.name in {START, END, GRAPH}:
        yield "its name is not of small letters, digits and _, or is taken"
    if kind.name in types:
        yield f"there is a type of that name in {types[kind.name].own or 'Forager'} already"
    if unknown := sorted({*kind.reads, *kind.looks, *kind.writes} - KEYS):
        yield f"the state has no key {unknown[0]!r}; it has {', '.join(sorted(KEYS))}"
    if given := sorted(kind.writes & KEYS_GIVEN):
        yield f"no node may write the key {given[0]!r}"
    if not kind.routes or kind.spent not in {"", *kind.routes}:
        yield "it needs a route at least, and `spent` is one of its routes or empty"
    yield from _program_faults(kind)


def _program_faults(kind: NodeType) -> Iterator[str]:
    if not inspect.iscoroutinefunction(kind.function):
        yield "its function is not an `async def`"
    if not issubclass(kind.params, BaseModel) or kind.params.model_config.get("extra") != "forbid":
        yield "its parameters do not derive from forager.domain.base.Frozen"
    if not all(issubclass(task, Task) and not inspect.isabstract(task) for task in kind.tasks):
        yield "its tasks are not forager.ports.Task with `sections` and `offline`"


def guarded(kind: NodeType, path: Path) -> NodeType:
    """The type, with a function and a route whose mistakes are told with their line."""

    async def function(state: State, ports: Ports, params: Any) -> Update:
        try:
            update = await kind.function(state, ports=ports, params=params)
        except BROKEN as error:
            raise _failed(kind, path, place(error, path)) from error
        return _fitting(update, kind, path)

    def route(state: State) -> str:
        try:
            way = kind.route(state)
        except BROKEN as error:
            raise _failed(kind, path, f"its route: {place(error, path)}") from error
        if way not in kind.routes:
            raise _failed(kind, path, f"it went {way!r}, and has {', '.join(kind.routes)}")
        return way

    return replace(kind, function=function, route=route)


def _fitting(update: object, kind: NodeType, path: Path) -> Update:
    """What it wrote, of the kinds that the state has. Raises NodeError."""
    if not isinstance(update, dict):
        raise _failed(kind, path, f"it returned {type(update).__name__}, not a dict of keys")
    if undeclared := sorted(update.keys() - kind.writes):
        raise _failed(kind, path, f"it wrote {undeclared[0]!r}, which `writes` does not name")
    hints, fitting = get_type_hints(Update), {}
    for key, value in update.items():
        try:
            fitting[key] = TypeAdapter(hints[key]).validate_python(value)
        except ValidationError as error:
            said = error.errors()[0]["msg"]
            raise _failed(kind, path, f"what it wrote to {key!r} does not fit: {said}") from error
    return cast(Update, fitting)


def _failed(kind: NodeType, path: Path, why: str) -> NodeError:
    return NodeError(f"The node type {kind.name!r} of {path.name} failed: {why}.", MEND)


def _in(frame: traceback.FrameSummary, path: Path) -> bool:
    return frame.filename == str(path)
