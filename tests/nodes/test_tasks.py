"""What is true of the tasks of all roles."""

import json
from typing import Any

import pytest

from forager.adapters.models.replies.schema import strict_schema
from forager.domain.documents import Document
from forager.ports import Task
from nodes.answerer import AnswererParams, WriteAnswer
from nodes.extractor import ON_LISTS, ON_THE_LEDGER, ON_WAITING_PARTS, ExtractorParams, ReadAndJudge
from tests.endpoint.minimal_script import minimal
from tests.hostile.tasks import tasks
from tests.nodes.states import entry, part, passage

ALL = [type(task) for task in tasks(Document(url="http://host/"))]


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_a_task_is_written_the_same_in_every_process(kind: type[Task]) -> None:  # type: ignore[type-arg]
    """Sets are not: a run that goes on elsewhere would not find what it had asked."""
    assert "uniqueItems" not in json.dumps(kind.model_json_schema())


@pytest.mark.parametrize("task", tasks(Document(url="http://host/")), ids=lambda task: task.ROLE)
def test_a_reply_may_lack_what_is_not_asked_for(task: Task[Any]) -> None:
    task.REPLY.model_validate(minimal(strict_schema(task.REPLY, task.idle)))
    assert all(f"\n\n{aside}" in task.PROMPT for aside in task.ASIDES.values())


def reading(question: str, *needs: str, ledger: bool = False) -> ReadAndJudge:
    asked = part("p1", question).model_copy(update={"needs": needs})
    return ReadAndJudge(
        question=question,
        parts=(asked,),
        best={},
        document=Document(url="http://host/", text="# Rooms\n\n- Ash\n- Birch\n- Cedar\n- Oak"),
        params=ExtractorParams(joint=True),
        ledger=(entry(1, passage("Brandt founded it.")),) if ledger else (),
    )


@pytest.mark.parametrize(
    ("task", "shown"),
    [
        (reading("Who founded it?"), set()),
        (reading("Who founded it?", ledger=True), {ON_THE_LEDGER}),
        (reading("When was she born?", "Who founded it?"), {ON_WAITING_PARTS}),
        (reading("Which rooms are there?"), {ON_LISTS}),
    ],
    ids=["nothing yet", "a ledger", "a part that waits", "a list"],
)
def test_instructions_and_fields_are_those_that_the_request_needs(
    task: ReadAndJudge, shown: set[str]
) -> None:
    asides = {ON_LISTS, ON_THE_LEDGER, ON_WAITING_PARTS}
    assert {each for each in asides if each in task.instructions} == shown
    asked = strict_schema(task.REPLY, task.idle)["properties"]
    named = {"lists": ON_LISTS, "rewritten": ON_WAITING_PARTS}
    assert {name for name in named if name in asked} == {
        name for name, aside in named.items() if aside in shown
    }
    compared = {"agrees", "against", "replaces"} & set(asked["passages"]["items"]["properties"])
    assert bool(compared) is (ON_THE_LEDGER in shown)


def test_a_graph_that_replaces_the_instructions_has_all_fields() -> None:
    task = reading("Who founded it?").with_instructions("Copy what answers.")
    assert (task.instructions, task.idle) == ("Copy what answers.", frozenset())


@pytest.mark.parametrize(
    ("question", "parts", "table"),
    [
        ("Who founded it?", 1, False),
        ("Who founded it, and when?", 2, False),
        ("Who founded it, when, and where?", 3, True),
        ("Which rooms are there?", 1, True),
    ],
)
def test_a_table_is_offered_where_it_may_be_wanted(question: str, parts: int, table: bool) -> None:
    task = WriteAnswer(
        question=question,
        parts=tuple(part(f"p{number}", f"look-up {number}") for number in range(parts)),
        ledger=(entry(1, passage("Brandt founded it.")),),
        params=AnswererParams(),
    )
    assert ("table" in strict_schema(task.REPLY, task.idle)["properties"]) is table
