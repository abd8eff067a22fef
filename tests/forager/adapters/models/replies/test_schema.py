from typing import Any

import pytest
from pydantic import BaseModel, Field

from forager.adapters.models.replies.schema import bare_schema, describe_fields, strict_schema
from forager.ports import Task
from tests.endpoint.minimal_script import minimal
from tests.endpoint.strict import misfits
from tests.forager.adapters.models.sample_tasks import Picked, make_tasks

TASKS = pytest.mark.parametrize("task", make_tasks("default"), ids=lambda task: task.ROLE)


@TASKS
def test_the_schemas_of_all_roles_are_strict(task: Task[Any]) -> None:
    assert list(misfits(strict_schema(task.REPLY), strict=True)) == []


@TASKS
def test_values_of_the_schema_are_valid_replies(task: Task[Any]) -> None:
    task.REPLY.model_validate(minimal(strict_schema(task.REPLY)))


@TASKS
def test_every_field_is_described(task: Task[Any]) -> None:
    described = describe_fields(strict_schema(task.REPLY))
    for line in described.splitlines():
        name, _, said = line.partition("): ")
        assert said or name.endswith("(list of objects)"), f"{name} of the {task.ROLE} says nothing"
    for field in task.REPLY.model_fields:
        assert f"- {field} (" in described


def test_fields_are_described_in_words() -> None:
    assert describe_fields(strict_schema(Picked)).splitlines() == [
        "- choice (integer): the number",
        "- reason (string): why it",
    ]


def test_fields_may_have_the_names_of_keywords() -> None:
    class Odd(BaseModel):
        title: str
        default: int = 3

    schema = strict_schema(Odd)
    assert list(schema["properties"]) == ["title", "default"]
    assert schema["properties"]["default"] == {"type": "integer"}
    assert schema["required"] == ["title", "default"]


class Inner(BaseModel):
    name: str = Field(description="its name")
    description: str = Field("", description="what it is")


class Outer(BaseModel):
    things: list[Inner] = Field(description="what was found")
    name: str = ""


def test_fields_are_left_out_at_any_depth() -> None:
    schema = strict_schema(Outer, {"name"})
    assert schema["required"] == ["things"]
    assert schema["properties"]["things"]["items"]["required"] == ["description"]


def test_the_endpoint_is_not_told_the_meanings_again() -> None:
    bare = bare_schema(strict_schema(Outer))
    assert list(misfits(bare, strict=True)) == []
    things = bare["properties"]["things"]
    assert set(things) == {"type", "items"}
    assert things["items"]["properties"] == {
        "name": {"type": "string"},
        "description": {"type": "string"},
    }
