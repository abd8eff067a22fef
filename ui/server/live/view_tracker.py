"""Tracks the view of one session, and reports what has changed."""

import time
from collections.abc import Callable, Sequence

from graphs.reports.trace import RunTrace
from graphs.sessions.service import Event, Report, Session
from graphs.spec.spec import graph_of
from ui.server.live.merge_patch import Document, apply_patch, make_patch
from ui.server.live.session_status import ACTIVE
from ui.server.live.session_view import build_view, read_clock
from ui.server.live.timeline import Timeline
from ui.server.session_worker import SessionWorker

CHECK_SECONDS = 1.0
"""How often the status of a session without new events is checked."""
LEAVING_SECONDS = 0.2
"""The same, once it was asked to pause or stop."""


class ViewTracker:
    """`view` is the latest view; `providers` are those that a search of the web asks."""

    def __init__(
        self, worker: SessionWorker, id: str, providers: Callable[[], Sequence[str]]
    ) -> None:
        self.view: Document = {}
        self._worker = worker
        self._providers = providers
        self._id = id
        self._state: tuple[Timeline, RunTrace] | None = None
        self._report: Report | None = None
        self._check_seconds = CHECK_SECONDS
        self._after = 0
        self._checked = 0.0

    async def next_change(self) -> Document:
        """What changed since the last call; at first the whole view. Raises NoSessionError."""
        events = await self._worker.call_async(
            lambda sessions: sessions.events(self._id, self._after)
        )
        now = time.monotonic()
        if not events and self.view and now - self._checked < self._check_seconds:
            return self._tick()
        session, report = await self._worker.call_async(
            lambda sessions: sessions.show_session(self._id)
        )
        # The clock has to know of each node that the report has booked.
        later = await self._worker.call_async(
            lambda sessions: sessions.events(self._id, events[-1].seq if events else self._after)
        )
        timeline, way = self._take_events(session, report, (*events, *later))
        self._report = report
        self._checked = 0.0 if later else now  # the report is older than these
        if report.status not in ACTIVE and not later:
            timeline.clock.leave_work()
        leaving = report.status in ACTIVE and session.asked
        self._check_seconds = LEAVING_SECONDS if leaving else CHECK_SECONDS
        return self._change_view(build_view(session, report, timeline, way, self._providers()))

    def _tick(self) -> Document:
        """What changes with time alone: the clock."""
        if not (self._state and self._report and self._report.status in ACTIVE):
            return {}
        seconds = read_clock(self._report, self._state[0]).seconds
        return self._change_view(apply_patch(self.view, {"spend": {"seconds": {"used": seconds}}}))

    def _change_view(self, view: Document) -> Document:
        change, self.view = make_patch(self.view, view), view
        return change

    def _take_events(
        self, session: Session, report: Report, events: tuple[Event, ...]
    ) -> tuple[Timeline, RunTrace]:
        if self._state is None:
            self._state = Timeline(session), RunTrace(graph_of(session))
        timeline, way = self._state
        timeline.name_pages(_page_titles(report))
        timeline.take_events(events)
        way.add_events(events)
        self._after = events[-1].seq if events else self._after
        return timeline, way


def _page_titles(report: Report) -> dict[str, str]:
    """The titles of pages by address, those of earlier turns among them."""
    pages = [(quote.url, quote.title) for turn in report.turns for quote in turn.citations]
    pages += [(item.url, item.title) for item in report.evidence]
    pages += [(arm.url, arm.title) for arm in report.arms]
    return {url: title for url, title in pages if title}
