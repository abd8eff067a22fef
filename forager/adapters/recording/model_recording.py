"""How the calls of a chat model are recorded, and their replay in place of the model."""

from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from forager.adapters.models.chat_calls import ChatRequest, Completion, NoReplyError
from forager.adapters.recording.port_recording import (
    CallDescription,
    RecordedCall,
    RecordedCalls,
    Replay,
    ResultForm,
)
from forager.adapters.recording.tape import PlayedTape
from forager.errors import ContextError, ModelError

FILE = "model.jsonl"
TAG = "⟨tag⟩"
"""Replaces the tag of a request's fences, which is random in each request."""
TOO_LONG, UNUSABLE = "too_long", "unusable"
"""The keys of an entry whose prompt was too long, or that had no usable reply."""
SHOWN = 160


class _CompletionForm(ResultForm):
    """A reply, with TAG in place of the request's own tag."""

    ERRORS = (ContextError, NoReplyError)

    async def write_result(self, result: Completion, *arguments: Any) -> JsonValue:
        [request] = arguments
        return {**result.model_dump(), "text": result.text.replace(request.tag, TAG)}

    async def read_result(self, reply: dict[str, Any], *arguments: Any) -> Completion:
        [request] = arguments
        return Completion.model_validate({**reply, "text": reply["text"].replace(TAG, request.tag)})

    def write_error(self, error: Exception) -> JsonValue:
        return {TOO_LONG: error.what} if isinstance(error, ContextError) else {UNUSABLE: str(error)}

    def read_error(self, reply: dict[str, Any]) -> Exception | None:
        if TOO_LONG in reply:
            return ContextError(reply[TOO_LONG], "Choose a model with a longer context.")
        return NoReplyError(reply[UNUSABLE]) if UNUSABLE in reply else None


class ChatReplay(Replay):
    """A chat model whose replies come from a recording."""

    def __init__(self, folder: Path) -> None:
        """Raises UsageError if there is no recording in `folder`."""
        super().__init__(CHAT_CALLS, PlayedTape(folder / FILE))
        self.name = f"replay:{folder}"
        self._asked = {
            key: ChatRequest.model_validate(asked) for key, asked in self._played.asked.items()
        }
        self._models: dict[str, str] = {
            request.role: reply["name"]
            for key, request in self._asked.items()
            for reply in self._played.replies[key]
            if "name" in reply
        }

    def model_for_role(self, role: str) -> str:
        """The model that the role used in the recording."""
        return self._models.get(role, "")

    def _missing_call(self, described: CallDescription, *arguments: ChatRequest) -> Exception:
        """The error for a request that is not recorded.

        A role without any recorded request worked without a model and does so again
        (NoReplyError); for other roles something has changed (ModelError).
        """
        [request] = arguments
        ours = _request_text(request).splitlines()
        recorded = [
            _request_text(one).splitlines()
            for one in self._asked.values()
            if one.role == request.role
        ]
        if not recorded:
            return NoReplyError(f"{self._played.path} has no reply to this role")
        nearest = max(recorded, key=lambda lines: len(set(lines) & set(ours)))
        was, now = next(
            (pair for pair in zip_longest(nearest, ours, fillvalue="") if pair[0] != pair[1]),
            ("the fields of the reply", ", ".join(_field_names(request))),
        )
        return ModelError(
            f"{self._played.path} has no reply to this request of the {request.role}; the nearest "
            f"one has {was[:SHOWN]!r} where this one has {now[:SHOWN]!r}.",
            "Prompts, graph, question or pages have changed. Record the run again.",
        )


def _describe_request(request: ChatRequest) -> CallDescription:
    """Requests are equal if role, messages and reply fields are; the tag does not count."""
    content = f"{request.role}\n{_field_names(request)}\n{_request_text(request)}"
    digest = sha256(content.encode()).hexdigest()
    return CallDescription(digest, "A request to a model", request.model_dump(mode="json"))


def _field_names(request: ChatRequest) -> list[str]:
    return sorted(request.fields.get("properties", {}))


def _request_text(request: ChatRequest) -> str:
    lines = []
    for message in request.messages:
        lines.append(f"{message.role}: {message.content}")
        lines += [f"picture: {picture.digest}" for picture in message.pictures]
    return "\n".join(lines).replace(request.tag, TAG)


CHAT_CALLS: RecordedCalls = {
    "complete": RecordedCall(_describe_request, _CompletionForm(Completion)),
    "aclose": None,
}
