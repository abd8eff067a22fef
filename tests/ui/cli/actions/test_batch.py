"""A batch: every row is answered once, also when its process is killed in the middle."""

import csv
import io
import json
import signal
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from forager.errors import BusyError, UsageError
from graphs.system.batch.batch_files import Line, answers_as_csv, open_answers
from graphs.system.batch.batch_rows import BatchRow, read_rows
from tests.programs import Program, run_forager
from tests.servers import Asked, Reply, Site
from tests.ui.conftest import PAGES, Forager
from ui.cli.printing.batch_progress import BatchProgress
from ui.server.handbook.handbook_site import HOST

ASKED = ("Which engineer built the Skarn lighthouse?", "How high is the Holm lighthouse?")


def answers(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def questions(tmp_path: Path, site: str) -> Path:
    path = tmp_path / "questions.csv"
    rows = [f'{number},"{text}",{site}' for number, text in zip("ab", ASKED, strict=True)]
    path.write_text("\n".join(["id,question,sites", *rows, 'c," ",', ""]))
    return path


def test_every_row_is_answered_and_only_failed_ones_are_asked_again(
    forager: Forager, questions: Path, tmp_path: Path
) -> None:
    out = tmp_path / "answers.jsonl"
    words = ("batch", str(questions), "--out", str(out), "--allow-private", HOST)
    done = forager(*words)
    assert done.exit_code == 1
    assert "3 of 3 rows · 2 answered · 1 failed" in done.stderr
    found = {line["id"]: line for line in answers(out)}
    assert "Marta Lindqvist" in found["a"]["answer"]
    assert "41 metres" in found["b"]["answer"]
    assert found["b"]["citations"][0]["url"].endswith("/holm.html")
    assert (found["c"]["status"], found["c"]["question"]) == ("failed", " ")
    assert "question" in found["c"]["error"]
    before = out.read_text()
    again = forager(*words)
    assert (again.exit_code, out.read_text()) == (1, before)
    assert "3 of 3 rows" in again.stderr
    questions.write_text(questions.read_text().replace('" "', f'"{ASKED[0]}"'))
    other = forager(*words, "--site", found["a"]["sites"][0])
    assert other.exit_code == 2
    assert "answers another question in row 'c'" in other.stderr
    mended = forager(*words, "--site", found["a"]["sites"][0], "--retry-failed")
    assert mended.exit_code == 0
    assert [line["status"] for line in answers(out)] == ["answered"] * 3
    assert sorted(tmp_path.glob("*.batch")) == []


def test_answers_are_written_as_csv_where_that_is_wanted(
    forager: Forager, questions: Path, tmp_path: Path
) -> None:
    out = tmp_path / "answers.csv"
    for _ in range(2):  # the second time nothing is asked
        forager("batch", str(questions), "--out", str(out), "--allow-private", HOST)
        with out.open(newline="") as file:
            found = {row["id"]: row for row in csv.DictReader(file)}
        assert sorted(found) == ["a", "b", "c"]
        assert "41 metres" in found["b"]["lead"]
        assert found["b"]["citations"].endswith("/holm.html")
    assert len(answers(tmp_path / "answers.csv.jsonl")) == 3


def test_a_batch_that_is_killed_goes_on_and_answers_each_row_once(tmp_path: Path) -> None:
    wanted, let_go = threading.Event(), threading.Event()

    def hold(asked: Asked) -> Reply:
        wanted.set()
        let_go.wait(30)
        return Reply(PAGES["/holm.html"])

    with Site({**PAGES, "/holm.html": hold}) as held, Site(dict(PAGES)) as quick:
        questions, out = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
        rows = [
            {"question": ASKED[0], "sites": [quick.url()]},
            {"question": ASKED[1], "sites": [held.url()]},
            {"question": ASKED[1], "sites": quick.url()},
        ]
        questions.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        words = [
            "batch",
            str(questions),
            "--out",
            str(out),
            "--allow-private",
            HOST,
            "--at-once",
            "1",
        ]
        env = {"FORAGER_DATA": str(tmp_path / "data"), "FORAGER_MEMORY": "false"}
        with Program(run_forager, *words, **env) as first:
            assert wanted.wait(60)
            first.send_signal(signal.SIGKILL)
        assert [line["id"] for line in answers(out)] == ["1"]
        with out.open("a") as file:
            file.write('{"id": "2", "sta')  # what a kill in the middle of a write leaves
        let_go.set()
        with Program(run_forager, *words, **env) as again:
            _, errors = again.communicate(timeout=60)
        assert again.returncode == 0
        assert "3 of 3 rows · 2 answered" in errors
        found = answers(out)
        assert Counter(line["id"] for line in found) == Counter("123")
        assert {line["status"] for line in found} == {"answered"}
        assert len({line["session"] for line in found}) == 3
        assert quick.paths().count("/skarn.html") == 1
        assert held.paths().count("/") == 1  # the session was resumed, not asked again


def test_two_processes_do_not_write_one_file(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    with open_answers(out), pytest.raises(BusyError), open_answers(out):
        pass


def test_an_answer_is_on_the_disk_and_dropped_ones_are_gone(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    with open_answers(out) as first:
        first.append({"id": "1", "status": "failed"})
        first.append({"id": "2", "status": "answered"})
        name = first.name
    with open_answers(out) as second:
        assert second.name == name
        second.drop(["1"])
        assert list(second.lines) == ["2"]
        second.finish()
    assert [line["id"] for line in answers(out)] == ["2"]
    assert list(tmp_path.glob("*.batch")) == []


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("q.csv", "text\nWhy?\n", "no column question"),
        ("q.csv", "question\n", "0 questions"),
        ("q.csv", "id,question\n1,Why?\n1,Who?\n", "the id '1' twice"),
        ("q.jsonl", '{"question": "Why?"}\n{"sites": []}\n', "row 2, has no question"),
        ("q.csv", 'question\n"Why?\n', "not valid CSV at line 2"),
        ("q.csv", "question\nWho, and when?\n", "row 1, has more cells"),
        ("q.csv", "", "q.csv is empty"),
        ("q.jsonl", "Why?\n", "line 1, is not JSON"),
        ("q.jsonl", '["Why?"]\n', "line 1, is not an object"),
        ("q.jsonl", '{"question": "Why?", "seed": "x"}\n', "row 1: seed"),
    ],
)
def test_a_file_that_is_not_one_of_questions_is_refused(
    tmp_path: Path, name: str, text: str, fault: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(UsageError) as refused:
        read_rows(path)
    assert fault in str(refused.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.csv", "Question;Site\nWhy?;https://a.org/\n"),
        ("q.jsonl", '{"question": "Why?", "site": "https://a.org/"}'),
    ],
)
def test_a_column_may_be_called_site(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert read_rows(path).rows[0].sites == ("https://a.org/",)


def test_sites_are_split_and_ids_count_the_rows(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text("\ufeffquestion,sites,seed\nWhy?,https://a.org/ | https://b.org/,3\n")
    assert read_rows(path).rows == (
        BatchRow(id="1", question="Why?", sites=("https://a.org/", "https://b.org/"), seed=3),
    )


@pytest.mark.parametrize("mark", [";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_the_files_of_spreadsheets_are_read(tmp_path: Path, mark: str, encoding: str) -> None:
    path = tmp_path / "q.csv"
    lines = [["ID", "Question"], ["a", "Wie hoch, in Metern, über dem Meer?"], ["", ""]]
    path.write_text("\n".join(map(mark.join, lines)), encoding=encoding)
    assert read_rows(path).rows == (
        BatchRow(id="a", question="Wie hoch, in Metern, über dem Meer?"),
    )


def test_a_formula_does_not_come_into_a_spreadsheet() -> None:
    line: Line = {"id": "=1+1", "status": "answered", "answer": "@x", "usd": 0.5, "uncertain": True}
    [row] = csv.DictReader(io.StringIO(answers_as_csv([line])))
    assert (row["id"], row["answer"], row["usd"], row["uncertain"]) == (
        "'=1+1",
        "'@x",
        "0.5",
        "yes",
    )


def test_the_progress_tells_rate_cost_and_the_rest() -> None:
    progress = BatchProgress(Console(quiet=True), 10, 4)
    assert progress.describe(0) == "4 of 10 rows"
    progress({"status": "answered", "usd": 0.5})
    progress({"status": "partial", "usd": 0.1})
    began = progress.count.began
    assert progress.describe(began + 60) == (
        "6 of 10 rows · 1 answered · 1 partial · 2.0 a minute · $0.60 · 2 min to go, $1.20 more"
    )
