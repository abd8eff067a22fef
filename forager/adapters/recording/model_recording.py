"""Calls of a chat model written down, and played back in place of one."""

import asyncio
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path

from pydantic import JsonValue

from forager.adapters.models.chat_calls import Chat, Completion, Request, Unusable
from forager.adapters.recording.tape import Played, Tape
from forager.errors import ContextError, ModelError

FILE = "model.jsonl"
TAG = "⟨tag⟩"
"""What stands for the fence's tag, which is drawn anew for each request."""
TOO_LONG, UNUSABLE = "too_long", "unusable"
"""What is kept in place of a reply where the prompt did not fit, or where there was none."""
SHOWN = 160


class Recorder:
    """The Chat port, with every request and reply kept on a tape."""

    def __init__(self, chat: Chat, tape: Tape) -> None:
        self.name = chat.name
        self._chat = chat
        self._tape = tape

    def asks(self, role: str) -> str:
        """What is recorded asks."""
        return self._chat.asks(role)

    async def complete(self, request: Request) -> Completion:
        """Ask, and write it down. Raises ModelError, Unusable and StoreError."""
        try:
            said = await self._chat.complete(request)
        except ContextError as error:
            await self._keep(request, {TOO_LONG: error.what})
            raise
        except Unusable as error:
            await self._keep(request, {UNUSABLE: str(error)})
            raise
        text = said.text.replace(request.tag, TAG)
        await self._keep(request, {**said.model_dump(), "text": text})
        return said

    async def aclose(self) -> None:
        """Close what is recorded."""
        await self._chat.aclose()

    async def _keep(self, request: Request, reply: JsonValue) -> None:
        asked = request.model_dump(mode="json")
        await asyncio.to_thread(self._tape.add, digest(request), asked, reply)


class Replay:
    """The Chat port, answered from a recording."""

    def __init__(self, folder: Path) -> None:
        """Raises UsageError when there is no recording."""
        self.name = f"replay:{folder}"
        self._played = Played(folder / FILE)
        self._asked = {
            key: Request.model_validate(asked) for key, asked in self._played.asked.items()
        }
        self._models: dict[str, str] = {
            request.role: reply["name"]
            for key, request in self._asked.items()
            for reply in self._played.replies[key]
            if "name" in reply
        }

    def asks(self, role: str) -> str:
        """What the role asked when it was recorded."""
        return self._models.get(role, "")

    async def complete(self, request: Request) -> Completion:
        """What was replied to the same request. Raises ModelError when it was not made."""
        reply = self._played.next(digest(request))
        if reply is None:
            raise self._unknown(request)
        if TOO_LONG in reply:
            raise ContextError(reply[TOO_LONG], "Choose a model with a longer context.")
        if UNUSABLE in reply:
            raise Unusable(reply[UNUSABLE])
        return Completion.model_validate({**reply, "text": reply["text"].replace(TAG, request.tag)})

    async def aclose(self) -> None:
        """Nothing is open."""

    def _unknown(self, request: Request) -> Exception:
        """A role that was never asked kept to its rule; any other request is a change."""
        ours = _text(request).splitlines()
        made = [_text(one).splitlines() for one in self._asked.values() if one.role == request.role]
        if not made:
            return Unusable(f"{self._played.path} has no reply to this role")
        nearest = max(made, key=lambda lines: len(set(lines) & set(ours)))
        was, now = next(
            (pair for pair in zip_longest(nearest, ours, fillvalue="") if pair[0] != pair[1]),
            ("the fields of the reply", ", ".join(_fields(request))),
        )
        return ModelError(
            f"{self._played.path} has no reply to this request of the {request.role}; the nearest "
            f"one has {was[:SHOWN]!r} where this one has {now[:SHOWN]!r}.",
            "Prompts, graph, question or pages have changed: record the run anew.",
        )


def digest(request: Request) -> str:
    """What makes two requests the same: role, messages and reply's shape, but not the tag."""
    return sha256(f"{request.role}\n{_fields(request)}\n{_text(request)}".encode()).hexdigest()


def _fields(request: Request) -> list[str]:
    return sorted(request.fields.get("properties", {}))


def _text(request: Request) -> str:
    lines = []
    for message in request.messages:
        lines.append(f"{message.role}: {message.content}")
        lines += [f"picture: {picture.digest}" for picture in message.pictures]
    return "\n".join(lines).replace(request.tag, TAG)
