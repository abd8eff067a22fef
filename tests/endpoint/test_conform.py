"""The least JSON that a schema permits is valid JSON for it."""

import enum
from typing import Annotated, Literal, Optional

import pytest
from pydantic import BaseModel, Field

from tests.endpoint.minimal_script import EndlessError, minimal


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Tree(BaseModel):
    name: str
    children: list["Tree"]
    twin: Optional["Tree"]


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = Field(ge=1, le=9)


class Dog(BaseModel):
    kind: Literal["dog"]


class Zoo(BaseModel):
    animal: Annotated[Cat | Dog, Field(discriminator="kind")]
    colour: Colour
    trees: list[Tree] = Field(min_length=2)
    pair: tuple[int, str]
    share: float = Field(gt=0, lt=1)
    below: int = Field(lt=0)
    code: str = Field(min_length=3)
    names: dict[str, int]
    maybe: int | None
    either: int | str
    left_out: str = "default"


def test_what_pydantic_asks_for_is_given() -> None:
    value = minimal(Zoo.model_json_schema())
    assert "left_out" not in value
    assert Zoo.model_validate(value, strict=False).left_out == "default"
    assert value["animal"] == {"kind": "cat", "lives": 1}
    assert value["colour"] == "red"
    assert value["trees"] == [{"name": "", "children": [], "twin": None}] * 2
    assert value["maybe"] is None


@pytest.mark.parametrize(
    ("schema", "least"),
    [
        ({"type": ["string", "null"]}, None),
        ({"const": 7}, 7),
        ({"type": "string", "format": "date"}, "2000-01-01"),
        ({"type": "number", "minimum": 0.5}, 0.5),
        ({"type": "integer", "minimum": 0.5}, 1),
        ({"type": "integer", "exclusiveMinimum": 3}, 4),
        ({"type": "number", "maximum": -2}, -3),
        ({"type": "boolean"}, False),
        ({"allOf": [{"type": "object", "required": ["a"]}], "required": ["b"]}, {"a": None}),
        ({}, None),
    ],
)
def test_the_least_of_each_kind(schema: dict[str, object], least: object) -> None:
    assert minimal(schema) == least


def test_a_schema_that_needs_itself_is_refused() -> None:
    schema = {"type": "object", "properties": {"self": {"$ref": "#"}}, "required": ["self"]}
    with pytest.raises(EndlessError):
        minimal(schema)
