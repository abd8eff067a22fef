"""What the web gave, written down, and played back without a network."""

import asyncio
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from pydantic import JsonValue, TypeAdapter

from forager import errors
from forager.budget import running
from forager.errors import StatusError, WebError
from forager.ports import Blobs, Document, Hit, Opened, Ranking, Surveyed, Terms, Web
from forager.state import Part
from forager.tape import Played, Tape

FILE = "web.jsonl"
Came = TypeVar("Came")
HITS = TypeAdapter(tuple[Hit, ...])


class Door(Web, Protocol):
    """The Web port with something behind it that is to be closed."""

    async def aclose(self) -> None:
        """Close connections and files."""


class WebRecorder:
    """The Web port, with all that comes through it kept on a tape, errors too."""

    def __init__(self, web: Door, tape: Tape) -> None:
        self._web = web
        self._tape = tape

    async def open(self, url: str) -> Opened:
        """One page. Raises WebError."""
        opened = await self._kept(_open(url), self._web.open(url))
        document = opened.document.model_dump(mode="json")
        await self._add(_open(url), {"document": document, "fetched": opened.fetched})
        return opened

    async def survey(self, site: str, pages: int, seeds: Sequence[str] = ()) -> Surveyed:
        """A site's map. Raises WebError."""
        key = _survey(site, pages, seeds)
        found = await self._kept(key, self._web.survey(site, pages, seeds))
        await self._add(key, found.model_dump(mode="json"))
        return found

    async def terms(self, site: str, text: str) -> Terms:
        """What the site knows of a text."""
        found = await self._web.terms(site, text)
        await self._add(_terms(site, text), found.model_dump(mode="json"))
        return found

    async def rank(
        self,
        question: str,
        parts: Sequence[Part],
        top: int,
        method: Ranking = "hybrid",
        also: Sequence[str] = (),
    ) -> tuple[Hit, ...]:
        """The best pages for each part."""
        hits = await self._web.rank(question, parts, top, method, also)
        key = _rank(question, parts, top, method, also)
        await self._add(key, HITS.dump_python(hits, mode="json"))
        return hits

    async def aclose(self) -> None:
        """Close what is recorded."""
        await self._web.aclose()

    async def _kept(self, key: str, work: Awaitable[Came]) -> Came:
        try:
            return await work
        except WebError as error:
            await self._add(key, {"error": written(error)})
            raise

    async def _add(self, key: str, reply: JsonValue) -> None:
        await asyncio.to_thread(self._tape.add, key, None, reply)


class WebReplay:
    """The Web port, answered from a recording.

    What was not asked then raises UsageError: to a graph that would be one failed step among
    others, while the run is another one.
    """

    def __init__(self, folder: Path, blobs: Blobs) -> None:
        """Raises UsageError when there is no recording."""
        self._played = Played(folder / FILE)
        self._blobs = blobs

    async def open(self, url: str) -> Opened:
        """One page of the recording. Raises the recorded WebError, and UsageError."""
        said = self._next(_open(url), f"The page {url}")
        document = Document.model_validate(said.get("document", said))
        running().pages_cached += 1
        data = document.model_dump_json().encode()
        blob = await asyncio.to_thread(self._blobs.put, data)
        fetched = said.get("fetched", 0.0)
        return Opened(document=document, blob=blob, cached=True, fetched=fetched)

    async def survey(self, site: str, pages: int, seeds: Sequence[str] = ()) -> Surveyed:
        """A map of the recording. Raises the recorded WebError, and UsageError."""
        said = self._next(_survey(site, pages, seeds), f"A survey of {site}, {pages} pages,")
        # Older recordings tell more.
        known = {key: value for key, value in said.items() if key in Surveyed.model_fields}
        return Surveyed.model_validate(known)

    async def terms(self, site: str, text: str) -> Terms:
        """What the recorded site knew of a text. Raises UsageError."""
        return Terms.model_validate(self._next(_terms(site, text), f"The question to {site}"))

    async def rank(
        self,
        question: str,
        parts: Sequence[Part],
        top: int,
        method: Ranking = "hybrid",
        also: Sequence[str] = (),
    ) -> tuple[Hit, ...]:
        """The recorded ranking. Raises UsageError."""
        key = _rank(question, parts, top, method, also)
        found = self._next(key, "The ranking for these parts")
        return HITS.validate_python(found)

    async def aclose(self) -> None:
        """Nothing is open."""

    def _next(self, key: str, what: str) -> Any:
        reply = self._played.wanted(key, what)
        if isinstance(reply, dict) and (told := reply.get("error")):
            raise unwritten(told)
        return reply


def _open(url: str) -> str:
    return f"open {url}"


def _survey(site: str, pages: int, seeds: Sequence[str]) -> str:
    return " ".join(("survey", site, str(pages), *seeds))


def _terms(site: str, text: str) -> str:
    return f"terms {site} {text}"


def _rank(
    question: str, parts: Sequence[Part], top: int, method: Ranking, also: Sequence[str]
) -> str:
    asked = " | ".join(f"{part.id} {part.site} {part.query}" for part in parts)
    return " ".join((f"rank {method} {top} {question} | {asked}", *also))


def written(error: WebError) -> JsonValue:
    """An error as it stands on a tape."""
    status = getattr(error, "status", None)
    return {"kind": type(error).__name__, "what": error.what, "mend": error.mend, "status": status}


def unwritten(told: dict[str, Any]) -> WebError:
    """An error from a tape."""
    what, mend = told["what"], told["mend"]
    if told["kind"] == StatusError.__name__:
        return StatusError(what, mend, status=told["status"])
    kind: type[WebError] = getattr(errors, told["kind"], WebError)
    return kind(what, mend)
