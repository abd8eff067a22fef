"""`bench make-set`, `check-set` and the form between them, over a package of four pages."""

import json
from pathlib import Path

import pytest
from typer.testing import Result

from bench.make_set.package_lists import OWN_LISTS
from graphs.experiments.question_set import load_records
from tests.bench.coast import run_bench
from tests.bench.make_set.harbour import CHARGES, LAMP, NAME, PAGES, write_package
from tests.endpoint import Asked, Endpoint, Reply
from tests.endpoint.request import said

GOOD = f"""
[[question]]
type = "single"
lang = "en"
question = "What is the stuff that shines at night at the end of the pier?"
answer = ["rape oil"]
page = "/light/beacon.html"
quote = "{LAMP}"

[[question]]
type = ""
lang = "en"
question = ""
answer = []
page = "/berths/fees.html"
quote = ""

[[question]]
type = "multi"
lang = "de"
question = "Welcher Brennstoff leuchtet, und ab wann kostet das Liegen nichts mehr?"
answer = ["rape oil", "eighth day"]
page = "/light/beacon.html"
quote = "{LAMP}"
more = [{{ page = "/berths/fees.html", quote = "{CHARGES}" }}]
"""


def bench(folder: Path, *words: str) -> Result:
    """A command with packages unpacked below `folder`."""
    return run_bench(folder / "data", *words, "--unpacked", str(folder / "unpacked"))


def make_set(folder: Path, *words: str) -> Result:
    """The form for the harbour, in the folder `set`."""
    source = str(write_package(folder))
    return bench(folder, "make-set", source, "--out", str(folder / "set"), *words)


def fill(folder: Path, text: str) -> None:
    (folder / "set/forms" / f"{NAME}.toml").write_text(text)


def test_a_form_stands_beside_the_texts_of_its_pages(tmp_path: Path) -> None:
    made = make_set(tmp_path)
    assert made.exit_code == 0, made.output
    assert "harbour-doc: 4 pages, 3 of them in" in made.stdout
    form = (tmp_path / "set/forms" / f"{NAME}.toml").read_text()
    assert form.count("[[question]]\n") == 3
    assert 'page = "/light/beacon.html"' in form
    texts = sorted((tmp_path / "set/pages" / NAME).iterdir())
    assert [path.name for path in texts] == ["01-fees.md", "02-fleet.md", "03-beacon.md"]
    assert all(f"set/{path.relative_to(tmp_path / 'set')}"[4:] in form for path in texts)
    assert LAMP in texts[2].read_text()
    empty = bench(tmp_path, "check-set", str(tmp_path / "set"))
    assert "0 questions, 0 of them with faults" in empty.stdout
    again = make_set(tmp_path)
    assert (again.exit_code, "toml exists." in again.stderr) == (2, True)


def test_a_filled_form_is_checked_and_split(tmp_path: Path) -> None:
    make_set(tmp_path)
    other = write_package(tmp_path, PAGES, "quay-doc")
    bench(tmp_path, "make-set", str(other), "--out", str(tmp_path / "set"))
    fill(tmp_path, GOOD)
    (tmp_path / "set/forms/quay-doc.toml").write_text(GOOD.replace("at night", "after dark", 1))
    again = (tmp_path / "set/forms/quay-doc.toml").read_text().replace("Welcher", "Welch ein")
    (tmp_path / "set/forms/quay-doc.toml").write_text(again)
    checked = bench(tmp_path, "check-set", str(tmp_path / "set"), "--split")
    assert checked.exit_code == 0, checked.output
    assert "types: multi 2, single 2" in checked.stdout
    halves = [load_records(tmp_path / "set" / name) for name in ("first.jsonl", "second.jsonl")]
    assert sorted(tuple(one.id for one in half) for half in halves) == [
        ("harbour-doc-01", "harbour-doc-03"),
        ("quay-doc-01", "quay-doc-03"),
    ]
    assert [len(one.pages) for one in halves[0]] == [1, 2]
    for form in (tmp_path / "set/forms").iterdir():
        form.unlink()
    lines = bench(tmp_path, "check-set", str(tmp_path / "set"))
    assert "4 questions, 0 of them with faults" in lines.stdout


def test_a_fault_names_the_line_of_its_entry(tmp_path: Path) -> None:
    make_set(tmp_path)
    fill(tmp_path, GOOD.replace('["rape oil", "eighth day"]', '["rape oil", "ninth day"]'))
    checked = bench(tmp_path, "check-set", str(tmp_path / "set"), "--split")
    assert checked.exit_code == 1
    assert (
        f"forms/{NAME}.toml:18: {NAME}-03: No quote has the answer 'ninth day'." in checked.stdout
    )
    assert not (tmp_path / "set/first.jsonl").exists()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('type = "multi"', 'kind = "multi"', "toml:18 is not a question: kind: Extra inputs"),
        ('type = "multi"', "type = multi", "is not TOML"),
        ("[[question]]", "[[ question ]]", "has other tables"),
        ('answer = ["rape oil"]', 'answer = "rape oil"', "toml:2 is not a question: answer"),
    ],
)
def test_a_broken_form_is_told(tmp_path: Path, old: str, new: str, told: str) -> None:
    make_set(tmp_path)
    fill(tmp_path, GOOD.replace(old, new))
    checked = bench(tmp_path, "check-set", str(tmp_path / "set"))
    assert (checked.exit_code, told in checked.stderr) == (2, True), checked.output


def test_reserved_and_used_packages_are_refused(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("harbour-doc-de\n")
    for option, why in (("--reserved", "is reserved"), ("--used", "was used before")):
        refused = make_set(tmp_path, option, str(tmp_path / "list.txt"))
        assert (refused.exit_code, why in refused.stderr) == (2, True), refused.output
    assert not (tmp_path / "unpacked").exists()


def write_question(asked: Asked) -> Reply:
    """A model that asks about the beacon, and about nothing else."""
    page = said(asked.messages[1])
    quote = LAMP if LAMP in page else "no such words"
    question = "What is the stuff that shines at night at the end of the pier?"
    fields = {"type": "single", "question": question, "answer": "rape oil", "quote": quote}
    return Reply(fields)


def test_a_model_fills_the_form_and_code_checks_it(tmp_path: Path) -> None:
    with Endpoint(write_question) as endpoint:
        line = ("--model", "openai:scripted", "--base-url", endpoint.url)
        made = make_set(tmp_path, "--pages", "9", *line)
        assert made.exit_code == 0, made.output
        assert len(endpoint.requests) == 3
    checked = bench(tmp_path, "check-set", str(tmp_path / "set"))
    faults = [line for line in checked.stdout.splitlines() if f"{NAME}-" in line]
    assert sum("The quote is not on" in fault for fault in faults) == 2
    assert not any(f"{NAME}-03: The quote" in fault for fault in faults)


def test_the_offline_model_writes_no_questions(tmp_path: Path) -> None:
    refused = make_set(tmp_path, "--model", "offline")
    assert (refused.exit_code, "writes no questions" in refused.stderr) == (2, True)


def test_the_questions_in_the_tree_are_of_listed_packages() -> None:
    folder = OWN_LISTS[-1].parent
    named = {
        site
        for name in ("first.jsonl", "second.jsonl")
        for line in (folder / name).read_text(encoding="utf-8").splitlines()
        for site in json.loads(line)["sites"]
    }
    assert all(f'["{name}"]' in (folder / "packages.toml").read_text() for name in named)
    assert len(named) == 15
