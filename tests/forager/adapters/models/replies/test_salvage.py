"""What is valid of a reply that does not fit is kept, for the reply of every role."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, ValidationError

from forager.adapters.models.replies.parser import MisfitError, parse_reply
from forager.adapters.models.replies.salvage import Salvaged
from forager.ports import RoleReply
from nodes.aggregator import Edits
from nodes.answerer import Written
from nodes.critic import Judged
from nodes.extractor import Found, FoundAndJudged
from nodes.navigator.links import Choice
from nodes.navigator.tree import Rated
from nodes.reflector import Reflection
from nodes.surveyor import Plan

TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
MISFITS: list[Any] = [None, 7, [], {}, [["no"]], {"none": "of its fields"}]


class Table(BaseModel):
    """A field with fields of its own."""

    rows: list[str] = Field(default_factory=list)


class Listing(RoleReply):
    """A reply with a required list, a required number and optional fields."""

    names: list[str]
    choice: int
    table: Table = Table()
    also: list[str] = Field(default_factory=list)
    reason: str = ""


def salvage(said: dict[str, Any], model: type[BaseModel] = Listing) -> Salvaged | None:
    """What is kept of a reply that does not fit."""
    with pytest.raises(MisfitError) as caught:
        parse_reply(json.dumps(said), model)
    return caught.value.salvaged


@given(
    st.lists(TEXT, min_size=1, max_size=8),
    st.lists(st.sampled_from(MISFITS), min_size=1, max_size=8),
    st.randoms(use_true_random=False),
)
def test_exactly_the_valid_items_are_kept_in_order(
    valid: list[str], invalid: list[Any], random: Any
) -> None:
    mixed: list[Any] = list(valid)
    for item in invalid:
        mixed.insert(random.randint(0, len(mixed)), item)
    kept = salvage({"names": mixed, "choice": 3})
    assert kept is not None
    assert kept.reply == Listing(names=valid, choice=3)
    assert kept.left_out.endswith(" of names")


@pytest.mark.parametrize(
    ("model", "field", "beside"),
    [
        (Found, "passages", {"part": ["p1"], "quote": "It is 7.", "confidence": 0.5}),
        (FoundAndJudged, "passages", {"part": ["p1"], "quote": "It is 7.", "answers": []}),
        (Edits, "edits", {"op": "ADD", "passage": 1}),
        (Rated, "ratings", {"number": 1, "score": 0.5}),
        (Judged, "quotes", "e1"),
        (Judged, "covered", "p1"),
        (Written, "open", "how deep it is"),
    ],
)
@given(st.lists(st.sampled_from(MISFITS), min_size=1, max_size=6), st.integers(1, 4))
def test_the_replies_of_the_roles(
    model: type[BaseModel], field: str, beside: object, invalid: list[Any], times: int
) -> None:
    lists: dict[str, Any] = {
        name: [] for name, each in model.model_fields.items() if each.is_required()
    }
    whole = lists | {"text": "It is 7."} if model is Written else lists
    valid = [beside] * times
    kept = salvage({**whole, field: [*invalid, *valid]}, model)
    assert kept is not None
    assert kept.reply == model.model_validate({**whole, field: valid})


@pytest.mark.parametrize(
    ("changed", "kept", "left_out"),
    [
        ({"names": ["a", 1, "b", 2]}, {"names": ["a", "b"]}, "items 2 and 4 of names"),
        ({"names": [1, 2, 3, 4, "a"]}, {"names": ["a"]}, "4 items of names"),
        ({"reason": ["none"]}, {}, "reason"),
        ({"table": {"rows": [1]}}, {}, "table"),
        ({"also": [1, 2]}, {}, "also"),
        ({"also": [1], "names": ["a", {}]}, {}, "also, item 2 of names"),
    ],
)
def test_the_note_names_what_is_left_out(
    changed: dict[str, Any], kept: dict[str, Any], left_out: str
) -> None:
    said = {"names": ["a"], "choice": 3}
    assert salvage(said | changed) == (Listing.model_validate(said | kept), left_out)


@pytest.mark.parametrize(
    "said",
    [
        {"names": ["a"]},
        {"names": ["a"], "choice": "third"},
        {"names": ["a", 1], "choice": None},
        {"names": [1], "choice": 3},
        {"names": "a", "choice": 3},
        {"choice": 3},
        {},
    ],
)
def test_a_reply_without_a_required_field_cannot_be_kept(said: dict[str, Any]) -> None:
    assert salvage(said) is None


def test_a_look_up_does_not_vanish_from_a_plan() -> None:
    assert salvage({"asks": [{"ask": "how deep it is"}, {}]}, Plan) is None


def test_references_to_a_sum_do_not_come_to_mean_another() -> None:
    good = {"operation": "sum", "operands": [{"quote": "e1", "value": "7"}] * 2}
    kept = salvage({"text": "It is {sum 2}.", "sums": [{}, good]}, Written)
    assert kept == (Written(text="It is {sum 2}."), "sums")


@pytest.mark.parametrize("model", [Choice, Reflection])
def test_a_decision_cannot_be_kept_without_the_decision(model: type[BaseModel]) -> None:
    with pytest.raises(ValidationError):
        model.model_validate({"reason": "because"})
    assert salvage({"reason": "because", "choice": "no", "outcome": 7}, model) is None


def test_the_first_object_that_can_be_kept_is_kept() -> None:
    text = '{"names": ["a", 1], "choice": 3} and {"names": 2, "choice": 4}'
    with pytest.raises(MisfitError) as caught:
        parse_reply(text, Listing)
    assert caught.value.salvaged == (Listing(names=["a"], choice=3), "item 2 of names")
