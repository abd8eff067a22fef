"""One request to the endpoint, as a script sees it."""

import json
import threading
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

Json = dict[str, Any]
Way = Literal["schema", "json", "tool", "text"]


@dataclass(frozen=True, eq=False)
class Asked:
    """A request: header names in lower case, `arrived` in seconds of the monotonic clock."""

    path: str
    headers: Mapping[str, str]
    body: Json
    arrived: float
    method: str = "POST"
    gone: threading.Event = field(default_factory=threading.Event, repr=False)

    @property
    def client_gone(self) -> bool:
        """Whether the client left before it had the whole answer; wait for it with `gone.wait`."""
        return self.gone.is_set()

    @property
    def model(self) -> str:
        """The model's name, empty where there is none."""
        return str(self.body.get("model", ""))

    @property
    def streams(self) -> bool:
        """Whether the answer is to come as server-sent events."""
        return self.body.get("stream") is True

    @property
    def messages(self) -> list[Json]:
        """The conversation."""
        messages: list[Json] = self.body.get("messages") or []
        return messages

    @cached_property
    def system(self) -> str:
        """What the system and developer messages say."""
        return "\n".join(said(each) for each in self.messages if each["role"] in INSTRUCTING)

    @cached_property
    def text(self) -> str:
        """All that a model reads: tools and schema first, as providers put them, then messages."""
        shapes = [self.body[key] for key in ("tools", "response_format") if self.body.get(key)]
        before = [json.dumps(shape, ensure_ascii=False) for shape in shapes]
        return "\n".join([*before, *(_read(message) for message in self.messages)])

    @cached_property
    def pictures(self) -> list[bytes]:
        """The images that are shown, as far as they are sent along."""
        parts = [part for each in self.messages for part in _parts(each)]
        urls = [part["image_url"]["url"] for part in parts if part.get("type") == "image_url"]
        return [b64decode(url.partition(",")[2]) for url in urls if url.startswith("data:")]

    @property
    def forced(self) -> Json | None:
        """The function of the tool that must be called; the first one under `required`."""
        choice = self.body.get("tool_choice")
        functions = [
            each["function"] for each in self.body.get("tools") or [] if "function" in each
        ]
        if choice == "required":
            return next(iter(functions), None)
        if not isinstance(choice, dict) or "function" not in choice:
            return None
        name = choice["function"]["name"]
        return next((function for function in functions if function["name"] == name), None)

    @property
    def way(self) -> Way:
        """How a JSON reply is asked for."""
        kind = (self.body.get("response_format") or {}).get("type")
        if kind == "json_schema":
            return "schema"
        if kind == "json_object":
            return "json"
        return "tool" if self.forced else "text"

    @cached_property
    def schema(self) -> Json | None:
        """The JSON Schema of the format or of the tool; without these, that in the messages."""
        if self.way == "schema":
            asked: Json | None = self.body["response_format"]["json_schema"].get("schema")
            return asked
        if self.forced and self.way == "tool":
            return self.forced.get("parameters") or {"type": "object"}
        return _schema_in("\n".join(said(message) for message in self.messages))


INSTRUCTING = {"system", "developer"}


def said(message: Json) -> str:
    """The text of a message, its parts joined."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)


def _parts(message: Json) -> list[Json]:
    content = message.get("content")
    return content if isinstance(content, list) else []


def _read(message: Json) -> str:
    calls = message.get("tool_calls")
    return f"{message['role']}\n{said(message)}" + (f"\n{json.dumps(calls)}" if calls else "")


def _schema_in(text: str) -> Json | None:
    """The first JSON Schema of an object that stands in a text."""
    decoder = json.JSONDecoder()
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError:
            at = text.find("{", at + 1)
            continue
        if value.get("type") == "object" and isinstance(value.get("properties"), dict):
            schema: Json = value
            return schema
        at = text.find("{", end)
    return None
