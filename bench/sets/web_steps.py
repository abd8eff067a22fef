"""Steps of Mind2Web (arXiv 2306.06070) and of MT-Mind2Web's conversations (arXiv 2402.15057)."""

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import Field, JsonValue

from bench.sets.records import FileForm, RawRecord, check_record, check_unique, json_records
from forager.domain.base import Frozen
from forager.errors import UsageError

FORM = FileForm(
    "Mind2Web",
    "task",
    "a JSON list of objects with annotation_id and actions, or task_id and turns; each action has "
    "action_uid, operation and pos_candidates",
)
PREDICTIONS = FileForm(
    "Mind2Web", "prediction", 'a JSON list of triples ["ANNOTATION_ACTION", "ELEMENT", "OP VALUE"]'
)
CLICK = "CLICK"
TRIPLE = 3


class StepGold(Frozen):
    """A step: its right elements, and the operation with its value, as in `TYPE Oslo`.

    `turn` is the task's id, `conversation` that of its conversation; without one, the task's own.
    """

    id: str
    turn: str
    conversation: str
    website: str
    elements: tuple[str, ...]
    operation: str


class StepPrediction(Frozen):
    """The element and the operation that were predicted for a step; both empty for none."""

    id: str
    element: str
    operation: str


class _Operation(RawRecord):
    op: str
    value: str = ""


class _Candidate(RawRecord):
    backend_node_id: str = Field(coerce_numbers_to_str=True)


class _Action(RawRecord):
    action_uid: str
    operation: _Operation
    pos_candidates: tuple[_Candidate, ...] = ()


class _Turn(RawRecord):
    annotation_id: str
    actions: tuple[_Action, ...] = Field(min_length=1)

    def steps(self, website: str, conversation: str) -> Iterator[StepGold]:
        for action in self.actions:
            value = "" if action.operation.op == CLICK else action.operation.value
            yield StepGold(
                id=f"{self.annotation_id}_{action.action_uid}",
                turn=self.annotation_id,
                conversation=conversation or self.annotation_id,
                website=website,
                elements=tuple(one.backend_node_id for one in action.pos_candidates),
                operation=f"{action.operation.op} {value}".strip(),
            )


class _Task(_Turn):
    website: str = ""


class _Conversation(RawRecord):
    task_id: str
    website: str = ""
    turns: tuple[_Turn, ...] = Field(min_length=1)


def load_steps(path: Path) -> tuple[StepGold, ...]:
    """Load the steps of a file of tasks or of conversations, in order. Raises UsageError."""
    found: list[StepGold] = []
    for number, data in enumerate(json_records(path, FORM), 1):
        found += _task_steps(data, f"{path}, record {number}")
    check_unique((step.id for step in found), path)
    return tuple(found)


def _task_steps(data: JsonValue, where: str) -> Iterator[StepGold]:
    if isinstance(data, dict) and "turns" in data:
        conversation = check_record(_Conversation, data, where, FORM)
        for turn in conversation.turns:
            yield from turn.steps(conversation.website, conversation.task_id)
    else:
        task = check_record(_Task, data, where, FORM)
        yield from task.steps(task.website, "")


def load_predictions(path: Path) -> dict[str, StepPrediction]:
    """Load predictions in the authors' form by the id of the step. Raises UsageError."""
    found = {}
    for number, data in enumerate(json_records(path, PREDICTIONS), 1):
        if not isinstance(data, list) or len(data) != TRIPLE:
            raise UsageError(
                f"{path}, record {number} is not a prediction: {json.dumps(data)[:80]}.",
                f"Correct it, or {PREDICTIONS.hint}",
            )
        id, element, operation = ("" if part is None else str(part) for part in data)
        found[id] = StepPrediction(id=id, element=element, operation=operation)
    return found
