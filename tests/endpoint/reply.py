"""What a script lets the model say, and how the API puts it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from tests.endpoint.counts import CHARACTERS
from tests.endpoint.request import Asked, Json

Finish = Literal["stop", "length", "content_filter"]
CREATED = 1_760_000_000
PIECES = 8


@dataclass(frozen=True)
class Reply:
    """Text as it stands, or JSON that is put the way the request asks for: content or tool call.

    `as_arguments` puts text, too, into the call of the tool that is forced. `counted` is off for
    servers that report no usage.
    """

    said: str | Json | list[Any] = ""
    finish: Finish = "stop"
    refusal: str = ""
    as_arguments: bool = False
    counted: bool = True


@dataclass(frozen=True)
class Choice:
    """A reply as the one choice of a completion: content, or a tool's name and arguments."""

    content: str = ""
    refusal: str = ""
    tool: str = ""
    arguments: str = ""
    finish: str = "stop"

    @property
    def text(self) -> str:
        """What counts as output."""
        return self.content + self.refusal + self.arguments


def chosen(asked: Asked, reply: Reply) -> Choice:
    """The choice that a reply becomes; cut, as the API does, at the tokens asked for."""
    if reply.refusal:
        return Choice(refusal=reply.refusal, finish=reply.finish)
    text = reply.said if isinstance(reply.said, str) else json.dumps(reply.said, ensure_ascii=False)
    if asked.way == "tool" and (reply.as_arguments or not isinstance(reply.said, str)):
        return _cut(asked, _called(asked, text, reply.finish))
    return _cut(asked, Choice(content=text, finish=reply.finish))


def _called(asked: Asked, arguments: str, finish: str) -> Choice:
    """A call of the tool that the request forces."""
    if finish == "stop" and asked.body["tool_choice"] == "required":
        finish = "tool_calls"  # a tool forced by its name ends with "stop"
    name = asked.forced["name"] if asked.forced else ""
    return Choice(tool=name, arguments=arguments, finish=finish)


def _cut(asked: Asked, choice: Choice) -> Choice:
    tokens = asked.body.get("max_completion_tokens") or asked.body.get("max_tokens")
    limit = tokens * CHARACTERS if tokens else len(choice.text)
    if len(choice.text) <= limit:
        return choice
    content, arguments = choice.content[:limit], choice.arguments[:limit]
    return replace(choice, content=content, arguments=arguments, finish="length")


def completion(asked: Asked, choice: Choice, usage: Json | None, number: int) -> Json:
    """The body of an answer that is not streamed."""
    calls = [_call(number, choice.tool, choice.arguments)] if choice.tool else []
    message: Json = {
        "role": "assistant",
        "content": None if calls or choice.refusal else choice.content,
        "refusal": choice.refusal or None,
        "annotations": [],
    } | ({"tool_calls": calls} if calls else {})
    entry = {"index": 0, "message": message, "logprobs": None, "finish_reason": choice.finish}
    body = _frame(asked, number, "chat.completion") | {"choices": [entry]}
    return body | ({"usage": usage} if usage else {})


def chunks(asked: Asked, choice: Choice, usage: Json | None, number: int) -> Iterator[Json]:
    """The events of a streamed answer: role, pieces, finish, and usage where it is asked for."""
    frame = _frame(asked, number, "chat.completion.chunk")
    counts = usage if (asked.body.get("stream_options") or {}).get("include_usage") else None
    extra = {"usage": None} if counts else {}
    for delta, finish in _deltas(choice, number):
        entry = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        yield frame | {"choices": [entry]} | extra
    if counts:
        yield frame | {"choices": [], "usage": counts}


def _deltas(choice: Choice, number: int) -> Iterator[tuple[Json, str | None]]:
    start: Json = {"role": "assistant", "content": None if choice.tool else "", "refusal": None}
    if choice.tool:
        start["tool_calls"] = [{"index": 0} | _call(number, choice.tool, "")]
    yield start, None
    for piece in _pieces(choice.arguments):
        yield {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}, None
    for key, text in (("content", choice.content), ("refusal", choice.refusal)):
        for piece in _pieces(text):
            yield {key: piece}, None
    yield {}, choice.finish


def _pieces(text: str) -> list[str]:
    size = max(1, -(-len(text) // PIECES))
    return [text[at : at + size] for at in range(0, len(text), size)]


def _call(number: int, name: str, arguments: str) -> Json:
    function = {"name": name, "arguments": arguments}
    return {"id": f"call_{number}", "type": "function", "function": function}


def _frame(asked: Asked, number: int, kind: str) -> Json:
    return {
        "id": f"chatcmpl-{number}",
        "object": kind,
        "created": CREATED + number,
        "model": asked.model,
        "service_tier": "default",
        "system_fingerprint": "fp_scripted",
    }
