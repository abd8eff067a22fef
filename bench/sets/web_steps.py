"""Steps of Mind2Web (arXiv 2306.06070) and of MT-Mind2Web's conversations (arXiv 2402.15057)."""

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import Field, JsonValue

from bench.sets.mind2web import RecordedAction, parse_action
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
PAGE = "cleaned_html"
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


class PagedStep(Frozen):
    """A step with its page as HTML; `candidates` are the elements that the authors choose from.

    `told` is the step in the annotators' words, if the file has them.
    """

    gold: StepGold
    page: str
    candidates: tuple[str, ...]
    told: RecordedAction | None = None


class WebTurn(Frozen):
    """A task, or a turn of a conversation, with the steps that accomplished it."""

    id: str
    task: str
    steps: tuple[PagedStep, ...]


class WebConversation(Frozen):
    """The turns of a conversation, or a task as its only turn."""

    id: str
    website: str
    domain: str
    turns: tuple[WebTurn, ...]


class _Operation(RawRecord):
    op: str
    value: str = ""


class _Candidate(RawRecord):
    backend_node_id: str = Field(coerce_numbers_to_str=True)


class _Action(RawRecord):
    action_uid: str
    operation: _Operation
    pos_candidates: tuple[_Candidate, ...] = ()
    neg_candidates: tuple[_Candidate, ...] = ()
    cleaned_html: str = ""

    def paged(self, gold: StepGold, told: str) -> PagedStep:
        """The step with its page. Without negative candidates, those left would give it away."""
        others = tuple(one.backend_node_id for one in self.neg_candidates)
        return PagedStep(
            gold=gold,
            page=self.cleaned_html,
            candidates=(*gold.elements, *others) if others else (),
            told=_parse_told(told),
        )


class _Turn(RawRecord):
    annotation_id: str
    confirmed_task: str = ""
    action_reprs: tuple[str, ...] = ()
    actions: tuple[_Action, ...] = Field(min_length=1)

    def steps(self, website: str, conversation: str) -> Iterator[StepGold]:
        for action in self.actions:
            value = "" if action.operation.op == CLICK else action.operation.value
            yield StepGold(
                id=f"{self.annotation_id}_{action.action_uid}",
                turn=self.annotation_id,
                conversation=conversation,
                website=website,
                elements=tuple(one.backend_node_id for one in action.pos_candidates),
                operation=f"{action.operation.op} {value}".strip(),
            )

    def paged(self, website: str, conversation: str) -> WebTurn:
        """The turn with its pages."""
        golds = self.steps(website, conversation)
        told = (*self.action_reprs, *[""] * len(self.actions))
        steps = [
            action.paged(gold, text)
            for action, gold, text in zip(self.actions, golds, told, strict=False)
        ]
        return WebTurn(id=self.annotation_id, task=self.confirmed_task, steps=tuple(steps))


class _Task(_Turn):
    website: str = ""
    domain: str = ""


class _Conversation(RawRecord):
    task_id: str
    website: str = ""
    domain: str = ""
    turns: tuple[_Turn, ...] = Field(min_length=1)


def load_steps(path: Path) -> tuple[StepGold, ...]:
    """Load the steps of a file of tasks or of conversations, in order. Raises UsageError."""
    found: list[StepGold] = []
    for number, data in enumerate(json_records(path, FORM), 1):
        talk = _read_conversation(data, f"{path}, record {number}")
        found += (step for turn in talk.turns for step in turn.steps(talk.website, talk.task_id))
    check_unique((step.id for step in found), path)
    return tuple(found)


def load_conversations(path: Path) -> tuple[WebConversation, ...]:
    """Load the tasks or conversations of a file with their pages. Raises UsageError."""
    found = []
    for number, data in enumerate(json_records(path, FORM), 1):
        if isinstance(data, dict) and not data.keys() & {"actions", "turns"}:
            raise _cannot_be_asked(path, "actions")
        found.append(_with_pages(_read_conversation(data, f"{path}, record {number}")))
    turns = [turn for talk in found for turn in talk.turns]
    steps = [step for turn in turns for step in turn.steps]
    check_unique((step.gold.id for step in steps), path)
    if not all(turn.task for turn in turns):
        raise _cannot_be_asked(path, "confirmed_task")
    if not all(step.page for step in steps):
        raise _cannot_be_asked(path, PAGE)
    return tuple(found)


def _cannot_be_asked(path: Path, lacks: str) -> UsageError:
    return UsageError(
        f"mind2web cannot be asked of {path}: it lacks {lacks}.",
        f"Give a file as the authors publish it: with confirmed_task, actions and, in each action, "
        f"its page as {PAGE}. Score predictions with `bench score --set mind2web`.",
    )


def _with_pages(talk: _Conversation) -> WebConversation:
    return WebConversation(
        id=talk.task_id,
        website=talk.website,
        domain=talk.domain,
        turns=tuple(turn.paged(talk.website, talk.task_id) for turn in talk.turns),
    )


def _read_conversation(data: JsonValue, where: str) -> _Conversation:
    """A conversation; a task alone is one with a single turn."""
    if isinstance(data, dict) and "turns" in data:
        return check_record(_Conversation, data, where, FORM)
    task = check_record(_Task, data, where, FORM)
    return _Conversation(
        task_id=task.annotation_id, website=task.website, domain=task.domain, turns=(task,)
    )


def _parse_told(text: str) -> RecordedAction | None:
    try:
        return parse_action(text)
    except ValueError:
        return None


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
