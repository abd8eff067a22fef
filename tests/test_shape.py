"""The tree keeps its shape: one role a file, few files a folder, functions that fit a screen."""

import ast
from collections import Counter
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
PRODUCT = PACKAGES[:5]
FILE_LINES = 500
FUNCTION_LINES = 60
FOLDER_FILES = 15
SMALL_LINES = 60
"""A shorter module that one other of its folder imports belongs to that one."""
GENERATED = {"forager/client/api_calls.py", "forager/client/api_models.py"}
"""Made from the OpenAPI document; nobody edits them, and they are as long as the API is large."""
DJANGO_MODULES = {"bench.apps.library.models"}
"""Django looks for an app's models in a module of this name, and for its admin in another."""

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
        return
    [function] = public
    assert isinstance(function, ast.AsyncFunctionDef)
    assert [argument.arg for argument in function.args.args] == ["state", "ports", "params"]


@pytest.mark.parametrize("path", [*ROLES, *MODES], ids=name)
def test_a_file_of_a_node_has_one_prompt_at_the_most(path: Path) -> None:
    assert prompts(path) <= 1


@pytest.mark.parametrize("path", [*ROLES, *filter(prompts, MODES)], ids=name)
def test_a_prompt_has_a_test(path: Path) -> None:
    role = path.stem if path in ROLES else f"{path.parent.name}_{path.stem}"
    role = role.removesuffix("___init__")
    assert (ROOT / "tests" / "nodes" / f"test_{role}.py").exists()


def test_no_file_is_too_long() -> None:
    own = [path for path in FILES if name(path) not in GENERATED]
    lines = {name(path): path.read_text(encoding="utf-8").count("\n") for path in own}
    assert {path: count for path, count in lines.items() if count > FILE_LINES} == {}


def test_no_function_is_too_long() -> None:
    long = {
        f"{name(path)}: {function.name}": function.end_lineno - function.lineno + 1
        for path in FILES
        for function in functions(path)
        if function.end_lineno and function.end_lineno - function.lineno >= FUNCTION_LINES
    }
    assert long == {}


def test_no_folder_is_too_full() -> None:
    counts = Counter(path.parent for path in FILES if path.parts[len(ROOT.parts)] in PRODUCT)
    assert {name(path): count for path, count in counts.items() if count > FOLDER_FILES} == {}


@pytest.mark.parametrize("package", PRODUCT)
def test_no_name_is_borne_twice(package: str) -> None:
    names = Counter(path.stem for path in (ROOT / package).rglob("*.py"))
    assert [stem for stem, count in names.items() if count > 1 and stem[:2] != "__"] == []


def test_no_small_module_stands_beside_its_only_importer() -> None:
    """But for the `__init__` of a package, whose work may be to list its modules."""
    modules = {module_name(path): path for path in FILES if not name(path).startswith("tests")}
    importers: dict[str, set[str]] = {module: set() for module in modules}
    for module, path in modules.items():
        for imported in imports(path):
            if imported in modules:
                importers[imported].add(module)
    lonely = [
        module
        for module, path in modules.items()
        if path.stem[:2] != "__"
        and module not in DJANGO_MODULES
        and path.read_text(encoding="utf-8").count("\n") < SMALL_LINES
        and [modules[each].parent for each in importers[module]] == [path.parent]
        and not any(modules[each].stem == "__init__" for each in importers[module])
    ]
    assert lonely == []


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports, and those whose names it imports."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_nothing_is_called_utils() -> None:
    assert [
        name(path) for path in FILES if path.stem in {"utils", "helpers", "misc", "common"}
    ] == []
