"""What the web gave, written down, and played back without a network."""

from collections.abc import Sequence
from typing import Protocol

from pydantic import TypeAdapter

from forager.adapters.recording.document_tape import Playing, Taping, taped
from forager.adapters.recording.tape import Tape
from forager.domain.documents import Opened
from forager.domain.state import Part
from forager.domain.survey import Hit, Ranking, Surveyed, Terms
from forager.ports import Web

HITS = TypeAdapter(tuple[Hit, ...])


class Door(Web, Protocol):
    """The Web port with something behind it that is to be closed."""

    async def aclose(self) -> None:
        """Close connections and files."""


class WebRecorder(Taping):
    """The Web port, with all that comes through it kept on a tape, errors too."""

    def __init__(self, web: Door, tape: Tape) -> None:
        super().__init__(tape)
        self._web = web

    async def open(self, url: str) -> Opened:
        """One page. Raises WebError."""
        opened = await self._kept(_open(url), self._web.open(url))
        await self._add(_open(url), taped(opened))
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


class WebReplay(Playing):
    """The Web port, answered from a recording.

    What was not asked then raises UsageError: to a graph that would be one failed step among
    others, while the run is another one.
    """

    async def open(self, url: str) -> Opened:
        """One page of the recording. Raises the recorded WebError, and UsageError."""
        return await self._stored(self._next(_open(url), f"The page {url}"))

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
