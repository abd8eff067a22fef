"""The audit of the locked packages, and the bill of materials."""

import json
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.servers import Asked, Reply, Route, Site

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "scripts" / "advisories.json"
OLD = "starlette==0.39.0 \\\n    --hash=sha256:" + "0" * 64 + "\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree that locks one package, in a version with a known vulnerability."""
    for name in ("requirements.lock", "requirements-dev.lock", "requirements-uv.lock"):
        (tmp_path / name).write_text(OLD)
    project = '[project]\nversion = "1.2.3"\ndependencies = ["Starlette>=0.39,<1"]\n'
    (tmp_path / "pyproject.toml").write_text(project)
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


@pytest.mark.parametrize("pin", ["starlette[full]==0.39.0", "starlette == 0.39.0"])
def test_it_is_found_however_it_is_written(tree: Path, pin: str) -> None:
    lock = tree / "requirements.lock"
    lock.write_text(OLD.replace("starlette==0.39.0", pin))
    (tree / "requirements-dev.lock").write_text(OLD.replace("starlette==0.39.0", "six==1.17.0"))
    (tree / "requirements-uv.lock").write_text(OLD.replace("starlette==0.39.0", "six==1.17.0"))
    code, said = audit("--root", str(tree))
    assert code == 1
    assert "starlette 0.39.0: GHSA-f96h-pmfr-66vw" in said


@pytest.mark.parametrize(
    ("lock", "fault"),
    [
        (OLD.replace("==0.39.0", " @ https://x.example/starlette.whl"), "not a pinned package: "),
        (f"-r other.lock\n{OLD}", "not a pinned package: "),
        ("starlette==1.10.0\n", "starlette has no hash"),
        ("", "has no package"),
        (OLD.replace("starlette==0.39.0", "six==1.17.0"), "starlette is not locked"),
    ],
)
def test_a_lock_that_cannot_be_read_whole_fails(tree: Path, lock: str, fault: str) -> None:
    (tree / "requirements.lock").write_text(lock)
    accepted = {"GHSA-f96h-pmfr-66vw": "No form is served."}
    code, said = audit("--root", str(tree), "--advisories", changed(tree, accepted=accepted))
    assert code == 1
    assert f"requirements.lock: {fault}" in said


def test_one_that_was_accepted_passes(tree: Path) -> None:
    accepted = {"GHSA-f96h-pmfr-66vw": "No form is served."}
    code, said = audit("--root", str(tree), "--advisories", changed(tree, accepted=accepted))
    assert code == 0, said


def test_a_package_that_was_never_asked_about_fails_once_the_file_was_refreshed(tree: Path) -> None:
    file = changed(tree, refreshed="2026-11-25", asked=["uvicorn"], advisories=[])
    code, said = audit("--root", str(tree), "--advisories", file)
    assert code == 1
    assert "starlette: osv.dev was not asked" in said


def vulnerability(id: str, *events: dict[str, str], name: str = "Starlette") -> Reply:
    """What osv.dev answers about one."""
    package = {"ecosystem": "PyPI", "name": name}
    spans = [{"type": "GIT", "events": []}, {"type": "ECOSYSTEM", "events": events}]
    body = {
        "id": id,
        "summary": f"About {id}.",
        "affected": [{"package": package, "ranges": spans}],
    }
    return Reply(json.dumps(body), kind="application/json")


def answer_queries(asked: Asked) -> Reply:
    """The ids in two pages."""
    [query] = json.loads(asked.body)["queries"]
    assert query["package"] == {"name": "starlette", "ecosystem": "PyPI"}
    assert query["version"] == "0.39.0"
    first = {"vulns": [{"id": "GHSA-1"}, {"id": "GHSA-2"}], "next_page_token": "more"}
    found = {"vulns": [{"id": "GHSA-3"}]} if query.get("page_token") == "more" else first
    return Reply(json.dumps({"results": [found]}), kind="application/json")


