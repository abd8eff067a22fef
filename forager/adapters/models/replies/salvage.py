"""Keeps what is valid of a reply that does not fit its model."""

from collections import defaultdict
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError

from forager.ports import RoleReply

MAX_NAMED = 3
"""Items named in a note; more of a list are counted."""

Place = tuple[str, int | None]
"""A field of the reply, and an item if the field is a list."""


class Salvaged(NamedTuple):
    """What is valid of a reply, and the names of what was left out of it."""

    reply: BaseModel
    left_out: str


def salvage_reply(
    found: dict[str, Any], model: type[BaseModel], error: ValidationError
) -> Salvaged | None:
    """The reply without the items of lists and the optional fields that are at fault.

    None if a required field is at fault, or if a required list has no other item: an empty list
    would say something else.
    """
    at_fault = {_faulty_place(found, fault["loc"]) for fault in error.errors()}
    items: defaultdict[str, set[int]] = defaultdict(set)
    for name, number in at_fault:
        if number is not None:
            items[name].add(number)
    whole = {name for name, number in at_fault if number is None}
    if issubclass(model, RoleReply):
        whole |= items.keys() & model.NUMBERED
    whole |= {name for name, numbers in items.items() if len(numbers) == len(found[name])}
    rest = {
        name: [item for number, item in enumerate(value) if number not in items[name]]
        if name in items
        else value
        for name, value in found.items()
        if name not in whole
    }
    try:
        reply = model.model_validate(rest)
    except ValidationError:
        return None
    names = sorted(whole) + [
        _name_items(name, numbers) for name, numbers in sorted(items.items()) if name not in whole
    ]
    return Salvaged(reply, ", ".join(names))


def _faulty_place(found: dict[str, Any], loc: tuple[int | str, ...]) -> Place:
    name = str(loc[0]) if loc else ""
    listed = isinstance(found.get(name), list) and len(loc) > 1 and isinstance(loc[1], int)
    return name, int(loc[1]) if listed else None


def _name_items(name: str, numbers: set[int]) -> str:
    """Name items of a list, the first of which is item 1."""
    if len(numbers) > MAX_NAMED:
        return f"{len(numbers)} items of {name}"
    listed = " and ".join(str(number + 1) for number in sorted(numbers))
    return f"item{'s' * (len(numbers) > 1)} {listed} of {name}"
