"""What the installed package carries beside Python files."""

from pathlib import Path
from zipfile import ZipFile

import pytest
from hatchling.builders.wheel import WheelBuilder

from forager.adapters.store.table_revisions import HEADS

ROOT = Path(__file__).resolve().parents[3]
SOURCES = ("ui/web/frontend/src/", "ui/web/frontend/tests/")
KINDS = frozenset({".js", ".css", ".html", ".toml", ".svg", ".woff2", ".txt"})


@pytest.fixture(scope="module")
def carried(tmp_path_factory: pytest.TempPathFactory) -> frozenset[str]:
    folder = tmp_path_factory.mktemp("wheel")
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    with ZipFile(wheel) as file:
        return frozenset(file.namelist())


def test_the_wheel_has_all_that_the_pages_are_made_of(carried: frozenset[str]) -> None:
    files = (each for each in (ROOT / "ui").rglob("*") if each.suffix in KINDS and each.is_file())
    names = (each.relative_to(ROOT).as_posix() for each in files)
    wanted = {name for name in names if not name.startswith(SOURCES)}
    assert {
        "ui/web/.streamlit/config.toml",
        "ui/server/access/login.html",
        "ui/web/frontend/dist/canvas.js",
    } <= wanted
    assert wanted <= carried
    assert not [name for name in carried if name.startswith(SOURCES)]


def test_the_wheel_has_the_word_lists(carried: frozenset[str]) -> None:
    files = (ROOT / "forager" / "data").glob("*.toml")
    assert {each.relative_to(ROOT).as_posix() for each in files} <= carried
    assert "forager/data/harm.toml" in carried


def test_the_wheel_has_the_revisions_of_the_tables(carried: frozenset[str]) -> None:
    folder = ROOT / "forager" / "adapters" / "store" / "migrations"
    wanted = {each.relative_to(ROOT).as_posix() for each in folder.rglob("*.py")}
    assert len(wanted) > len(HEADS)
    assert wanted <= carried
