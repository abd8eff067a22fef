"""Holds each request against the API's own schema and against the rules beside it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from openai.types.chat.completion_create_params import (
    CompletionCreateParamsNonStreaming,
    CompletionCreateParamsStreaming,
)
from pydantic import ConfigDict, TypeAdapter, ValidationError

from tests.endpoint.request import Asked, Json
from tests.endpoint.strict import misfits

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
PNG = re.compile(r"data:image/png;base64,iVBORw0KGgo[A-Za-z0-9+/]+={0,2}$")
RANGES = {
    "temperature": (0, 2),
    "top_p": (0, 1),
    "frequency_penalty": (-2, 2),
    "presence_penalty": (-2, 2),
    "max_tokens": (1, 1_000_000),
    "max_completion_tokens": (1, 1_000_000),
    "n": (1, 1),  # this endpoint gives one choice
    "top_logprobs": (0, 20),
}
CODES = {
    "extra_forbidden": ("Unknown parameter: '{}'.", "unknown_parameter"),
    "missing": ("Missing required parameter: '{}'.", "missing_required_parameter"),
    "literal_error": ("Invalid value for '{}'.", "invalid_value"),
}
# A TypedDict alone takes no configuration, but a union hands it down to all that it holds.
_FORBIDDING = ConfigDict(extra="forbid", strict=True)
STREAMING: TypeAdapter[Any] = TypeAdapter(
    CompletionCreateParamsStreaming | None, config=_FORBIDDING
)
WHOLE: TypeAdapter[Any] = TypeAdapter(CompletionCreateParamsNonStreaming | None, config=_FORBIDDING)


@dataclass(frozen=True)
class Complaint:
    """Why a request is refused."""

    message: str
    param: str | None = None
    code: str | None = None

    def body(self) -> Json:
        """The error as the API puts it."""
        fields = {"message": self.message, "type": "invalid_request_error"}
        return {"error": fields | {"param": self.param, "code": self.code}}


def complaint(asked: Asked) -> Complaint | None:
    """The first thing wrong with a request, or nothing."""
    if not asked.headers.get("content-type", "").startswith("application/json"):
        return Complaint("you must provide a body of type application/json")
    return next(_shape(asked.body), None) or next(_rules(asked.body), None)


def _shape(body: Json) -> Iterator[Complaint]:
    for key in ("messages", "tools"):  # for pydantic, text too can be iterated
        if not isinstance(body.get(key, []), list):
            yield Complaint(f"Invalid type for '{key}': expected an array.", key, "invalid_type")
    adapter = STREAMING if body.get("stream") is True else WHOLE
    try:
        valid = adapter.validate_python(body)
    except ValidationError as error:
        yield _complaint(error, ())
        return
    yield from _inside(valid, ())


def _inside(value: object, path: tuple[int | str, ...]) -> Iterator[Complaint]:
    """Goes through what pydantic validates only when it is iterated: messages, tools, parts."""
    if isinstance(value, Mapping):
        for key, child in value.items():
            yield from _inside(child, (*path, key))
    elif isinstance(value, Iterable) and not isinstance(value, str | bytes):
        try:
            children = list(value)
        except ValidationError as error:
            yield _complaint(error, path)
            return
        for index, child in enumerate(children):
            yield from _inside(child, (*path, index))


def _complaint(error: ValidationError, path: tuple[int | str, ...]) -> Complaint:
    """Of a union's choices, that which the request comes nearest to."""
    choices: dict[tuple[int | str, ...], list[tuple[str, str]]] = {}
    for each in error.errors(include_url=False):
        steps = each["loc"]
        labels = tuple(step for step in steps if isinstance(step, str) and _label(step))
        place = ".".join(str(step) for step in (*path, *steps) if step not in labels)
        choices.setdefault(labels[:1], []).append(
            (each["type"], re.sub(r"\.?\b(\d+)", r"[\1]", place))
        )
    nearest = min(
        choices.values(), key=lambda faults: ("literal_error" in dict(faults), len(faults))
    )
    kind, param = nearest[0]
    message, code = CODES.get(kind, ("Invalid type for '{}'.", "invalid_type"))
    return Complaint(message.format(param), param, code)


def _label(step: str) -> bool:
    """Whether a step of a location names a choice of a union and not a key."""
    return not re.fullmatch(r"[a-z_$]+", step) or step in {"str", "int", "float", "bool", "dict"}


def _rules(body: Json) -> Iterator[Complaint]:
    yield from _ranges(body)
    yield from _streaming(body)
    yield from _conversation(body["messages"])
    yield from _pictures(body["messages"])
    yield from _tools(body)
    yield from _format(body)


