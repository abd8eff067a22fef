"""Values of older state versions are brought up to date as they are read, newer ones refused."""

from typing import Any

import pytest
from langgraph.types import Send

from forager.adapters.store.checkpoints.saver import PackedSerializer, types_within
from forager.adapters.store.checkpoints.state_migrations import STEPS, Step
from forager.domain.state import STATE_VERSION, Arm, Question, State
from forager.errors import StoreError

TYPES = types_within(State)
QUESTION = Question(text="Which?", sites=("http://site/",))
ARMS = (Arm(url="a", title="one"), Arm(url="b", title="two"))


def shout(name: str, fields: Any) -> Any:
    """A step: titles of arms are in capitals from version 2 on."""
    return {**fields, "title": fields["title"].upper()} if name == "Arm" else fields


def point(name: str, fields: Any) -> Any:
    """A step: from version 3 on they end with a point."""
    return {**fields, "title": f"{fields['title']}."} if name == "Arm" else fields


STEPS_OF_TEST: dict[int, Step] = {1: shout, 2: point}


def serializer(version: int) -> PackedSerializer:
    return PackedSerializer(TYPES, version, STEPS_OF_TEST)


def test_there_is_a_step_from_each_version() -> None:
    assert set(STEPS) == set(range(1, STATE_VERSION))


@pytest.mark.parametrize(("version", "title"), [(1, "ONE."), (2, "one."), (3, "one")])
def test_a_value_is_brought_up_to_date(version: int, title: str) -> None:
    stored = serializer(version).dumps_typed(ARMS[0])
    assert stored[0].endswith("@2") == (version == 2)
    assert serializer(3).loads_typed(stored) == Arm(url="a", title=title)


def test_values_within_others_are_too() -> None:
    """A Send holds the whole state: arms within a tuple within a dataclass."""
    stored = serializer(1).dumps_typed([Send("walk", State(question=QUESTION, arms=ARMS))])
    (sent,) = serializer(2).loads_typed(stored)
    assert [arm.title for arm in sent.arg.arms] == ["ONE", "TWO"]
    assert sent.arg.question == QUESTION


@pytest.mark.parametrize("value", [None, 3, "text", b"bytes", [1, "x"], {"a": 1}, QUESTION])
def test_whatever_no_step_is_about_stays(value: object) -> None:
    assert serializer(3).loads_typed(serializer(1).dumps_typed(value)) == value


def test_a_newer_value_is_refused() -> None:
    stored = serializer(3).dumps_typed(ARMS[0])
    with pytest.raises(StoreError, match="state has version 3, this one reads versions up to"):
        serializer(2).loads_typed(stored)
