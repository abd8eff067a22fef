"""Mind2Web's and MT-Mind2Web's metrics."""

import json
from pathlib import Path

import pytest

from bench.scorers.mind2web_metrics import operation_f1, score_steps
from bench.sets.web_steps import StepPrediction, load_predictions, load_steps
from forager.errors import UsageError


def action(id: str, op: str, value: str, *elements: str) -> dict[str, object]:
    return {
        "action_uid": id,
        "operation": {"op": op, "value": value},
        "pos_candidates": [{"backend_node_id": element} for element in elements],
    }


FIRST = {
    "annotation_id": "t1",
    "actions": [action("a", "CLICK", "ignored", "7", "8"), action("b", "TYPE", "Holm pier", "9")],
}
SECOND = {"annotation_id": "t2", "actions": [action("c", "SELECT", "Two", "4")]}
THIRD = {
    "annotation_id": "t3",
    "actions": [action("d", "CLICK", "", "5"), action("e", "CLICK", "")],
}
SAID = [
    ["t1_a", "8", "CLICK"],
    ["t1_b", "9", "TYPE Holm"],
    ["t2_c", 4, "SELECT Two"],
    ["t3_d", "", ""],
]


def write(path: Path, data: object) -> Path:
    path.write_text(json.dumps(data))
    return path


@pytest.mark.parametrize(
    ("said", "gold", "f1"),
    [
        ("TYPE Holm", "TYPE Holm pier", 4 / 5),
        ("CLICK", "CLICK", 1),
        ("type Holm", "TYPE Holm", 1 / 2),
        ("", "CLICK", 0),
        ("", "", 1),
        ("TYPE a a a", "TYPE a", 1),
    ],
)
def test_operations_are_compared_word_by_word(said: str, gold: str, f1: float) -> None:
    assert operation_f1(said, gold) == pytest.approx(f1)


def test_tasks(tmp_path: Path) -> None:
    golds = load_steps(write(tmp_path / "gold.json", [FIRST, SECOND, THIRD]))
    said = load_predictions(write(tmp_path / "said.json", SAID))
    assert said["t2_c"] == StepPrediction(id="t2_c", element="4", operation="SELECT Two")
    found = score_steps(golds, said)
    assert (found.steps, found.turns, found.conversations) == (5, 3, 3)
    assert found.micro.element == pytest.approx(3 / 5)
    assert found.micro.operation == pytest.approx((1 + 4 / 5 + 1) / 5)
    assert found.micro.success == pytest.approx(2 / 5)
    assert found.element_accuracy == pytest.approx((1 + 1 + 0) / 3)
    assert found.operation_f1 == pytest.approx((9 / 10 + 1 + 0) / 3)
    assert found.step_success == pytest.approx((1 / 2 + 1 + 0) / 3)
    assert found.turn_success == pytest.approx(1 / 3)


def test_conversations(tmp_path: Path) -> None:
    talk = {"task_id": "c1", "turns": [FIRST, SECOND]}
    golds = load_steps(write(tmp_path / "gold.json", [talk, {"task_id": "c2", "turns": [THIRD]}]))
    found = score_steps(golds, load_predictions(write(tmp_path / "said.json", SAID)))
    assert (found.steps, found.turns, found.conversations) == (5, 3, 2)
    assert found.element_accuracy == pytest.approx((1 + 1 + 0) / 3)
    assert found.step_success == pytest.approx((2 / 3 + 0) / 2)
    assert found.turn_success == pytest.approx((1 / 2 + 0) / 2)


def test_a_broken_prediction(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="record 2 is not a prediction"):
        load_predictions(write(tmp_path / "said.json", [["x", "1", "CLICK"], ["y"]]))
