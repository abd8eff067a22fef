"""What is imported is declared: no package is there only because another one needs it."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = {"forager", "nodes", "graphs", "ui", "bench", "scripts", "tests", "hatch_build"}
TYPES = {"_typeshed"}
"""What a type checker alone imports."""
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]


def normal(name: str) -> str:
    """A distribution's name, however it is written."""
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(groups: Iterable[str]) -> set[str]:
    """The distributions that the project needs, and those of some dependency groups."""
    lines = [*PROJECT["project"]["dependencies"]]
    for group in groups:
        lines += PROJECT["dependency-groups"][group]
    return {normal(re.split(r"[\s\[<>=!~;]", line, maxsplit=1)[0]) for line in lines}


def imported(path: Path) -> Iterator[str]:
    """The top-level modules that a file imports, wherever it does."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def undeclared(packages: Iterable[str], groups: Iterable[str]) -> dict[str, str]:
    """Modules that no declared distribution brings, and a file that imports each."""
    extras = (normal(re.split(r"[<>=]", line)[0]) for line in chain(*EXTRAS.values()))
    known, brings = declared(groups).union(extras), packages_distributions()
    return {
        module: str(path.relative_to(ROOT))
        for package in packages
        for path in sorted((ROOT / package).rglob("*.py"))
        for module in imported(path)
        if module not in OURS | TYPES | sys.stdlib_module_names
        and not known & {normal(each) for each in brings.get(module, [module])}
    }


@pytest.mark.parametrize(
    ("packages", "groups"),
    [
        (("forager", "nodes", "graphs", "ui"), ("weights",)),
        (("bench",), ("weights", "dev", "bench", "training")),
        (("tests", "scripts"), ("weights", "build", "dev", "bench")),
    ],
    ids=["product", "bench", "tests"],
)
def test_what_is_imported_is_declared(packages: tuple[str, ...], groups: tuple[str, ...]) -> None:
    assert undeclared(packages, groups) == {}


def test_the_handbook_lists_what_is_installed() -> None:
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    rows = page.partition("|---|---|\n")[2].partition("\n\n")[0].splitlines()
    listed = [name for row in rows for name in row.split("|")[1].strip().split(", ")]
    assert sorted(map(normal, listed)) == sorted(declared(()))


def test_what_is_not_declared_is_found() -> None:
    assert {"ast", "importlib", "pytest"} <= set(imported(Path(__file__)))
    assert undeclared(("tests",), ())["pytest"].startswith("tests/")
