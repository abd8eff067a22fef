"""The front end: its unit tests, and what is committed of it."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
FOLDER = ROOT / "ui" / "web" / "frontend"
BUILT = {
    *("canvas.js", "canvas.css", "code.js", "elk.js", "parts.js", "shared.js"),
    "LICENCES.txt",
}

needs_node = pytest.mark.skipif(shutil.which("npm") is None, reason="this machine has no Node")


def run(*words: str | Path) -> None:
    """Run scripts/frontend. Skips the test where its packages cannot be fetched."""
    done = subprocess.run(
        [ROOT / "scripts" / "frontend", *words], capture_output=True, text=True, check=False
    )
    if "npm error" in done.stderr:
        pytest.skip("the packages cannot be fetched here")
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


@needs_node
def test_the_source_passes_its_tests() -> None:  # types and lint: test_contract.py
    run("test")


@needs_node
def test_the_bundles_are_built_from_the_source(tmp_path: Path) -> None:
    run("build", tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == BUILT
    for name in BUILT:
        assert (tmp_path / name).read_bytes() == (FOLDER / "dist" / name).read_bytes(), (
            f"{name} is not what scripts/frontend builds. Run it and commit the result."
        )


def test_the_lock_file_names_no_registry() -> None:
    assert "resolved" not in (FOLDER / "package-lock.json").read_text()


@pytest.mark.parametrize("name", ["canvas.js", "code.js", "elk.js", "parts.js", "shared.js"])
def test_the_bundles_evaluate_no_text_and_load_nothing(name: str) -> None:
    code = (FOLDER / "dist" / name).read_text(encoding="utf-8")
    assert not [word for word in ("eval(", "new Function", "importScripts") if word in code]
    assert "url(" not in (FOLDER / "dist" / "canvas.css").read_text(encoding="utf-8")


def test_elk_is_loaded_where_a_graph_is_drawn_and_its_licence_is_told() -> None:
    dist = FOLDER / "dist"
    assert "elk.js" in (dist / "canvas.js").read_text(encoding="utf-8")
    for name in ("parts.js", "shared.js"):
        assert "elk.js" not in (dist / name).read_text(encoding="utf-8")
    assert "EPL-2.0" in (dist / "LICENCES.txt").read_text(encoding="utf-8")
