"""What searches found, written down, and played back without a network."""

import asyncio
from pathlib import Path
from typing import Protocol

from pydantic import JsonValue

from forager.adapters.recording.tape import Played, Tape
from forager.domain.survey import Found
from forager.errors import SearchError
from forager.ports import Search


class Door(Search, Protocol):
    """The Search port with something behind it that is to be closed."""

    async def aclose(self) -> None:
        """Close connections and files."""


class SearchRecorder:
    """The Search port, with all that comes through it kept on a tape, errors too."""

    def __init__(self, search: Door, tape: Tape) -> None:
        self._search = search
        self._tape = tape

    async def search(self, query: str, count: int, site: str = "") -> Found:
        """At most `count` pages. Raises SearchError."""
        key = _key(query, count, site)
        try:
            found = await self._search.search(query, count, site)
        except SearchError as error:
            written: JsonValue = {"error": {"what": error.what, "mend": error.mend}}
            await asyncio.to_thread(self._tape.add, key, None, written)
            raise
        await asyncio.to_thread(self._tape.add, key, None, found.model_dump(mode="json"))
        return found

    async def aclose(self) -> None:
        """Close what is recorded."""
        await self._search.aclose()


class SearchReplay:
    """The Search port, answered from a recording."""

    def __init__(self, tape: Path) -> None:
        """Raises UsageError when there is no recording."""
        self._played = Played(tape)

    async def search(self, query: str, count: int, site: str = "") -> Found:
        """What was found then. Raises the recorded SearchError, and UsageError."""
        reply = self._played.wanted(_key(query, count, site), f"A search for {query!r}")
        if error := reply.get("error"):
            raise SearchError(error["what"], error["mend"])
        return Found.model_validate(reply)

    async def aclose(self) -> None:
        """Nothing is open."""


def _key(query: str, count: int, site: str) -> str:
    return f"search {count} {site} {query}"
