"""What the browser showed, written down, and played back without a browser."""

import asyncio
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Protocol

from pydantic import JsonValue

from forager.adapters.recording.document_tape import Playing, Taping, taped
from forager.adapters.recording.tape import Tape
from forager.domain.actions import Action
from forager.domain.browser import Sent, Snapshot, View
from forager.domain.documents import Opened
from forager.domain.state import Step
from forager.ports import Blobs, Browser, Examined, Performed


class Door(Browser, Protocol):
    """The Browser port with something behind it that is to be closed."""

    async def aclose(self) -> None:
        """Close the browser."""


class BrowserRecorder(Taping):
    """The Browser port, with all that comes through it kept on a tape, errors too."""

    def __init__(self, browser: Door, blobs: Blobs, tape: Tape) -> None:
        super().__init__(tape)
        self._browser = browser
        self._blobs = blobs

    async def stand(self, walk: str, trail: Sequence[Step]) -> None:
        """Be where the trail led. Raises ReplayError and BrowserError."""
        key = _stand(walk, trail)
        await self._kept(key, self._browser.stand(walk, trail))
        await self._add(key, {})

    async def examine(self, walk: str, action: Action) -> Examined:
        """Hold an action against the page. Raises BrowserError."""
        key = _examine(walk, action)
        examined = await self._kept(key, self._browser.examine(walk, action))
        await self._add(key, examined.model_dump(mode="json"))
        return examined

    async def perform(self, walk: str, action: Action, step: str = "") -> Performed:
        """Do it, settle, look. Raises WebError."""
        key = _perform(walk, action, step)
        performed = await self._kept(key, self._browser.perform(walk, action, step))
        snapshot = await asyncio.to_thread(self._blobs.get, performed.view.blob)
        told: dict[str, JsonValue] = {
            "view": performed.view.model_dump(mode="json"),
            "snapshot": snapshot.decode(),
            "opened": taped(performed.opened),
            "sent": [sent.model_dump(mode="json") for sent in performed.sent],
            "harm": performed.harm,
        }
        await self._add(key, told)
        return performed

    async def render(self, url: str) -> Opened:
        """A page as a browser shows it. Raises WebError."""
        opened = await self._kept(_render(url), self._browser.render(url))
        await self._add(_render(url), taped(opened))
        return opened

    async def picture(self, walk: str) -> bytes:
        """A screenshot with refs. Raises BrowserError."""
        picture = await self._kept(_picture(walk), self._browser.picture(walk))
        await self._add(_picture(walk), {"png": b64encode(picture).decode()})
        return picture

    async def leave(self, walk: str) -> None:
        """Close the walk's tabs."""
        await self._browser.leave(walk)

    async def aclose(self) -> None:
        """Close what is recorded."""
        await self._browser.aclose()


class BrowserReplay(Playing):
    """The Browser port, answered from a recording. What was not done then raises UsageError."""

    async def stand(self, walk: str, trail: Sequence[Step]) -> None:
        """As recorded. Raises the recorded error, and UsageError."""
        self._next(_stand(walk, trail), "Where the walk stood")

    async def examine(self, walk: str, action: Action) -> Examined:
        """As recorded. Raises the recorded error, and UsageError."""
        told = self._next(_examine(walk, action), f"A look at {action.kind} {action.target}")
        return Examined.model_validate(told)

    async def perform(self, walk: str, action: Action, step: str = "") -> Performed:
        """As recorded, with its snapshot and document stored. Raises the recorded error."""
        told = self._next(_perform(walk, action, step), f"The action {action.kind} {action.target}")
        Snapshot.model_validate_json(told["snapshot"])
        blob = await asyncio.to_thread(self._blobs.put, told["snapshot"].encode())
        return Performed(
            view=View.model_validate(told["view"]).model_copy(update={"blob": blob}),
            opened=await self._stored(told["opened"]),
            sent=tuple(Sent.model_validate(sent) for sent in told["sent"]),
            harm=told["harm"],
        )

    async def render(self, url: str) -> Opened:
        """As recorded. Raises the recorded error, and UsageError."""
        return await self._stored(self._next(_render(url), f"The rendered page {url}"))

    async def picture(self, walk: str) -> bytes:
        """As recorded. Raises the recorded error, and UsageError."""
        return b64decode(self._next(_picture(walk), "The picture of a page")["png"])

    async def leave(self, walk: str) -> None:
        """Nothing is open."""


def _stand(walk: str, trail: Sequence[Step]) -> str:
    return " ".join(("stand", walk, *(step.id for step in trail)))


def _examine(walk: str, action: Action) -> str:
    return f"examine {walk} {_said(action)}"


def _perform(walk: str, action: Action, step: str) -> str:
    return f"perform {walk} {step} {_said(action)}"


def _render(url: str) -> str:
    return f"render {url}"


def _picture(walk: str) -> str:
    return f"picture {walk}"


def _said(action: Action) -> str:
    return action.model_dump_json(exclude={"reason"}, exclude_defaults=True)
