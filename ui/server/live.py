"""A session's view as it changes: JSON lines, the first the whole document, then merge patches."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import TypeVar

from graphs.sessions import Event, Report, Session, Sessions
from ui.server.desk import Verb
from ui.server.office import Office
from ui.server.patch import Document, patch
from ui.server.timeline import Timeline
from ui.server.view import view

Result = TypeVar("Result")

LOOK_SECONDS = 0.15
"""How often it is looked for events; a page shows one so much later at the most, and its way."""
REST_SECONDS = 1.0
"""How often it is looked whether a session without events stands otherwise than before."""
BEAT_SECONDS = 10.0
"""Silence longer than this is broken, so that a connection that is gone is noticed."""


async def lines(office: Office, id: str) -> AsyncIterator[bytes]:
    """Patches of the view, for as long as somebody reads them and the server serves."""
    following = Following(office, id)
    told = time.monotonic()
    while not office.closing.is_set():
        if change := await following.change():
            told = time.monotonic()
            yield json.dumps(change, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        elif time.monotonic() - told > BEAT_SECONDS:
            told = time.monotonic()
            yield b"\n"
        await asyncio.sleep(LOOK_SECONDS)


class Following:
    """The view of one session as somebody has it already."""

    def __init__(self, office: Office, id: str) -> None:
        self._office = office
        self._id = id
        self._shown: Document = {}
        self._timeline: Timeline | None = None
        self._after = 0
        self._looked = 0.0

    async def change(self) -> Document:
        """What changed since the last call; the whole view at first."""
        events = await self._ask(lambda sessions: sessions.events(self._id, self._after))
        now = time.monotonic()
        if not events and self._shown and now - self._looked < REST_SECONDS:
            return {}
        self._looked = now
        session, report = await self._ask(self._look)
        timeline = self._told(session, report, events)
        shown = view(session, report, timeline)
        change, self._shown = patch(self._shown, shown), shown
        return change

    def _told(self, session: Session, report: Report, events: tuple[Event, ...]) -> Timeline:
        if self._timeline is None:
            self._timeline = Timeline(session)
        self._timeline.titles |= {arm.url: arm.title for arm in report.arms if arm.title}
        self._timeline.take(events)
        self._after = events[-1].seq if events else self._after
        return self._timeline

    async def _look(self, sessions: Sessions) -> tuple[Session, Report]:
        return await sessions.get(self._id), await sessions.show(self._id)

    async def _ask(self, verb: Verb[Result]) -> Result:
        return await asyncio.wrap_future(self._office.desk.begin(verb))
