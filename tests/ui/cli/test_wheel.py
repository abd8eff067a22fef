"""What the wheel holds, what it asks for, and that it works outside the clone."""

import json
import sqlite3
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from contextlib import closing
from email import message_from_string
from email.message import Message
from pathlib import Path
from zipfile import ZipFile

import pytest
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from forager.adapters.store.store_files import HEADS
from graphs.system.doctor import read_pins
from ui.server.handbook.handbook_site import HOST

Run = Callable[..., subprocess.CompletedProcess[str]]

ROOT = Path(__file__).resolve().parents[3]
SOURCES = ("ui/web/frontend/src/", "ui/web/frontend/tests/")
KINDS = frozenset({".js", ".css", ".html", ".toml", ".svg", ".woff2", ".txt"})


MODEL = {
    "model.onnx",
    "weights.bin",
    "cross_encoder.onnx",
    "cross_encoder.bin",
    "tokenizer.json",
    "NOTICE",
}
FREE = {"packaging", "pydantic-core"}
"""What any later version of will do, and what another requirement pins."""
LOOK_AROUND = """
import sys
from pathlib import Path

import graphs.langgraph_server
from ui.server.handbook.handbook_site import all_pages

clone, site_packages = map(Path, sys.argv[1:])
files = [Path(module.__file__) for module in sys.modules.values() if getattr(module, "__file__", 0)]
print([str(f) for f in files if f.is_relative_to(clone) and not f.is_relative_to(site_packages)])
print(graphs.langgraph_server.forager.__name__)
print(*sorted(all_pages()))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    return Path(wheel)


@pytest.fixture(scope="module")
def carried(wheel: Path) -> frozenset[str]:
    with ZipFile(wheel) as file:
        return frozenset(file.namelist())


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    with ZipFile(wheel) as file:
        (name,) = (each for each in file.namelist() if each.endswith(".dist-info/METADATA"))
        return message_from_string(file.read(name).decode())


@pytest.fixture(scope="module")
def unpacked(wheel: Path) -> Path:
    """The wheel as it lies in an environment outside the clone."""
    folder = wheel.parent / "unpacked"
    with ZipFile(wheel) as file:
        file.extractall(folder)
    return folder


@pytest.fixture
def run(unpacked: Path, tmp_path: Path) -> Run:
    """Runs Python on the unpacked wheel and the installed packages, without the clone."""
    site_packages = sysconfig.get_path("purelib")

    def run_python(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-S", *words],  # -S: the clone is on the path by a .pth file
            cwd=tmp_path,
            env={
                "PYTHONPATH": f"{unpacked}:{site_packages}",
                "FORAGER_DATA": str(tmp_path / "data"),
                "FORAGER_MEMORY": "false",
                "HOME": str(tmp_path),
                "PATH": "/usr/bin:/bin",
            },
            capture_output=True,
            text=True,
            check=False,
        )

    return run_python


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


def test_the_wheel_has_the_model_of_the_embedder(carried: frozenset[str]) -> None:
    folder = "forager/data/minilm/"
    assert {each.removeprefix(folder) for each in carried if each.startswith(folder)} == MODEL


def test_the_wheel_has_the_handbook(carried: frozenset[str]) -> None:
    files = [*(ROOT / "docs").rglob("*.md"), ROOT / "docs" / "images" / "architecture.svg"]
    wanted = {f"ui/{each.relative_to(ROOT).as_posix()}" for each in files}
    assert {"ui/docs/index.md", "ui/docs/adr/0001-graph-as-data.md"} <= wanted
    assert {each for each in carried if each.startswith("ui/docs/")} == wanted


def test_name_licence_and_command(metadata: Message, carried: frozenset[str]) -> None:
    assert metadata["Name"] == "forager-agent"
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata.get_all("License-File") == ["LICENSE"]
    assert any(each.endswith(".dist-info/licenses/LICENSE") for each in carried)


def test_what_it_asks_for_is_ranges_that_hold_what_is_locked(metadata: Message) -> None:
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pins = {canonicalize_name(pin.name): pin for pin in read_pins(lines)}
    asked = [Requirement(line) for line in metadata.get_all("Requires-Dist") or ()]
    assert len(asked) > 30
    for requirement in asked:
        signs = {each.operator for each in requirement.specifier}
        assert signs <= {">=", "<"}, requirement
        assert signs == {">=", "<"} or requirement.name in FREE or requirement.marker, requirement
        if not requirement.marker:
            (pin,) = pins[canonicalize_name(requirement.name)].specifier
            assert requirement.specifier.contains(pin.version), requirement


def test_outside_the_clone_it_tells_its_version(run: Run) -> None:
    done = run("-m", "forager", "--version")
    assert done.stdout.startswith("forager "), done.stderr


def test_outside_the_clone_it_answers_with_the_embedder(
    run: Run, site: str, tmp_path: Path
) -> None:
    words = ("Who built the Skarn lighthouse?", "--site", site, "--allow-private", HOST, "--json")
    done = run("-m", "forager", "ask", *words)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert "Marta Lindqvist" in report["answer"]
    with closing(sqlite3.connect(tmp_path / "data" / "vectors.sqlite")) as vectors:
        lengths = {length for (length,) in vectors.execute("SELECT length(vector) FROM vectors")}
    assert lengths == {384 * 2}  # float16


def test_outside_the_clone_it_has_handbook_and_factories(run: Run) -> None:
    done = run("-c", LOOK_AROUND, str(ROOT), sysconfig.get_path("purelib"))
    assert done.returncode == 0, done.stderr
    strays, factory, pages = done.stdout.splitlines()
    assert strays == "[]"
    assert factory == "graph"
    assert {"/", "/install.html", "/architecture.html", "/images/architecture.svg"} <= set(
        pages.split()
    )
