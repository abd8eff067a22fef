"""Forager as a library: ask, follow up, receive events, read the ledger. See docs/library.md."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from types import MappingProxyType

from forager.domain.parameters import ParameterValue
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.settings import Settings, load_settings
from graphs.reports.report import Report, ReportedEvidence
from graphs.sessions.model_choice import default_line, settle_models
from graphs.sessions.service import Event, Sessions, Watcher, open_sessions

__all__ = [
    "Budget",
    "Event",
    "Forager",
    "Report",
    "ReportedEvidence",
    "Settings",
    "load_settings",
    "open_forager",
]


def ignore_event(event: Event) -> None:
    """Discard an event."""


class Forager:
    """Asks questions and keeps them as sessions; `sessions` does all that the command line does."""

    def __init__(self, settings: Settings, sessions: Sessions) -> None:
        self._settings = settings
        self.sessions = sessions

    async def ask(  # noqa: PLR0913
        self,
        question: str,
        sites: Iterable[str] = (),
        *,
        graph: str = "forager",
        parameters: Mapping[str, ParameterValue] = MappingProxyType({}),
        model: str = "",
        budget: Budget | None = None,
        seed: int = 0,
        on_event: Watcher = ignore_event,
    ) -> Report:
        """Ask sites, or the web, a question; the report of the session once it has ended.

        `graph` is a preset or a saved graph, `parameters` are values of its parameters, `model` is
        a line as of `--model`, by default the one of the settings. `on_event` is called for each
        event as it happens. A failure of the run becomes the report's status and error. Raises
        UsageError for what cannot be run.
        """
        limits = budget or Budget()
        wanted = model or default_line(self._settings)
        line = await asyncio.to_thread(settle_models, wanted, self._settings, limits)
        asked = Question(text=question, sites=tuple(sites), budget=limits, seed=seed)
        session = await self.sessions.start(asked, graph, line, values=parameters)
        return await self.sessions.run(session, on_event)

    async def follow_up(
        self,
        session: str,
        question: str,
        *,
        budget: Budget | None = None,
        on_event: Watcher = ignore_event,
    ) -> Report:
        """Ask a session that has ended a further question; its report of this turn.

        Raises SessionError for a session that is unknown or has not ended.
        """
        await self.sessions.follow(session, question, budget)
        return await self.sessions.run(session, on_event)


@asynccontextmanager
async def open_forager(settings: Settings | None = None) -> AsyncIterator[Forager]:
    """Forager on the settings' data folder; without settings, those that the environment names."""
    own = await asyncio.to_thread(load_settings) if settings is None else settings
    async with open_sessions(own) as sessions, sessions.context.sending_webhooks():
        yield Forager(own, sessions)
