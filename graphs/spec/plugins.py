"""Users' own node types, from Python files in one folder that the settings name."""

import inspect
import os
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from functools import lru_cache
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, cast, get_type_hints

from pydantic import BaseModel, TypeAdapter, ValidationError

from forager.domain.state import State, Update
from forager.errors import NodeError
from forager.node_type import KEYS_GIVEN, LoadedRegistry, NodeType, ParamFault, Registry
from forager.ports import Ports, Task
from forager.settings import Settings
from graphs.spec.moved_imports import install_moved_modules
from graphs.spec.registry import REGISTRY
from graphs.spec.spec import END, GRAPH, NAME, START

PROGRAM_ERRORS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    NameError,
    OSError,
    RuntimeError,
    SyntaxError,
    SystemExit,
    TypeError,
    ValueError,
)
"""The errors that mistakes in a plugin raise."""
STATE_KEYS = frozenset(each.name for each in fields(State))
MEND_FILE = "Correct the file; a resumed session continues from there."


def locate_error(error: BaseException, path: Path) -> str:
    """The error in one line, with the last line number of the file in its traceback."""
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg}, line {error.lineno}"
    lines = [
        each.lineno for each in traceback.extract_tb(error.__traceback__) if _is_within(each, path)
    ]
    message = str(error).splitlines() or [""]
    return f"{type(error).__name__}: {message[0]}" + (f", line {lines[-1]}" if lines else "")


def type_faults(kind: NodeType, types: Registry) -> Iterator[str]:
    """The reasons why a type cannot be added to `types`."""
    if not NAME.fullmatch(kind.name) or kind.name in {START, END, GRAPH}:
        yield "its name is reserved, or has other characters than lower-case letters, digits and _"
    if kind.name in types:
        yield f"{types[kind.name].own or 'Forager'} already has a type of that name"
    if unknown := sorted({*kind.reads, *kind.looks, *kind.writes} - STATE_KEYS):
        yield f"the state has no key {unknown[0]!r}; it has {', '.join(sorted(STATE_KEYS))}"
    if given := sorted(kind.writes & KEYS_GIVEN):
        yield f"no node may write the key {given[0]!r}"
    if not kind.routes or kind.spent not in {"", *kind.routes}:
        yield "it needs at least one route, and `spent` must be one of its routes or empty"
    yield from _program_faults(kind)


def _program_faults(kind: NodeType) -> Iterator[str]:
    if not inspect.iscoroutinefunction(kind.function):
        yield "its function is not an `async def`"
    if not issubclass(kind.params, BaseModel) or kind.params.model_config.get("extra") != "forbid":
        yield "its parameters are not derived from forager.domain.base.Frozen"
    if not all(issubclass(task, Task) and not inspect.isabstract(task) for task in kind.tasks):
        yield "its tasks are not subclasses of forager.ports.Task with `sections` and `offline`"


def guard_type(kind: NodeType, path: Path) -> NodeType:
    """The type with functions that raise NodeError, with the line, or report it, for mistakes."""

    async def function(state: State, ports: Ports, params: Any) -> Update:
        try:
            update = await kind.function(state, ports=ports, params=params)
        except PROGRAM_ERRORS as error:
            raise _node_error(kind, path, locate_error(error, path)) from error
        return _check_update(update, kind, path)

    def by_params(params: Any) -> Mapping[str, Any]:
        try:
            varied = replace(kind, **kind.by_params(params))
        except PROGRAM_ERRORS:
            return {}  # `faults` reports it
        fields = ("routes", "route", "spent", "reads", "looks", "writes", "fed", "counts")
        guarded = replace(varied, route=_guard_route(varied, path))
        return {name: getattr(guarded, name) for name in fields}

    def faults(params: Any) -> Iterator[ParamFault]:
        try:
            replace(kind, **kind.by_params(params))
            yield from tuple(kind.faults(params))
        except PROGRAM_ERRORS as error:
            failed = _node_error(kind, path, f"its parameters: {locate_error(error, path)}")
            yield ParamFault(param="", message=failed.what, mend=failed.mend)

    route = _guard_route(kind, path)
    guarded = replace(kind, function=function, route=route, faults=faults)
    return replace(guarded, by_params=by_params) if kind.varies else guarded


def _guard_route(kind: NodeType, path: Path) -> Callable[[State], str]:
    def route(state: State) -> str:
        try:
            chosen = kind.route(state)
        except PROGRAM_ERRORS as error:
            raise _node_error(kind, path, f"its route: {locate_error(error, path)}") from error
        if chosen not in kind.routes:
            known = ", ".join(kind.routes)
            raise _node_error(kind, path, f"it chose the route {chosen!r}, and has only {known}")
        return chosen

    return route


