"""The benches from the command line, over a site of three pages."""

import json
from pathlib import Path

import pytest

from tests.bench.coast import RECORDS, run_bench, table_cells
from tests.servers import Site


def test_answers_are_scored_and_not_asked_again(tmp_path: Path, site: Site, questions: str) -> None:
    out = tmp_path / "rows.jsonl"
    given = ("answer", "--questions", questions, "--sites", f"coast={site.url()}")
    words = (*given, "--graph", "forager,webwalker", "--out", str(out))
    first = run_bench(tmp_path, *words)
    assert table_cells(first, "forager", "single")[2:10] == ["1", *["100"] * 7]
    assert table_cells(first, "forager", "abstain")[2:6] == ["1", "–", "–", "100"]
    assert table_cells(first, "webwalker", "single")[2] == "1"
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(row["graph"], row["id"]) for row in rows] == [
        (graph, record["id"]) for graph in ("forager", "webwalker") for record in RECORDS
    ]
    assert rows[0]["quotes"] == rows[0]["verbatim"] > 0
    assert rows[0]["cold"]
    assert 0 < rows[0]["before"] < rows[0]["seconds"]
    site.asked.clear()
    again = run_bench(tmp_path, *words)
    assert again.stdout == first.stdout
    assert (again.stderr, site.asked) == ("", [])
    assert len(out.read_text().splitlines()) == len(rows)


def test_rankings_stand_side_by_side(tmp_path: Path, site: Site, questions: str) -> None:
    given = ("survey", "--questions", questions, "--sites", f"coast={site.url()}")
    result = run_bench(tmp_path, *given)
    assert table_cells(result, "all")[1:10] == ["1", *["100"] * 8]
    assert "No gold page" not in result.stdout


def test_strategies_are_compared_on_a_real_survey(
    tmp_path: Path, site: Site, questions: str
) -> None:
    given = ("bandit", "--questions", questions, "--sites", f"coast={site.url()}")
    result = run_bench(tmp_path, *given, "--seeds", "2")
    assert table_cells(result, "all", "own", "greedy")[3:5] == ["1", "1.00"]
    assert "Gold pages not among the arms: 0 of 1 questions" in result.stdout


def test_memory_is_measured_in_another_process(tmp_path: Path, site: Site) -> None:
    result = run_bench(tmp_path, "peak", "--site", site.url())
    assert result.exit_code == 0, result.output
    first, again = result.stdout.splitlines()
    assert first.startswith("first: 3 pages with embeddings, ")
    assert again.startswith("again: 3 pages with embeddings, ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["answer", "--questions", "absent.jsonl", "--sites", "coast=http://h/"], "cannot be read"),
        (["answer", "--sites", "coast=http://h/"], "Missing option '--questions'."),
        (["survey", "--questions", "Q", "--sites", "sea=http://h/"], "no address"),
        (["bandit", "--questions", "Q", "--sites", "sea=http://h/"], "no address"),
        (["bandit", "--questions", "Q"], "There is no file of sites ''"),
        (["answer", "--questions", "Q", "--sites", "coast=h"], "Write it as id=https://host/path"),
        (["answer", "--questions", "Q", "--sites", "coast=http://h/", "--model", "x"], "'x'"),
        (
            ["answer", "--questions", "Q", "--sites", "coast=http://h/", "--types", "sngle"],
            "single",
        ),
        (["anwser"], "Did you mean 'answer'?"),
    ],
)
def test_bad_usage_is_told_in_one_line(
    tmp_path: Path, questions: str, words: list[str], said: str
) -> None:
    result = run_bench(tmp_path, *[questions if word == "Q" else word for word in words])
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert "Traceback" not in result.stderr
