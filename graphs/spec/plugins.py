"""Node types of one's own: Python files of one folder, named in the settings."""

import inspect
import os
import traceback
from collections.abc import Iterator
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
from forager.node_type import KEYS_GIVEN, LoadedRegistry, NodeType, Registry
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
    TypeError,
    ValueError,
)
"""What a mistake in a program raises."""
STATE_KEYS = frozenset(each.name for each in fields(State))
MEND_FILE = "Mend the file; a session goes on from there when it is resumed."


def locate_error(error: BaseException, path: Path) -> str:
    """The error in one line, with the last line of the file that it passed."""
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg}, line {error.lineno}"
    here = [
        each.lineno for each in traceback.extract_tb(error.__traceback__) if _is_within(each, path)
    ]
    said = str(error).splitlines() or [""]
    return f"{type(error).__name__}: {said[0]}" + (f", line {here[-1]}" if here else "")


def type_faults(kind: NodeType, types: Registry) -> Iterator[str]:
    """Why a type cannot be taken in beside the others."""
    if not NAME.fullmatch(kind.name) or kind.name in {START, END, GRAPH}:
        yield "its name is not of small letters, digits and _, or is taken"
    if kind.name in types:
        yield f"there is a type of that name in {types[kind.name].own or 'Forager'} already"
    if unknown := sorted({*kind.reads, *kind.looks, *kind.writes} - STATE_KEYS):
        yield f"the state has no key {unknown[0]!r}; it has {', '.join(sorted(STATE_KEYS))}"
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


def guard_type(kind: NodeType, path: Path) -> NodeType:
    """The type, with a function and a route whose mistakes are told with their line."""

    async def function(state: State, ports: Ports, params: Any) -> Update:
        try:
            update = await kind.function(state, ports=ports, params=params)
        except PROGRAM_ERRORS as error:
            raise _node_error(kind, path, locate_error(error, path)) from error
        return _check_update(update, kind, path)

    def route(state: State) -> str:
        try:
            way = kind.route(state)
        except PROGRAM_ERRORS as error:
            raise _node_error(kind, path, f"its route: {locate_error(error, path)}") from error
        if way not in kind.routes:
            raise _node_error(kind, path, f"it went {way!r}, and has {', '.join(kind.routes)}")
        return way

    return replace(kind, function=function, route=route)


def _check_update(update: object, kind: NodeType, path: Path) -> Update:
    """What it wrote, of the kinds that the state has. Raises NodeError."""
    if not isinstance(update, dict):
        raise _node_error(kind, path, f"it returned {type(update).__name__}, not a dict of keys")
    if undeclared := sorted(update.keys() - kind.writes):
        raise _node_error(kind, path, f"it wrote {undeclared[0]!r}, which `writes` does not name")
    hints, fitting = get_type_hints(Update), {}
    for key, value in update.items():
        try:
            fitting[key] = TypeAdapter(hints[key]).validate_python(value)
        except ValidationError as error:
            said = error.errors()[0]["msg"]
            raise _node_error(
                kind, path, f"what it wrote to {key!r} does not fit: {said}"
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
    """The types that ship, and those of the files that the settings name.

    A file that cannot be read adds none; `faults` say why, and the checker where one is missed.
    """
    types, unread = dict(REGISTRY), list[NodeError]()
    for name in settings.own_nodes:
        try:
            path, stamp = _find_file(plugin_folder(settings), name)
            types = _join_types(types, _read_types(path, name, stamp), path)
        except NodeError as error:
            unread.append(error)
    return LoadedRegistry(types, tuple(unread))


def plugin_folder(settings: Settings) -> Path:
    """The only folder that files are read from."""
    return settings.own_nodes_folder or settings.data / FOLDER


def _find_file(folder: Path, name: str) -> tuple[Path, tuple[int, int]]:
    """The file of this name in the folder, and what tells its states apart. Raises NodeError."""
    try:
        home, path = folder.resolve(), (folder / name).resolve()
        if not path.is_relative_to(home) or path.suffix != SUFFIX:
            raise NodeError(
                f"{name!r} is no Python file in {folder}.",
                "Own nodes are read from there alone: put the file into that folder, and name it.",
            )
        told = path.stat()
        for each in (path, home):
            if os.name == "posix" and each.stat().st_mode & WORLD_WRITABLE:
                raise NodeError(
                    f"Everybody on this machine can write {each}, and so run programs as you.",
                    f"Say: chmod o-w {each}",
                )
    except OSError as error:
        raise NodeError(
            f"The own nodes of {name!r} cannot be read: {error.strerror} ({folder / name}).",
            "Put the file there, or take its name out of FORAGER_OWN_NODES.",
        ) from error
    return path, (told.st_mtime_ns, told.st_size)


class _UncachedLoader(SourceFileLoader):
    """No compiled copy is kept beside the file, nor an older one taken for it."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


@lru_cache(maxsize=64)
def _read_types(path: Path, name: str, stamp: tuple[int, int]) -> tuple[NodeType, ...]:
    """The types that a file defines, once for each state of the file. Raises NodeError."""
    loader = _UncachedLoader(f"own_nodes_{path.stem}", str(path))
    module = _load_module(loader)
    install_moved_modules()
    try:
        loader.exec_module(module)
    except PROGRAM_ERRORS as error:
        raise NodeError(
            f"The own nodes of {name!r} cannot be read: {locate_error(error, path)}.",
            "Mend the file, or take its name out of FORAGER_OWN_NODES.",
        ) from error
    found = [each for each in vars(module).values() if isinstance(each, NodeType)]
    own = {id(kind): replace(kind, own=name) for kind in found if kind not in REGISTRY.values()}
    if not own:
        raise NodeError(
            f"{name!r} defines no node type.", "Give a variable a NodeType; see docs/own-nodes.md."
        )
    return tuple(own.values())


def _load_module(loader: SourceFileLoader) -> ModuleType:
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None  # noqa: S101 (a loader was given)
    return module_from_spec(spec)


def _join_types(
    types: dict[str, NodeType], own: tuple[NodeType, ...], path: Path
) -> dict[str, NodeType]:
    """All of a file's types beside the others, or none. Raises NodeError."""
    joined = dict(types)
    for kind in own:
        try:
            why = next(type_faults(kind, joined), "")
        except PROGRAM_ERRORS as error:
            why = locate_error(error, path)
        if why:
            raise NodeError(
                f"The node type {kind.name!r} of {kind.own!r} does not fit: {why}.",
                "Mend the file, or take its name out of FORAGER_OWN_NODES.",
            )
        joined[kind.name] = guard_type(kind, path)
    return joined