def test_a_refresh_asks_about_every_locked_version(tree: Path) -> None:
    file = changed(tree, accepted={"GHSA-2": "No form is served."})
    routes: dict[str, Route] = {
        "/v1/querybatch": answer_queries,
        "/v1/vulns/GHSA-1": vulnerability("GHSA-1", {"introduced": "0"}, {"fixed": "0.40.0"}),
        "/v1/vulns/GHSA-2": vulnerability("GHSA-2", {"introduced": "0.1"}),
        "/v1/vulns/GHSA-3": vulnerability("GHSA-3", {"introduced": "0.40"}, {"fixed": "0.47.2"}),
    }
    with Site(routes) as osv:
        options = ("--root", str(tree), "--advisories", file)
        code, said = audit(*options, "--refresh", "--osv", osv.url("/v1"))
    assert code == 1
    assert "starlette 0.39.0: GHSA-1 About GHSA-1." in said
    assert "GHSA-2" not in said
    kept = json.loads(Path(file).read_text())
    assert (kept["asked"], kept["accepted"]) == (["starlette"], {"GHSA-2": "No form is served."})
    assert [each["id"] for each in kept["advisories"]] == ["GHSA-1", "GHSA-2", "GHSA-3"]
    assert kept["advisories"][2]["ranges"] == [{"introduced": "0.40", "fixed": "0.47.2"}]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", kept["refreshed"])
    assert audit(*options)[1].startswith("starlette 0.39.0: GHSA-1")


OSV_YAML = """id: PYSEC-{number}
details: Forms without limit.
affected:
- package: {{name: {name}, ecosystem: PyPI}}
  ranges:
  - {{type: ECOSYSTEM, events: [{{introduced: "0"}}, {{fixed: "0.40.0"}}]}}
"""


def test_a_refresh_reads_a_folder_without_a_network(tree: Path) -> None:
    osv = tree / "vulns" / "starlette"
    osv.mkdir(parents=True)
    (osv / "PYSEC-1.yaml").write_text(OSV_YAML.format(number=1, name="Starlette"))
    (osv / "PYSEC-2.yaml").write_text(OSV_YAML.format(number=2, name="other"))
    gone = OSV_YAML.format(number=3, name="starlette") + "withdrawn: 2026-01-01T00:00:00Z\n"
    (osv / "PYSEC-3.yaml").write_text(gone)
    told = vulnerability("GHSA-4", {"introduced": "0.1"}).body
    assert isinstance(told, bytes | str)
    (osv / "GHSA-4.json").write_text(told if isinstance(told, str) else told.decode())
    (osv / "README.md").write_text("Advisories.")
    file = changed(tree)
    options = ("--root", str(tree), "--advisories", file)
    code, said = audit(*options, "--refresh", "--from", str(tree / "vulns"))
    assert code == 1
    kept = json.loads(Path(file).read_text())
    assert [each["id"] for each in kept["advisories"]] == ["GHSA-4", "PYSEC-1"]
    assert "starlette 0.39.0: PYSEC-1 Forms without limit." in said
    assert "days old" not in said
    before = Path(file).read_text()
    (osv / "bad.yaml").write_text("[")
    code, said = audit(*options, "--refresh", "--from", str(tree / "vulns"))
    assert (code, Path(file).read_text()) == (1, before)
    assert "bad.yaml is no OSV file" in said
    (tree / "empty").mkdir()
    assert "has no OSV files" in audit(*options, "--refresh", "--from", str(tree / "empty"))[1]


@pytest.mark.parametrize(("days", "warned"), [(0, False), (30, False), (31, True), (400, True)])
def test_old_advisories_are_told_and_do_not_fail(tree: Path, days: int, warned: bool) -> None:
    refreshed = (datetime.now(UTC).date() - timedelta(days)).isoformat()
    file = changed(tree, refreshed=refreshed, asked=["starlette"], advisories=[])
    code, said = audit("--root", str(tree), "--advisories", file)
    assert code == 0
    assert (f"The advisories are {days} days old." in said) == warned


@pytest.mark.parametrize("reply", [Reply("", 503), Reply("no JSON"), Reply("{}")])
def test_a_refresh_without_a_usable_answer_changes_nothing(tree: Path, reply: Reply) -> None:
    file = changed(tree)
    before = Path(file).read_text()
    with Site({"/querybatch": reply}) as osv:
        options = ("--root", str(tree), "--advisories", file, "--refresh", "--osv", osv.url(""))
        code, said = audit(*options)
    assert (code, Path(file).read_text()) == (1, before)
    assert "gave no usable answer" in said


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
