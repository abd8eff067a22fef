"""The tools of the MCP server: ask, follow_up, resume, sessions, evidence, verify, search."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field, JsonValue

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.domain.survey import SearchResults
from forager.errors import ForagerError, UsageError
from graphs.reports.exports.verify import Exported, verify_quotes
from graphs.sessions.listing import SessionStatus
from graphs.sessions.model_choice import settle_models
from graphs.spec.library import open_library
from graphs.system.search import search_web
from ui.mcp.session_calls import Notify, SessionCalls
from ui.mcp.tool_results import (
    AnswerResult,
    EvidenceResult,
    SessionEntries,
    VerifyResult,
    describe_answer,
    describe_lines,
)

MOST_LISTED = 200
MOST_RESULTS = 50

ToolContext = Context[Any, Any]
Site = Annotated[str, Field(max_length=2_000)]
QuestionText = Annotated[
    str, Field(description="What you want to know, in words.", max_length=20_000)
]
SessionId = Annotated[str, Field(description="The session's id.", max_length=64)]
Limits = Annotated[
    Budget | None, Field(description="What may be spent; without it, the limits of the graph.")
]


@dataclass(frozen=True)
class ForagerTools:
    """The tools on the sessions of a data folder; `model` is the model line of new sessions."""

    calls: SessionCalls
    model: str

    async def ask(  # noqa: PLR0913  the options of a question
        self,
        question: QuestionText,
        context: ToolContext,
        *,
        sites: Annotated[
            tuple[Site, ...],
            Field(
                description="Front pages of the sites to read; without any, the web is searched.",
                max_length=100,
            ),
        ] = (),
        graph: Annotated[
            str, Field(description="A preset or a saved graph, by name.", max_length=100)
        ] = "forager",
        parameters: Annotated[
            dict[str, bool | int | float | str] | None,
            Field(description="Values of the graph's parameters that differ from its defaults."),
        ] = None,
        budget: Limits = None,
        session: Annotated[
            str, Field(description="The id of the new session; by default a free one.")
        ] = "",
    ) -> AnswerResult:
        """Answer a question from web sites, with a checked quote for every claim.

        It takes seconds to minutes and reports its progress. If the call is cancelled, the session
        stops at its last checkpoint, and `resume` continues it.
        """
        with report_errors():
            settings, limits = self.calls.settings, budget or Budget()
            asked = Question(text=question, sites=sites, budget=limits)
            line = await asyncio.to_thread(settle_models, self.model, settings, limits)
            spec = await asyncio.to_thread(open_library(settings).resolve_named, graph)
            values: dict[str, JsonValue] = dict(parameters or {})
            id = await self.calls.desk.call_async(
                lambda to: to.start(asked, spec, line, session or None, values=values)
            )
            return await self._run(id, context)

    async def follow_up(
        self,
        session: SessionId,
        question: QuestionText,
        context: ToolContext,
        budget: Limits = None,
    ) -> AnswerResult:
        """Ask a session that has ended a further question.

        It is understood from the session's earlier questions and answers, and uses the same sites.
        """
        with report_errors():
            await self.calls.desk.call_async(lambda to: to.follow(session, question, budget))
            return await self._run(session, context)

    async def resume(self, session: SessionId, context: ToolContext) -> AnswerResult:
        """Continue a session that was interrupted or paused; of one that has ended, the answer.

        What was done before is not repeated.
        """
        with report_errors():
            await self.calls.desk.call_async(lambda to: to.get(session))
            return await self._run(session, context)

    async def sessions(
        self,
        search: Annotated[
            str, Field(description="Words of title, question or answer; empty for all.")
        ] = "",
        status: Annotated[
            tuple[SessionStatus, ...], Field(description="Only sessions with these statuses.")
        ] = (),
        count: Annotated[int, Field(ge=1, le=MOST_LISTED, description="How many at most.")] = 20,
    ) -> SessionEntries:
        """List earlier questions with their answers, newest first."""
        with report_errors():
            found = await self.calls.desk.call_async(lambda to: to.listing.search(search, status))
            return describe_lines(found, count)

    async def evidence(
        self,
        session: SessionId,
        cited: Annotated[bool, Field(description="Only what the answer cites.")] = False,
    ) -> EvidenceResult:
        """Show the quotes that a session collected, each with its page and place."""
        with report_errors():
            report = await self.calls.desk.call_async(lambda to: to.show(session))
            kept = [each for each in report.evidence if each.cited or not cited]
            return EvidenceResult(session=session, evidence=kept)

    async def verify(
        self,
        session: SessionId,
        live: Annotated[
            bool, Field(description="Fetch the pages anew instead of reading the stored ones.")
        ] = False,
    ) -> VerifyResult:
        """Check word for word, without a model, that the quotes of a session are on their pages."""
        with report_errors():
            document = await self.calls.desk.call_async(lambda to: to.export(session, "json"))
            exported = Exported.model_validate_json(document)
            found = await verify_quotes(exported, self.calls.settings, live=live)
            return VerifyResult(
                session=session,
                all_stand=found.all_stand,
                live=live,
                quotes=list(found.quotes),
            )

    async def search(
        self,
        query: Annotated[str, Field(description="What to search for.", max_length=2_000)],
        site: Annotated[
            str, Field(description="Search only the pages that were read of this site.")
        ] = "",
        count: Annotated[int, Field(ge=1, le=MOST_RESULTS, description="How many at most.")] = 10,
    ) -> SearchResults:
        """Search the web, or the pages of a site that were read before; asks no language model."""
        with report_errors():
            if not query.strip():
                raise UsageError("There is nothing to search for.", "Write some words.")
            return await search_web(self.calls.settings, query, count, site)

    async def _run(self, id: str, context: ToolContext) -> AnswerResult:
        return describe_answer(await self.calls.run(id, progress_to(context)))

    @property
    def reading(self) -> tuple[Callable[..., Awaitable[Any]], ...]:
        """The tools that change nothing."""
        return self.sessions, self.evidence, self.verify, self.search

    @property
    def asking(self) -> tuple[Callable[..., Awaitable[Any]], ...]:
        """The tools that run a session."""
        return self.ask, self.follow_up, self.resume


def progress_to(context: ToolContext) -> Notify:
    """Sends progress to the caller of a tool, if it asked for it."""

    async def notify(number: int, message: str) -> None:
        await context.report_progress(number, message=message)

    return notify


@contextmanager
def report_errors() -> Iterator[None]:
    """Tell the caller of a tool what happened and how to mend it."""
    try:
        yield
    except ForagerError as error:
        raise ToolError(str(error)) from error
