"""`bench score`: public metrics of a file of answers."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bench.commands.main import app
from tests.bench.judge_replies import reply_as_judge
from tests.bench.samples import (
    FANOUT,
    FRAMES_ROW,
    TASK,
    WALKER,
    frames_file,
    json_file,
    lines_file,
)
from tests.endpoint import Endpoint


def run_score(name: str, gold: Path, answers: Path, *more: str) -> Result:
    words = ["score", "--set", name, "--gold", str(gold), "--answers", str(answers), *more]
    env = {"FORAGER_DATA": str(gold.parent)}
    return CliRunner().invoke(app, words, env=env, prog_name="./run bench")


def judge_options(endpoint: Endpoint) -> tuple[str, ...]:
    return ("--judge", "openai:scripted", "--judge-base-url", endpoint.url)


def line_cells(result: Result, line: int = 1) -> list[str]:
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()[line].split()


def test_fanoutqa(tmp_path: Path) -> None:
    gold = json_file(tmp_path, FANOUT, {**FANOUT, "id": "f2"}, {**FANOUT, "id": "f3"})
    answers = lines_file(
        tmp_path,
        {"id": "f1", "answer": {"Skarn": 41.5, "Holm": "1041 feet", "lit": True}},
        {"id": "f3", "answer": "Skarn[e1] is 41.5 m high[e1][e2].", "status": "answered"},
    )
    assert line_cells(run_score("fanoutqa", gold, answers)) == ["3", "66.7", "44.4", "33.3"]


def test_assistantbench(tmp_path: Path) -> None:
    gold = json_file(tmp_path, TASK, {**TASK, "task_id": "t2"}, {**TASK, "task_id": "t3"})
    answers = lines_file(
        tmp_path,
        {"id": "t1", "answer": ["holm lighthouse", "skarn lighthouse"]},
        {"id": "t2", "answer": "Holm lighthouse [e4]"},
    )
    found = line_cells(run_score("assistantbench", gold, answers))
    assert found == ["3", "50.0", "66.7", "75.0", "33.3"]


def test_frames(tmp_path: Path) -> None:
    gold = frames_file(tmp_path, FRAMES_ROW, ("1", "1", *FRAMES_ROW[2:]))
    bare = lines_file(tmp_path, {"id": 0, "answer": "A lighthouse"}, {"id": 1, "answer": None})
    assert line_cells(run_score("frames", gold, bare)) == ["2", "50.0", "–", "50.0", "50.0", "50.0"]
    judged = lines_file(tmp_path, {"id": 0, "answer": "Skarn", "verdict": True})
    assert line_cells(run_score("frames", gold, judged)) == [
        "2",
        "50.0",
        "50.0",
        "0.0",
        "0.0",
        "0.0",
    ]


def test_webwalkerqa(tmp_path: Path) -> None:
    gold = json_file(tmp_path, WALKER, {**WALKER, "difficulty_level": "easy"}, WALKER)
    answers = lines_file(
        tmp_path,
        {"id": "webwalkerqa-1", "answer": "Marta Lindqvist, in 1874", "actions": 3},
        {"id": "webwalkerqa-3", "answer": "Lindqvist", "actions": 5, "verdict": True},
    )
    result = run_score("webwalkerqa", gold, answers)
    assert line_cells(result, 1)[:4] == ["multi_source", "easy", "1", "0.0"]
    shares = ["100.0", "50.0", "50.0", "70.0", "4.00"]
    assert line_cells(result, 2) == ["multi_source", "hard", "2", *shares]
    assert line_cells(result, 3)[:3] == ["overall", "3", "66.7"]


def test_a_judge_fills_in_the_verdicts_of_frames_once(tmp_path: Path) -> None:
    gold = frames_file(tmp_path, *(("", str(n), *FRAMES_ROW[2:]) for n in range(4)))
    answers = lines_file(
        tmp_path,
        {"id": 0, "answer": "A lighthouse [e1]"},
        {"id": 1, "answer": "Holm"},
        {"id": 2, "answer": "The lighthouse", "verdict": False},
    )
    with Endpoint(reply_as_judge) as endpoint:
        first = run_score("frames", gold, answers, *judge_options(endpoint))
        assert line_cells(first)[:4] == ["4", "75.0", "25.0", "50.0"]
        assert "2 of 2 answers graded, 0 of them by the string metric; 2 calls" in first.stdout
        assert len(endpoint.requests) == 2
        again = run_score("frames", gold, answers, *judge_options(endpoint))
        assert (again.stdout, len(endpoint.requests)) == (first.stdout, 2)
        changed = answers.read_text().replace("Holm", "Skarn")
        answers.write_text(changed)
        assert run_score("frames", gold, answers, *judge_options(endpoint)).exit_code == 0
        assert len(endpoint.requests) == 3


def test_a_judge_grades_webwalkerqa(tmp_path: Path) -> None:
    gold = json_file(tmp_path, WALKER, WALKER)
    answers = lines_file(
        tmp_path,
        {"id": "webwalkerqa-1", "answer": "In 1874, by Marta Lindqvist"},
        {"id": "webwalkerqa-2", "answer": ""},
    )
    with Endpoint(reply_as_judge) as endpoint:
        result = run_score("webwalkerqa", gold, answers, *judge_options(endpoint))
    assert line_cells(result)[2:5] == ["2", "50.0", "0.0"]
    assert len(endpoint.requests) == 1


def test_no_judge_grades_the_other_sets(tmp_path: Path) -> None:
    gold, answers = json_file(tmp_path, FANOUT), lines_file(tmp_path)
    result = run_score("fanoutqa", gold, answers, "--judge", "offline")
    assert result.exit_code == 2
    assert (
        "fanoutqa has no metric by a judge. Use --judge with frames or webwalkerqa."
        in result.stderr
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"id": "f1", "answer": ""}\n{"id": ', "line 2 is not valid JSON"),
        ('{"answer": "x"}', "line 1 is not a valid line of answers: id: Field required"),
        ('{"id": "f1"}', "line 1 is not a valid line of answers: answer: Field required"),
        ('\n{"id": "f9", "answer": "x"}', "line 2 answers 'f9', which is not in the gold file"),
        ('{"id": "f1", "answer": 1}\n' * 2, "line 2 answers 'f1' again"),
        ('{"id": "f1", "answer": 1, "actions": -1}', "actions"),
        (json.dumps([FANOUT]), "line 1 is not a valid line of answers"),
    ],
)
def test_a_fault_in_the_answers_is_told(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "answers.jsonl").write_text(text)
    result = run_score("fanoutqa", json_file(tmp_path, FANOUT), tmp_path / "answers.jsonl")
    assert result.exit_code == 2
    assert said in result.stderr


def test_an_unknown_set_or_a_file_of_another_is_told(tmp_path: Path) -> None:
    gold, answers = json_file(tmp_path, WALKER), lines_file(tmp_path)
    unknown = run_score("webwalker", gold, answers)
    assert (unknown.exit_code, "Did you mean 'webwalkerqa'?" in unknown.stderr) == (2, True)
    other = run_score("fanoutqa", gold, answers)
    assert other.exit_code == 2
    assert "record 1 is not a valid question of FanOutQA" in other.stderr
