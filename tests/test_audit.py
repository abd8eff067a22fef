"""The audit of the locked packages, and the bill of materials."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "scripts" / "advisories.json"
OLD = "starlette==0.39.0 \\\n    --hash=sha256:" + "0" * 64 + "\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree that locks one package, in a version with a known vulnerability."""
    for name in ("requirements.lock", "requirements-dev.lock", "requirements-uv.lock"):
        (tmp_path / name).write_text(OLD if name == "requirements.lock" else "")
    (tmp_path / "pyproject.toml").write_text('version = "1.2.3"\n')
    return tmp_path


def audit(*words: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "audit", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def changed(folder: Path, **changes: Any) -> str:
    """The path of the advisories with changes."""
    path = folder / "advisories.json"
    path.write_text(json.dumps(json.loads(KEPT.read_text()) | changes))
    return str(path)


def test_no_locked_version_has_a_known_vulnerability() -> None:
    code, said = audit()
    assert code == 0, said


def test_a_locked_version_with_a_known_vulnerability_fails(tree: Path) -> None:
    code, said = audit("--root", str(tree))
    assert code == 1
    assert "starlette 0.39.0: GHSA-f96h-pmfr-66vw" in said


def test_one_that_was_accepted_passes(tree: Path) -> None:
    accepted = {"GHSA-f96h-pmfr-66vw": "No form is served."}
    code, said = audit("--root", str(tree), "--advisories", changed(tree, accepted=accepted))
    assert code == 0, said


def test_a_package_that_was_never_asked_about_fails_once_the_file_was_refreshed(tree: Path) -> None:
    file = changed(tree, refreshed="2026-11-25", asked=["uvicorn"], advisories=[])
    code, said = audit("--root", str(tree), "--advisories", file)
    assert code == 1
    assert "starlette: osv.dev was not asked" in said


def test_the_bill_of_materials_lists_every_locked_package(tmp_path: Path) -> None:
    file = tmp_path / "dist" / "sbom.json"
    assert audit("--sbom", str(file))[0] == 0
    bill = json.loads(file.read_text())
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert len(bill["components"]) == len(re.findall(r"^\S+==", lock, re.M))
    for each in bill["components"]:
        assert each["purl"] == f"pkg:pypi/{each['name']}@{each['version']}"
        hashes = [found["content"] for found in each["externalReferences"][0]["hashes"]]
        assert all(f"--hash=sha256:{found}" in lock for found in hashes)
        assert hashes
