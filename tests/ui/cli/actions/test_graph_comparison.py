"""The commands that run graphs."""

import json
from pathlib import Path

from graphs.experiments.result_rows import Row
from graphs.spec.spec import PRESETS, load_graph
from tests.ui.conftest import Forager

QUESTION = "Who built the Skarn lighthouse, and when?"


def test_a_graph_of_a_file_is_run(
    forager: Forager, site: str, here: tuple[str, str], tmp_path: Path
) -> None:
    own = tmp_path / "own.yaml"
    own.write_text((PRESETS / "webwalker.yaml").read_text().replace("steps: 15", "steps: 3"))
    done = forager("graph", "run", str(own), QUESTION, "--site", site, *here, "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["graph"], told["status"]) == ("webwalker", "answered")
    assert told["graph_hash"] == load_graph(str(own)).hash
    assert forager("graph", "run", "no-such", QUESTION, "--site", site).exit_code == 2


def test_two_graphs_are_tried(
    forager: Forager, site: str, here: tuple[str, str], tmp_path: Path
) -> None:
    questions = tmp_path / "questions.jsonl"
    asked = {"question": QUESTION, "sites": ["lights"], "answer": ["Lindqvist", "1874"]}
    questions.write_text(json.dumps(asked))
    words = ("--questions", str(questions), "--sites", f"lights={site}/")
    typed = ("--ask", "How high is the Holm lighthouse?", "--site", site)
    done = forager("graph", "try", "forager", "webwalker", *words, *typed, *here)
    assert done.exit_code == 0, done.output
    table = done.stdout.splitlines()
    assert [line.split()[0] for line in table[:3]] == ["graph", "forager", "webwalker"]
    rows = Path(table[-1].removeprefix("Rows: ")).read_text().splitlines()
    assert [Row.model_validate_json(row).graded for row in rows] == [True, True, False, False]
    told = [line for line in done.stderr.splitlines() if "mapped before" not in line]
    assert len(told) == 4
    same = forager("graph", "try", "mango", "mango", *typed)
    assert (same.exit_code, "are the same graph" in same.stderr) == (2, True)
    assert forager("graph", "try", "mango", "forager").exit_code == 2


def test_a_fork_names_where_it_goes_on(forager: Forager, site: str, here: tuple[str, str]) -> None:
    done = forager("ask", QUESTION, "--site", site, *here, "--session", "skarn", "--seed", "7")
    assert done.exit_code == 0, done.output
    steps = [line.split("\t") for line in forager("history", "skarn").stdout.splitlines()]
    recalling = next(step[0] for step in steps if step[3] == "recall")
    words = ("fork", "skarn", "--step", recalling, "--graph", "webwalker", *here)
    refused = forager(*words)
    assert refused.exit_code == 2
    assert "has no node 'recall', which runs next" in refused.stderr
    assert "--map recall=navigate" in refused.stderr
    moved = forager(*words, "--map", "recall=navigate")
    assert moved.exit_code == 0, moved.output
    assert "Lindqvist" in moved.stdout
    assert forager(*words, "--map", "recall").exit_code == 2