def _check_update(update: object, kind: NodeType, path: Path) -> Update:
    """The update with its values validated by the state's types. Raises NodeError."""
    if not isinstance(update, dict):
        raise _node_error(kind, path, f"it returned {type(update).__name__}, not a dict of keys")
    if undeclared := sorted(update.keys() - kind.writes):
        raise _node_error(kind, path, f"it wrote {undeclared[0]!r}, which is not in `writes`")
    hints, fitting = get_type_hints(Update), {}
    for key, value in update.items():
        try:
            fitting[key] = TypeAdapter(hints[key]).validate_python(value)
        except ValidationError as error:
            reason = error.errors()[0]["msg"]
            raise _node_error(
                kind, path, f"the value that it wrote to {key!r} is not valid: {reason}"
            ) from error
    return cast(Update, fitting)


def _node_error(kind: NodeType, path: Path, why: str) -> NodeError:
    return NodeError(f"The node type {kind.name!r} of {path.name} failed: {why}.", MEND_FILE)


def _is_within(frame: traceback.FrameSummary, path: Path) -> bool:
    return frame.filename == str(path)


FOLDER = "nodes"
SUFFIX = ".py"
WORLD_WRITABLE = 0o002


def load_registry(settings: Settings) -> LoadedRegistry:
    """The built-in node types and those of the files that the settings name.

    A file that cannot be loaded adds none; `faults` say why. The checker reports missing types.
    """
    types, faults = dict(REGISTRY), list[NodeError]()
    for name in settings.own_nodes:
        try:
            path, stamp = _find_file(plugin_folder(settings), name)
            types = _join_types(types, _read_types(path, name, stamp), path)
        except NodeError as error:
            faults.append(error)
    return LoadedRegistry(types, tuple(faults))


def plugin_folder(settings: Settings) -> Path:
    """The only folder from which plugins are loaded."""
    return settings.own_nodes_folder or settings.data / FOLDER


def _find_file(folder: Path, name: str) -> tuple[Path, tuple[int, int]]:
    """A plugin's path, and a stamp that changes when its file changes. Raises NodeError."""
    try:
        home, path = folder.resolve(), (folder / name).resolve()
        if not path.is_relative_to(home) or path.suffix != SUFFIX:
            raise NodeError(
                f"{name!r} is not a Python file in {folder}.",
                "Own nodes are loaded only from that folder; put the file there.",
            )
        status = path.stat()
        for each in (path, home):
            if os.name == "posix" and each.stat().st_mode & WORLD_WRITABLE:
                raise NodeError(
                    f"Every user of this machine can write to {each}, and so run code as you.",
                    f"Run: chmod o-w {each}",
                )
    except OSError as error:
        raise NodeError(
            f"The own nodes of {name!r} cannot be read: {error.strerror} ({folder / name}).",
            "Put the file there, or remove its name from FORAGER_OWN_NODES.",
        ) from error
    return path, (status.st_mtime_ns, status.st_size)


class _UncachedLoader(SourceFileLoader):
    """A loader that neither writes nor reads compiled copies."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


@lru_cache(maxsize=64)
def _read_types(path: Path, name: str, stamp: tuple[int, int]) -> tuple[NodeType, ...]:
    """The types that a file defines, cached until the file changes. Raises NodeError."""
    loader = _UncachedLoader(f"own_nodes_{path.stem}", str(path))
    module = _load_module(loader)
    install_moved_modules()
    try:
        loader.exec_module(module)
    except PROGRAM_ERRORS as error:
        raise NodeError(
            f"The own nodes of {name!r} cannot be read: {locate_error(error, path)}.",
            "Correct the file, or remove its name from FORAGER_OWN_NODES.",
        ) from error
    found = [each for each in vars(module).values() if isinstance(each, NodeType)]
    own = {id(kind): replace(kind, own=name) for kind in found if kind not in REGISTRY.values()}
    if not own:
        raise NodeError(
            f"{name!r} defines no node type.",
            "Assign a NodeType to a variable; see docs/own-nodes.md.",
        )
    return tuple(own.values())


def _load_module(loader: SourceFileLoader) -> ModuleType:
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None  # noqa: S101 (a loader was given)
    return module_from_spec(spec)


def _join_types(
    types: dict[str, NodeType], own: tuple[NodeType, ...], path: Path
) -> dict[str, NodeType]:
    """Add all types of a file to the others. Raises NodeError if one is not valid."""
    joined = dict(types)
    for kind in own:
        try:
            why = next(type_faults(kind, joined), "")
        except PROGRAM_ERRORS as error:
            why = locate_error(error, path)
        if why:
            raise NodeError(
                f"The node type {kind.name!r} of {kind.own!r} is not valid: {why}.",
                "Correct the file, or remove its name from FORAGER_OWN_NODES.",
            )
        joined[kind.name] = guard_type(kind, path)
    return joined
