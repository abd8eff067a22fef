"""What the recordings of the web and of the browser have in common."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from typing import Any, TypeVar

from pydantic import JsonValue

from forager import errors
from forager.adapters.recording.tape import Played, Tape
from forager.budget import running
from forager.domain.documents import Document, Opened
from forager.errors import StatusError, WebError
from forager.ports import Blobs

FILE = "web.jsonl"
Came = TypeVar("Came")


class Taping:
    """Keeps what comes through a port on a tape, errors too."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape

    async def _kept(self, key: str, work: Awaitable[Came]) -> Came:
        try:
            return await work
        except WebError as error:
            await self._add(key, {"error": _written(error)})
            raise

    async def _add(self, key: str, reply: JsonValue) -> None:
        await asyncio.to_thread(self._tape.add, key, None, reply)


class Playing:
    """Answers a port from a recording."""

    def __init__(self, folder: Path, blobs: Blobs) -> None:
        """Raises UsageError when there is no recording."""
        self._played = Played(folder / FILE)
        self._blobs = blobs

    async def aclose(self) -> None:
        """Nothing is open."""

    def _next(self, key: str, what: str) -> Any:
        reply = self._played.wanted(key, what)
        if isinstance(reply, dict) and (told := reply.get("error")):
            raise _unwritten(told)
        return reply

    async def _stored(self, said: dict[str, Any]) -> Opened:
        """A page as `taped`, in the blob store; older recordings hold the document alone."""
        document = Document.model_validate(said.get("document", said))
        running().pages_cached += 1
        data = document.model_dump_json().encode()
        blob = await asyncio.to_thread(self._blobs.put, data)
        fetched = said.get("fetched", 0.0)
        return Opened(document=document, blob=blob, cached=True, fetched=fetched)


def taped(opened: Opened) -> JsonValue:
    """A page as it stands on a tape."""
    return {"document": opened.document.model_dump(mode="json"), "fetched": opened.fetched}


def _written(error: WebError) -> JsonValue:
    status = getattr(error, "status", None)
    return {"kind": type(error).__name__, "what": error.what, "mend": error.mend, "status": status}


def _unwritten(told: dict[str, Any]) -> WebError:
    what, mend = told["what"], told["mend"]
    if told["kind"] == StatusError.__name__:
        return StatusError(what, mend, status=told["status"])
    kind: type[WebError] = getattr(errors, told["kind"], WebError)
    return kind(what, mend)
