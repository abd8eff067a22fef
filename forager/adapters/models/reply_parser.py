"""From what a model wrote to a role's reply: strict where it is, patient where it is not."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import json_repair
from pydantic import BaseModel, ValidationError

THINKING = re.compile(
    r"\A\s*(?:<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)|[^{]*?</think(?:ing)?>)",
    re.DOTALL | re.IGNORECASE,
)
FENCE = re.compile(r"```(?:json)?\s*(\{.*?\})\s*```", re.DOTALL | re.IGNORECASE)
MARK = re.compile(r'"(?:[^"\\]|\\.)*(?P<end>"?)|[{}\[\]]', re.DOTALL)
CLOSING = {"{": "}", "[": "]"}
DECODER = json.JSONDecoder()
WRAPPED = 3
"""How many objects deep a reply may be wrapped."""
TOLD = 5
"""Faults that the model is told at once."""

Object = dict[str, Any]


class Misfit(ValueError):
    """What was written is no such reply; the message tells the model why."""


class Parsed(NamedTuple):
    """A reply; `whole` where it was written as complete JSON and nothing had to be mended."""

    reply: BaseModel
    whole: bool


def parse(text: str, model: type[BaseModel]) -> Parsed:
    """The reply in a text: bare, in a code fence, amid prose, wrapped or broken. Raises Misfit."""
    said = spoken(text)
    misfit = Misfit("There is no JSON object in it.")
    for whole, found in _candidates(said):
        fitting = _unwrapped(found, model)
        try:
            return Parsed(model.model_validate(fitting), whole)
        except ValidationError as error:
            if fitting.keys() & model.model_fields.keys() or not misfit.__cause__:
                misfit = Misfit(_told(error))
                misfit.__cause__ = error
    raise misfit


def spoken(text: str) -> str:
    """The text without the thinking that comes before it."""
    return THINKING.sub("", text, count=1).strip() or text.strip()


def holds_object(text: str) -> bool:
    """Is there a complete JSON object in the text?"""
    return next(_objects(text), None) is not None


def _candidates(text: str) -> Iterator[tuple[bool, Object]]:
    """The objects in a text, those first that need no mending, the last of them first."""
    yield from ((True, found) for found in reversed(list(_objects(text))))
    if "{" not in text:
        return
    rest = text[text.index("{") :]
    for closed in _closed(rest):
        yield from ((False, found) for found in _objects(closed))
    for broken in (*FENCE.findall(text), rest):
        found = _mended(broken)
        if isinstance(found, dict):
            yield False, found


def _objects(text: str) -> Iterator[Object]:
    """The complete JSON objects in a text that no other one holds."""
    at = text.find("{")
    while at >= 0:
        try:
            found, end = DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield found
        at = text.find("{", end)


def _closed(text: str) -> tuple[str, ...]:
    """A text that was cut off, with all that is open closed, and so without its last value."""
    open: list[str] = []
    quote = done = ""
    for mark in MARK.finditer(text):
        if mark[0] in CLOSING:
            open.append(CLOSING[mark[0]])
        elif open and mark[0] == open[-1]:
            open.pop()
            done = text[: mark.end()] + "".join(reversed(open))
        quote = '"' if mark["end"] == "" else ""
    return (text + quote + "".join(reversed(open)), done) if open else ()


def _mended(text: str) -> Any:
    """What is left of an object in a broken text."""
    try:
        return json_repair.loads(text, skip_json_loads=True)
    except (ValueError, RecursionError):
        return None


def _unwrapped(found: Object, model: type[BaseModel]) -> Object:
    """Small models wrap a reply into one more object, or into the arguments of a tool."""
    fields = model.model_fields.keys()
    for _ in range(WRAPPED):
        inner = [value for value in map(_opened, found.values()) if isinstance(value, dict)]
        if found.keys() & fields or len(inner) != 1:
            break
        found = inner[0]
    told: Object = _told_values(found)
    return told


def _opened(value: Any) -> Any:
    """A value, or the object that stands in it as text."""
    if not isinstance(value, str) or not value.lstrip().startswith("{"):
        return value
    return next(_objects(value), value)


def _told_values(value: Any) -> Any:
    """Without fields that are null, which say as much as none, and without halves of characters."""
    if isinstance(value, dict):
        return {_told_values(k): _told_values(v) for k, v in value.items() if v is not None}
    if isinstance(value, list):
        return [_told_values(item) for item in value]
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _told(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(map(str, fault['loc'])) or 'it'}: {fault['msg']}"
        for fault in error.errors()[:TOLD]
    )