def _ranges(body: Json) -> Iterator[Complaint]:
    for key, (low, high) in RANGES.items():
        value = body.get(key)
        if value is not None and not low <= value <= high:
            text = (
                f"Invalid '{key}': expected a value from {low} to {high}, but got {value} instead."
            )
            yield Complaint(
                text, key, "integer_below_min_value" if value < low else "invalid_value"
            )
    if body.get("max_tokens") and body.get("max_completion_tokens"):
        yield Complaint("'max_tokens' and 'max_completion_tokens' at the same time.", "max_tokens")
    if isinstance(body.get("stop"), list) and len(body["stop"]) > 4:
        yield Complaint("Invalid 'stop': array too long. Expected at most 4.", "stop")


def _streaming(body: Json) -> Iterator[Complaint]:
    if body.get("stream_options") is not None and body.get("stream") is not True:
        message = "The 'stream_options' parameter is only allowed when 'stream' is enabled."
        yield Complaint(message, "stream_options")


def _conversation(messages: list[Json]) -> Iterator[Complaint]:
    if not messages:
        yield Complaint("Invalid 'messages': empty array.", "messages", "empty_array")
    waiting: set[str] = set()
    for index, message in enumerate([*messages, {"role": "end"}]):
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                text = (
                    "messages with role 'tool' must be a response to a message with 'tool_calls'."
                )
                yield Complaint(text, f"messages[{index}].role")
            waiting.discard(message["tool_call_id"])
            continue
        if waiting:
            text = "An assistant message with 'tool_calls' must be followed by tool messages."
            yield Complaint(text, f"messages[{index}].role")
        waiting = {each["id"] for each in message.get("tool_calls") or []}
        silent = message.get("content") is None and not message.get("refusal")
        if message["role"] == "assistant" and silent and not waiting:
            text = "Invalid value for 'content': expected a string, got null."
            yield Complaint(text, f"messages[{index}].content")


def _pictures(messages: list[Json]) -> Iterator[Complaint]:
    """Images that are sent along are PNG."""
    for message in messages:
        content = message.get("content")
        for part in content if isinstance(content, list) else []:
            url = part.get("image_url", {}).get("url", "")
            if url.startswith("data:") and not PNG.match(url):
                text = "You uploaded an unsupported image. Please make sure your image is valid."
                yield Complaint(text, "messages", "invalid_image_format")


def _tools(body: Json) -> Iterator[Complaint]:
    for key in ("tool_choice", "parallel_tool_calls"):
        if "tools" not in body and key in body:
            yield Complaint(f"'{key}' is only allowed when 'tools' are specified.", key)
    if body.get("tools") == []:
        yield Complaint("Invalid 'tools': empty array.", "tools", "empty_array")
    functions = [tool["function"] for tool in body.get("tools", []) if "function" in tool]
    for index, function in enumerate(functions):
        yield from _function(function, f"tools[{index}].function")
    names = [function["name"] for function in functions]
    if len(set(names)) < len(names):
        yield Complaint("Tool names must be unique.", "tools")
    choice = body.get("tool_choice")
    if (
        isinstance(choice, dict)
        and "function" in choice
        and choice["function"]["name"] not in names
    ):
        text = f"Tool choice '{choice['function']['name']}' not found in 'tools' parameter."
        yield Complaint(text, "tool_choice")


def _function(function: Json, place: str) -> Iterator[Complaint]:
    yield from _name(function["name"], f"{place}.name")
    if "parameters" not in function:
        return
    for text in misfits(function["parameters"], bool(function.get("strict"))):
        message = f"Invalid schema for function '{function['name']}': {text}"
        yield Complaint(message, f"{place}.parameters", "invalid_function_parameters")


def _format(body: Json) -> Iterator[Complaint]:
    asked = body.get("response_format", {})
    kind = asked.get("type")
    if kind == "json_object" and "json" not in str(body["messages"]).lower():
        message = (
            "'messages' must contain the word 'json' in some form, to use 'response_format' of "
            "type 'json_object'."
        )
        yield Complaint(message, "messages")
    if kind != "json_schema":
        return
    shape = cast(Json, asked["json_schema"])
    yield from _name(shape["name"], "response_format.json_schema.name")
    for text in misfits(shape.get("schema") or {}, bool(shape.get("strict"))):
        message = f"Invalid schema for response_format '{shape['name']}': {text}"
        yield Complaint(message, "response_format")


def _name(name: str, place: str) -> Iterator[Complaint]:
    if not NAME.fullmatch(name):
        text = f"Invalid '{place}': does not match pattern. Expected '^[a-zA-Z0-9_-]{{1,64}}$'."
        yield Complaint(text, place, "invalid_value")
