"""Values of the state as text that a person can read."""

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from forager.domain.base import Frozen
from forager.domain.state import State

LONGEST = 6000
DIGITS = 4
EMPTY: tuple[object, ...] = (None, "", [], {})


class Shown(Frozen):
    """A key of the state, and its value as text."""

    key: str
    text: str


def plainly(values: Mapping[str, Any], keys: frozenset[str]) -> tuple[Shown, ...]:
    """These keys in the state's order, those that stand empty left out."""
    order = [each.name for each in fields(State) if each.name in keys]
    own = [name for name in (*order, *sorted(keys - {*order})) if name in values]
    found = [(name, _text(_plain(values[name]))) for name in own]
    return tuple(Shown(key=name, text=text) for name, text in found if text)


def _plain(value: Any) -> Any:
    """As JSON, without what is as it is by default and what is empty."""
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json", exclude_defaults=True)
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        found = {name: _plain(item) for name, item in value.items()}
        return {name: item for name, item in found.items() if item not in EMPTY}
    return to_jsonable_python(value)


def _text(value: Any) -> str:
    if value in EMPTY:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
    more = len(text) - LONGEST
    return text if more <= 0 else f"{text[:LONGEST]}… and {more:,} more characters"
