"""`bench score`: public metrics of a file of answers."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bench.commands.main import app
from tests.bench.judge_replies import reply_as_judge, reply_uselessly
from tests.bench.samples import (
    FANOUT,
    FRAMES_ROW,
    TASK,
    WALKER,
    frames_file,
    json_file,
    lines_file,
)
from tests.endpoint import Endpoint, Reply

NODE = {"backend_node_id": 7}


def run_score(name: str, gold: Path, answers: Path, *more: str) -> Result:
    words = ["score", "--set", name, "--gold", str(gold), "--answers", str(answers), *more]
    env = {"FORAGER_DATA": str(gold.parent)}
    return CliRunner().invoke(app, words, env=env, prog_name="./run bench")


def published_judge(endpoint: Endpoint) -> tuple[str, ...]:
    return ("--judge", "openai:scripted", "--judge-base-url", endpoint.url)


def judge_options(endpoint: Endpoint) -> tuple[str, ...]:
    return ("--judge-prompt", "forager", *published_judge(endpoint))


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
    result = run_score("fanoutqa", gold, answers, "--lemmas", "stems")
    assert line_cells(result) == ["3", "66.7", "44.4", "33.3"]
    assert result.stdout.splitlines()[-1].startswith("approximate: ")


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


def test_mind2web(tmp_path: Path) -> None:
    click = {"action_uid": "a", "operation": {"op": "CLICK"}, "pos_candidates": [NODE]}
    type_ = {**click, "action_uid": "b", "operation": {"op": "TYPE", "value": "Holm pier"}}
    gold = json_file(tmp_path, {"annotation_id": "t", "actions": [click, type_]})
    answers = tmp_path / "predictions.json"
    answers.write_text(json.dumps([["t_a", "7", "CLICK"], ["t_b", "7", "TYPE Holm"]]))
    result = run_score("mind2web", gold, answers)
    assert line_cells(result, 1) == ["of", "steps", "2", "100.0", "90.0", "50.0", "–"]
    assert line_cells(result, 2) == ["published", "1", "100.0", "90.0", "50.0", "0.0"]


def test_a_metric_without_its_package_is_told(tmp_path: Path) -> None:
    gold, answers = json_file(tmp_path, FANOUT), lines_file(tmp_path)
    result = run_score("fanoutqa", gold, answers, "--bleurt", str(tmp_path))
    assert result.exit_code == 2
    assert "BLEURT" in result.stderr


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("Both name her.\nGRADE: CORRECT", "100.0"),
        ("GRADE: INCORRECT, not CORRECT", "0.0"),
        ("They agree.\n\n**CORRECT**", "100.0"),
    ],
)
def test_the_published_prompt_judges_webwalkerqa(tmp_path: Path, said: str, right: str) -> None:
    gold = json_file(tmp_path, WALKER)
    answers = lines_file(tmp_path, {"id": "webwalkerqa-1", "answer": "She did, in 1874"})
    with Endpoint(lambda asked: Reply(said)) as endpoint:
        result = run_score("webwalkerqa", gold, answers, *published_judge(endpoint))
        [asked] = endpoint.requests
    assert line_cells(result)[3] == right
    [message] = asked.messages
    assert message["role"] == "user"
    assert "CONTEXT: Marta Lindqvist, in 1874\nSTUDENT ANSWER: She did, in 1874\n" in str(
        message["content"]
    )
    assert "response_format" not in asked.body
    assert "tools" not in asked.body


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ('"Explanation:" The same. "Decision:" "TRUE"', "100.0"),
        ("Explanation: TRUE would be Skarn.\nDecision: FALSE", "0.0"),
    ],
)
def test_the_published_prompt_judges_frames(tmp_path: Path, said: str, right: str) -> None:
    gold = frames_file(tmp_path, FRAMES_ROW)
    answers = lines_file(tmp_path, {"id": 0, "answer": "Holm"})
    with Endpoint(lambda asked: Reply(said)) as endpoint:
        result = run_score("frames", gold, answers, *published_judge(endpoint))
        assert "- Predicted Answer: Holm\n- Ground Truth Answer: The lighthouse\n" in str(
            endpoint.requests[0].messages[0]["content"]
        )
    assert line_cells(result)[2] == right


@pytest.mark.parametrize(("said", "right"), [("Same.\nC\nC", "100.0"), ("Less.\nA", "0.0")])
def test_the_published_prompt_judges_fanoutqa(tmp_path: Path, said: str, right: str) -> None:
    gold = json_file(tmp_path, FANOUT)
    answers = lines_file(tmp_path, {"id": "f1", "answer": "x" * 5000})
    with Endpoint(lambda asked: Reply(said)) as endpoint:
        more = ("--lemmas", "stems", *published_judge(endpoint))
        result = run_score("fanoutqa", gold, answers, *more)
        [asked] = endpoint.requests
    assert line_cells(result)[4] == right
    assert f"[Submission]: {'x' * 4000}\n***" in str(asked.messages[1]["content"])
    assert "[Expert]: Skarn - 41.5\nHolm - 1,041 feet\nlit - yes\n" in str(
        asked.messages[1]["content"]
    )


def test_a_reply_without_a_verdict_leaves_the_string_metric(tmp_path: Path) -> None:
    gold = json_file(tmp_path, WALKER)
    answers = lines_file(tmp_path, {"id": "webwalkerqa-1", "answer": WALKER["answer"]})
    with Endpoint(reply_uselessly) as endpoint:
        result = run_score("webwalkerqa", gold, answers, *published_judge(endpoint))
    assert line_cells(result)[3] == "100.0"
    assert "1 of them by the string metric" in result.stdout
    assert "the reply ends without a verdict" in result.stderr


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
    gold, answers = json_file(tmp_path, TASK), lines_file(tmp_path)
    result = run_score("assistantbench", gold, answers, "--judge", "offline")
    assert result.exit_code == 2
    assert "assistantbench has no metric by a judge. Use --judge with frames" in result.stderr


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
