"""The regression: questions of kept sites and replayed model runs give what they gave before."""

import json
import shutil
import zipfile
from collections.abc import Collection
from pathlib import Path

import pytest

from bench.runs import regression
from bench.runs.outcomes import Outcome, compare_outcomes, read_outcomes
from tests.bench.coast import run_bench

ONE = "lame-modes"
PAGES = [f"html/{name}.html" for name in ("index", "about", "contact", "ms_stereo", "usage")]
RUN, RUN_PAGES = "model-one-fact", ("html/index.html", "html/community/vulnerabilities.html")


def ignore(line: str) -> None:
    """Progress that nobody reads."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A regression of a single question about five pages, without model runs."""
    copied = tmp_path / "regression"
    shutil.copytree(regression.FOLDER, copied, ignore=shutil.ignore_patterns("runs*"))
    keep_lines(copied / regression.QUESTIONS, ONE)
    keep_outcome(copied, ONE)
    keep_pages(copied / "lame-doc.zip", PAGES)
    return copied


@pytest.fixture
def replayed(tmp_path: Path) -> Path:
    """A regression of a single model run about two pages, without other questions."""
    copied = tmp_path / "regression"
    shutil.copytree(regression.FOLDER, copied)
    (copied / regression.QUESTIONS).unlink()
    keep_lines(copied / regression.RUNS, RUN)
    keep_outcome(copied, RUN)
    keep_pages(copied / "python-requests-doc.zip", RUN_PAGES)
    return copied


def keep_lines(path: Path, id: str) -> None:
    lines = path.read_text().splitlines()
    path.write_text("\n".join(line for line in lines if json.loads(line)["id"] == id))


def keep_outcome(folder: Path, id: str) -> None:
    path = folder / regression.EXPECTED
    path.write_text(json.dumps({id: json.loads(path.read_text())[id]}))


def keep_pages(path: Path, pages: Collection[str], old: str = "", new: str = "") -> None:
    """Keep some pages of a packed site, with other words in them."""
    with zipfile.ZipFile(path) as archive:
        members = {each: archive.read(each) for each in archive.infolist()}
    with zipfile.ZipFile(path, "w") as archive:
        for member, body in members.items():
            if member.filename in pages:
                archive.writestr(member, body.replace(old.encode(), new.encode()))


def test_all_outcomes_are_as_recorded(tmp_path: Path) -> None:
    found = regression.run_regression(regression.FOLDER, tmp_path, ignore)
    differences = regression.find_differences(regression.FOLDER, found)
    assert not differences, "\n".join(["", *differences, regression.INTENDED])


def test_a_changed_page_is_told(tmp_path: Path, folder: Path) -> None:
    words = "These three modes are", "The three ways are"
    keep_pages(folder / "lame-doc.zip", PAGES, *words)
    told = run_bench(tmp_path, "regression", "--folder", str(folder))
    assert told.exit_code == 1, told.output
    answer = "LAME MP3 Encoder :: Mid/Side Stereo, LAME - Mid/Side Stereo: “The"
    assert f"{ONE}: answer\n    was: {answer}se three modes are Simple" in told.stdout
    assert f"    now: {answer} three ways are Simple" in told.stdout
    assert f"{ONE}: passages cited\n    was: lame-doc/ms_stereo.html: “Joint" in told.stdout
    assert f"{ONE}: pages fetched\n    was: 0\n    now: 5\n" in told.stdout
    assert "./run bench regression --record" in told.stdout


def test_each_changed_value_is_told() -> None:
    expected = read_outcomes(regression.FOLDER / regression.EXPECTED)
    before = expected[ONE]
    counts = before.counts.model_copy(update={"loads": before.counts.loads + 2})
    changed = {"status": "partial", "right": not before.right, "counts": counts, "opened": ()}
    after = {**expected, ONE: before.model_copy(update=changed)}
    assert compare_outcomes(expected, expected) == []
    assert compare_outcomes(expected, after) == [
        f"{ONE}: status\n    was: answered\n    now: partial",
        f"{ONE}: right\n    was: yes\n    now: no",
        f"{ONE}: pages opened\n    was: lame-doc/ms_stereo.html",
        f"{ONE}: page loads\n    was: {before.counts.loads}\n    now: {counts.loads}",
    ]


def test_a_question_more_or_less_is_told() -> None:
    outcomes = read_outcomes(regression.FOLDER / regression.EXPECTED)
    less = {id: one for id, one in outcomes.items() if id != ONE}
    assert compare_outcomes(outcomes, less) == [f"{ONE}: it is not asked any more"]
    [told] = compare_outcomes(less, outcomes)
    assert told.startswith(f"{ONE}: it was not asked")


def test_pages_opened_in_another_order_are_told() -> None:
    outcomes = read_outcomes(regression.FOLDER / regression.EXPECTED)
    one: Outcome = outcomes[ONE].model_copy(update={"opened": ("a", "b")})
    other = one.model_copy(update={"opened": ("b", "a")})
    assert compare_outcomes({ONE: one}, {ONE: other}) == [
        f"{ONE}: pages opened\n    was: a | b\n    now: b | a"
    ]


def test_a_changed_prompt_makes_a_recording_outdated(tmp_path: Path, replayed: Path) -> None:
    tape = replayed / regression.RECORDINGS / RUN / "model.jsonl"
    entries = [json.loads(line) for line in tape.read_text().splitlines()]
    entries[1]["key"] = "0" * 64  # what another prompt of the extractor would be asked under
    entries[1]["asked"]["messages"][0]["content"] = "You copy passages."
    tape.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    told = run_bench(tmp_path, "regression", "--folder", str(replayed), "--record")
    assert told.exit_code == 1, told.output
    assert f"{RUN}: the recording {tape.parent} no longer fits.\n" in told.stdout
    assert "'system: You copy passages.' where this one has" in told.stdout
    assert "`./run bench regression --record-runs PROVIDER:NAME`" in told.stdout
    assert "Nothing was written" in told.stdout
    kept = run_bench(tmp_path, "regression", "--folder", str(replayed), "--keep-replies")
    assert kept.exit_code == 0, kept.output
    assert run_bench(tmp_path, "regression", "--folder", str(replayed)).exit_code == 0
