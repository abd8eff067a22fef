"""The house keeps its shape: one role a file, short files, functions that fit a screen."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("forager", "nodes", "graphs", "ui", "bench", "tests", "scripts")
FILES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
ROLES = sorted(path for path in (ROOT / "nodes").glob("*.py") if path.stem != "__init__")
MODES = sorted((ROOT / "nodes").glob("*/*.py"))
"""A role with several ways to go about it is a package: its function, and a file for each mode."""
NODES = [*ROLES, *(path for path in MODES if path.stem == "__init__")]
FILE_LINES = 300
FUNCTION_LINES = 60

Function = ast.FunctionDef | ast.AsyncFunctionDef


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def functions(path: Path) -> Iterator[Function]:
    for node in ast.walk(tree(path)):
        if isinstance(node, Function):
            yield node


def public_functions(path: Path) -> list[Function]:
    return [
        node
        for node in tree(path).body
        if isinstance(node, Function) and not node.name.startswith("_")
    ]


def assigned(path: Path) -> list[str]:
    """The names that a module gives values to."""
    targets = [
        target
        for node in tree(path).body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def prompts(path: Path) -> int:
    """How many prompts a file has."""
    return sum("PROMPT" in constant for constant in assigned(path))


def test_there_is_something_to_look_at() -> None:
    assert len(NODES) >= 10
    assert len(FILES) > 100


@pytest.mark.parametrize("path", NODES, ids=name)
def test_a_node_is_one_public_coroutine(path: Path) -> None:
    [function] = public_functions(path)
    assert isinstance(function, ast.AsyncFunctionDef)
    assert [argument.arg for argument in function.args.args] == ["state", "ports", "params"]


@pytest.mark.parametrize("path", [path for path in MODES if path not in NODES], ids=name)
def test_a_mode_is_one_public_coroutine(path: Path) -> None:
    public = public_functions(path)
    if not prompts(path):
        assert not any(isinstance(function, ast.AsyncFunctionDef) for function in public)
        return
    [function] = public
    assert isinstance(function, ast.AsyncFunctionDef)
    assert [argument.arg for argument in function.args.args] == ["state", "ports", "params"]


@pytest.mark.parametrize("path", [*ROLES, *MODES], ids=name)
def test_a_file_of_a_node_has_one_prompt_at_the_most(path: Path) -> None:
    assert prompts(path) <= 1
    assert path.stem != "__init__" or not prompts(path)


@pytest.mark.parametrize("path", [*ROLES, *filter(prompts, MODES)], ids=name)
def test_a_prompt_has_a_test(path: Path) -> None:
    role = path.stem if path in ROLES else f"{path.parent.name}_{path.stem}"
    assert (ROOT / "tests" / "nodes" / f"test_{role}.py").exists()


def test_no_file_is_too_long() -> None:
    lines = {name(path): path.read_text(encoding="utf-8").count("\n") for path in FILES}
    assert {path: count for path, count in lines.items() if count > FILE_LINES} == {}


def test_no_function_is_too_long() -> None:
    long = {
        f"{name(path)}: {function.name}": function.end_lineno - function.lineno + 1
        for path in FILES
        for function in functions(path)
        if function.end_lineno and function.end_lineno - function.lineno >= FUNCTION_LINES
    }
    assert long == {}


def test_nothing_is_called_utils() -> None:
    assert [
        name(path) for path in FILES if path.stem in {"utils", "helpers", "misc", "common"}
    ] == []
