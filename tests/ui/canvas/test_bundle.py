"""What is committed is what the source gives."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "ui" / "canvas"
BUILT = ("canvas.js", "canvas.css", "LICENCES.txt")
NPM = shutil.which("npm")


@pytest.mark.skipif(NPM is None, reason="this machine has no Node")
def test_the_bundle_is_built_from_its_source(tmp_path: Path) -> None:
    done = subprocess.run(
        [ROOT / "scripts" / "canvas", "--out", tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    if "npm error" in done.stderr:
        pytest.skip("the packages cannot be fetched here")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    for name in BUILT:
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes(), (
            f"{name} is not what scripts/canvas builds. Run it and commit the result."
        )


def test_the_lock_file_names_no_registry() -> None:
    assert "resolved" not in (FOLDER / "package-lock.json").read_text()


def test_the_bundle_evaluates_no_text_and_loads_nothing() -> None:
    code = (FOLDER / "canvas.js").read_text(encoding="utf-8")
    assert not [word for word in ("eval(", "new Function", "importScripts") if word in code]
    assert "url(" not in (FOLDER / "canvas.css").read_text(encoding="utf-8")
