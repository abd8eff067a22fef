"""Node types of one's own: Python files of one folder, named in the settings."""

import os
from dataclasses import replace
from functools import lru_cache
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import CodeType, ModuleType

from forager.errors import NodeError
from forager.settings import Settings
from graphs.guarding import BROKEN, faults, guarded, place
from graphs.moved_imports import install_moved_modules
from graphs.node_type import NodeType, Types
from graphs.registry import REGISTRY

FOLDER = "nodes"
SUFFIX = ".py"
WORLD_WRITABLE = 0o002


def registry(settings: Settings) -> Types:
    """The types that ship, and those of the files that the settings name.

    A file that cannot be read adds none; `faults` say why, and the checker where one is missed.
    """
    types, unread = dict(REGISTRY), list[NodeError]()
    for name in settings.own_nodes:
        try:
            path, stamp = _found(folder(settings), name)
            types = _joined(types, _read(path, name, stamp), path)
        except NodeError as error:
            unread.append(error)
    return Types(types, tuple(unread))


def folder(settings: Settings) -> Path:
    """The only folder that files are read from."""
    return settings.own_nodes_folder or settings.data / FOLDER


def _found(folder: Path, name: str) -> tuple[Path, tuple[int, int]]:
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


class _AsItStands(SourceFileLoader):
    """No compiled copy is kept beside the file, nor an older one taken for it."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


@lru_cache(maxsize=64)
def _read(path: Path, name: str, stamp: tuple[int, int]) -> tuple[NodeType, ...]:
    """The types that a file defines, once for each state of the file. Raises NodeError."""
    loader = _AsItStands(f"own_nodes_{path.stem}", str(path))
    module = _module(loader)
    install_moved_modules()
    try:
        loader.exec_module(module)
    except BROKEN as error:
        raise NodeError(
            f"The own nodes of {name!r} cannot be read: {place(error, path)}.",
            "Mend the file, or take its name out of FORAGER_OWN_NODES.",
        ) from error
    found = [each for each in vars(module).values() if isinstance(each, NodeType)]
    own = {id(kind): replace(kind, own=name) for kind in found if kind not in REGISTRY.values()}
    if not own:
        raise NodeError(
            f"{name!r} defines no node type.", "Give a variable a NodeType; see docs/own-nodes.md."
        )
    return tuple(own.values())


def _module(loader: SourceFileLoader) -> ModuleType:
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None  # noqa: S101 (a loader was given)
    return module_from_spec(spec)


def _joined(
    types: dict[str, NodeType], own: tuple[NodeType, ...], path: Path
) -> dict[str, NodeType]:
    """All of a file's types beside the others, or none. Raises NodeError."""
    joined = dict(types)
    for kind in own:
        try:
            why = next(faults(kind, joined), "")
        except BROKEN as error:
            why = place(error, path)
        if why:
            raise NodeError(
                f"The node type {kind.name!r} of {kind.own!r} does not fit: {why}.",
                "Mend the file, or take its name out of FORAGER_OWN_NODES.",
            )
        joined[kind.name] = guarded(kind, path)
    return joined
