"""Parses a model's text into a role's reply, tolerating prose, wrapping and broken JSON."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import json_repair
from pydantic import BaseModel, ValidationError

from forager.adapters.models.replies.salvage import Salvaged, salvage_reply
from forager.text.unicode import TURNING, TURNING_CODES

THINKING_TEXT = re.compile(
    r"\A\s*(?:<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)|[^{]*?</think(?:ing)?>)",
    re.DOTALL | re.IGNORECASE,
)
CODE_FENCE = re.compile(r"```(?:json)?\s*(\{.*?\})\s*```", re.DOTALL | re.IGNORECASE)
JSON_MARK = re.compile(r'"(?:[^"\\]|\\.)*(?P<end>"?)|[{}\[\]]', re.DOTALL)
CLOSING_MARKS = {"{": "}", "[": "]"}
DECODER = json.JSONDecoder()
TURNED = re.compile(
    rf"[{TURNING}]|\\u(?:{'|'.join(f'{code:04x}' for code in TURNING_CODES)})", re.IGNORECASE
)
MAX_WRAPPING = 3
"""How many levels of wrapping are removed from a reply."""
MAX_REPORTED = 5
"""Faults reported to the model at once."""

JsonObject = dict[str, Any]


class MisfitError(ValueError):
    """The text is not a valid reply; the message explains this to the model.

    `salvaged` is what is valid of it, if that is enough for a reply.
    """

    def __init__(self, message: str, salvaged: Salvaged | None = None) -> None:
        super().__init__(message)
        self.salvaged = salvaged


class ParsedReply(NamedTuple):
    """A parsed reply; `whole` means that it was complete JSON without repairs."""

    reply: BaseModel
    whole: bool


def parse_reply(text: str, model: type[BaseModel]) -> ParsedReply:
    """Parse the reply in a text: bare, in a code fence, amid prose, wrapped or broken.

    Characters that turn the order of text are left out. Raises MisfitError.
    """
    spoken = remove_thinking(TURNED.sub("", text))
    misfit = MisfitError("There is no JSON object in it.")
    for whole, found in _find_candidates(spoken):
        fitting = _unwrap_reply(found, model)
        try:
            return ParsedReply(model.model_validate(fitting), whole)
        except ValidationError as error:
            if fitting.keys() & model.model_fields.keys() or not misfit.__cause__:
                salvaged = misfit.salvaged or salvage_reply(fitting, model, error)
                misfit = MisfitError(_describe_faults(error), salvaged)
                misfit.__cause__ = error
    raise misfit


def remove_thinking(text: str) -> str:
    """Remove the thinking at the start of a text."""
    return THINKING_TEXT.sub("", text, count=1).strip() or text.strip()


def holds_object(text: str) -> bool:
    """Does the text contain a complete JSON object?"""
    return next(_find_objects(text), None) is not None


def _find_candidates(text: str) -> Iterator[tuple[bool, JsonObject]]:
    """Yield the objects in a text, each with `whole`: complete ones first, the last one first."""
    yield from ((True, found) for found in reversed(list(_find_objects(text))))
    if "{" not in text:
        return
    rest = text[text.index("{") :]
    for closed in _close_truncated(rest):
        yield from ((False, found) for found in _find_objects(closed))
    for broken in (*CODE_FENCE.findall(text), rest):
        found = _repair_json(broken)
        if isinstance(found, dict):
            yield False, found


def _find_objects(text: str) -> Iterator[JsonObject]:
    """Yield the outermost complete JSON objects in a text."""
    at = text.find("{")
    while at >= 0:
        try:
            found, end = DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield found
        at = text.find("{", end)


def _close_truncated(text: str) -> tuple[str, ...]:
    """Close all open brackets of a truncated text, with and without its last value."""
    open: list[str] = []
    quote = done = ""
    for mark in JSON_MARK.finditer(text):
        if mark[0] in CLOSING_MARKS:
            open.append(CLOSING_MARKS[mark[0]])
        elif open and mark[0] == open[-1]:
            open.pop()
            done = text[: mark.end()] + "".join(reversed(open))
        quote = '"' if mark["end"] == "" else ""
    return (text + quote + "".join(reversed(open)), done) if open else ()


def _repair_json(text: str) -> Any:
    """Repair the JSON in a text; None if that fails."""
    try:
        return json_repair.loads(text, skip_json_loads=True)
    except (ValueError, RecursionError):
        return None


def _unwrap_reply(found: JsonObject, model: type[BaseModel]) -> JsonObject:
    """Unwrap a reply that a small model put in another object or in the arguments of a tool."""
    fields = model.model_fields.keys()
    for _ in range(MAX_WRAPPING):
        inner = [
            value for value in map(_parse_if_object, found.values()) if isinstance(value, dict)
        ]
        if found.keys() & fields or len(inner) != 1:
            break
        found = inner[0]
    cleaned: JsonObject = _drop_nulls(found)
    return cleaned


def _parse_if_object(value: Any) -> Any:
    """A value, or the object that it contains as text."""
    if not isinstance(value, str) or not value.lstrip().startswith("{"):
        return value
    return next(_find_objects(value), value)


def _drop_nulls(value: Any) -> Any:
    """Drop fields that are null, and replace unpaired surrogates."""
    if isinstance(value, dict):
        return {_drop_nulls(k): _drop_nulls(v) for k, v in value.items() if v is not None}
    if isinstance(value, list):
        return [_drop_nulls(item) for item in value]
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _describe_faults(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(map(str, fault['loc'])) or 'it'}: {fault['msg']}"
        for fault in error.errors()[:MAX_REPORTED]
    )
