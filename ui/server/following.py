"""The view of one session, and what changes of it."""

import asyncio
import time
from typing import TypeVar

from graphs.reports.trace import Way
from graphs.sessions.service import Event, Report, Session
from graphs.spec.spec import graph_of
from ui.server.desk import Desk, Verb
from ui.server.patch import Document, patch
from ui.server.timeline import Timeline
from ui.server.view import view

Result = TypeVar("Result")

REST_SECONDS = 1.0
"""How often it is looked whether a session without events stands otherwise than before."""


class Following:
    """The view as it was `shown` last."""

    def __init__(self, desk: Desk, id: str) -> None:
        self.shown: Document = {}
        self._desk = desk
        self._id = id
        self._going: tuple[Timeline, Way] | None = None
        self._after = 0
        self._looked = 0.0

    async def change(self) -> Document:
        """What changed since the last call; the whole view at first. Raises NoSessionError."""
        events = await self._ask(lambda sessions: sessions.events(self._id, self._after))
        now = time.monotonic()
        if not events and self.shown and now - self._looked < REST_SECONDS:
            return {}
        self._looked = now
        session, report = await self._ask(lambda sessions: sessions.look(self._id))
        timeline, way = self._told(session, report, events)
        shown = view(session, report, timeline, way)
        change, self.shown = patch(self.shown, shown), shown
        return change

    def _told(
        self, session: Session, report: Report, events: tuple[Event, ...]
    ) -> tuple[Timeline, Way]:
        if self._going is None:
            spec = graph_of(session)
            self._going = Timeline(session), Way(spec)
        timeline, way = self._going
        timeline.titles |= _titles(report)
        timeline.take(events)
        way.take(events)
        self._after = events[-1].seq if events else self._after
        return timeline, way

    async def _ask(self, verb: Verb[Result]) -> Result:
        return await asyncio.wrap_future(self._desk.begin(verb))


def _titles(report: Report) -> dict[str, str]:
    """What pages are called, by address, those of earlier turns among them."""
    pages = [(quote.url, quote.title) for turn in report.turns for quote in turn.citations]
    pages += [(item.url, item.title) for item in report.evidence]
    pages += [(arm.url, arm.title) for arm in report.arms]
    return {url: title for url, title in pages if title}
