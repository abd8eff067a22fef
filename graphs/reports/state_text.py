"""Values of the state as text for people."""

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from forager.domain.base import Frozen
from forager.domain.state import State

MAX_CHARACTERS = 6000
DIGITS = 4
EMPTY_VALUES: tuple[object, ...] = (None, "", [], {})


class ShownValue(Frozen):
    """A key of the state and its value as text."""

    key: str
    text: str


def readable_values(values: Mapping[str, Any], keys: frozenset[str]) -> tuple[ShownValue, ...]:
    """The values of these keys as text, in the state's order, without empty ones."""
    order = [each.name for each in fields(State) if each.name in keys]
    own = [name for name in (*order, *sorted(keys - {*order})) if name in values]
    found = [(name, _value_text(_plain_value(values[name]))) for name in own]
    return tuple(ShownValue(key=name, text=text) for name, text in found if text)


def _plain_value(value: Any) -> Any:
    """As JSON, without defaults and empty values."""
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json", exclude_defaults=True)
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, tuple | list):
        return [_plain_value(item) for item in value]
    if isinstance(value, dict):
        found = {name: _plain_value(item) for name, item in value.items()}
        return {name: item for name, item in found.items() if item not in EMPTY_VALUES}
    return to_jsonable_python(value)


def _value_text(value: Any) -> str:
    if value in EMPTY_VALUES:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
    more = len(text) - MAX_CHARACTERS
    return text if more <= 0 else f"{text[:MAX_CHARACTERS]}… and {more:,} more characters"
