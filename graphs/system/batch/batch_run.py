"""Answers the questions of a batch, several at once, each in a session of its own."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256

from pydantic import JsonValue

from forager.answers.likelihood import doubt_of, is_uncertain
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import ClusterError, ForagerError, NoSessionError, SessionError, StoreError
from graphs.cluster.session_runs import run_as_set
from graphs.reports.report import Report
from graphs.sessions.service import Sessions
from graphs.spec.spec import GraphSpec
from graphs.system.batch.batch_files import AnswerFile, Line
from graphs.system.batch.batch_rows import BatchRow

LOG = logging.getLogger(__name__)
DIGEST_CHARACTERS = 12
ROW_SESSION = re.compile(rf"batch-[0-9a-f]{{8}}-[0-9a-f]{{{DIGEST_CHARACTERS}}}")
"""The id of a session that is a row of a batch."""
LEAVE_SECONDS = 0.2
"""How often rows that are to leave are asked to."""
LEFT_OPEN = frozenset({"running", "waiting", "paused", "interrupted"})
"""The statuses of a row that has no outcome yet."""

Answered = Callable[[Line], None]
"""Sees each answer when it is written."""
RunSession = Callable[[Sessions, str], Awaitable[Report]]
"""Runs the session of a row; nobody is asked for an approval."""


@dataclass(frozen=True)
class BatchOptions:
    """How each question is asked; `sites` are read for rows that name none."""

    graph: GraphSpec
    model: str
    budget: Budget
    sites: tuple[str, ...] = ()
    at_once: int = 1


@dataclass
class BatchRun:
    """Answers all rows that have no answer yet, each once; a row that cannot be is failed.

    `under_way` are the rows that are worked on, with their sessions. All share the pause between
    requests to a host, the survey of a site and the memory of `sessions`.
    """

    sessions: Sessions
    rows: Sequence[BatchRow]
    answers: AnswerFile
    options: BatchOptions
    answered: Answered = lambda line: None
    run_session: RunSession = run_as_set
    under_way: dict[str, str] = field(default_factory=dict)
    leaving: bool = False

    async def run(self) -> bool:
        """Run until every row has an outcome, or until it was paused or stopped; is it finished?

        A session that a killed process has left is resumed. Raises StoreError and ClusterError,
        after which the rest can be answered by another run.
        """
        waiting = iter([row for row in self.rows if row.id not in self.answers.lines])
        workers = [asyncio.create_task(self._work(waiting)) for _ in range(self.options.at_once)]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
        finished = all(row.id in self.answers.lines for row in self.rows)
        if finished:
            self.answers.finish()
        return finished

    async def pause(self) -> None:
        """Take no new row, and pause those that are under way after their present step."""
        await self._leave(self.sessions.pause)

    async def stop(self) -> None:
        """Take no new row, and end those that are under way with their best answer so far."""
        await self._leave(self.sessions.request_stop)

    async def _leave(self, ask: Callable[[str], Awaitable[None]]) -> None:
        """A row that has not begun when it is asked does not hear it, so it is asked again."""
        self.leaving = True
        while self.under_way:
            for id in tuple(self.under_way.values()):
                with suppress(SessionError):
                    await ask(id)
            await asyncio.sleep(LEAVE_SECONDS)

    async def _work(self, rows: Iterator[BatchRow]) -> None:
        for row in rows:
            if self.leaving:
                return
            self.under_way[row.id] = session_of(self.answers.name, row)
            try:
                line = await self._answer_row(row)
                if line is not None:
                    self.answers.append(line)
                    self.answered(line)
            finally:
                del self.under_way[row.id]

    async def _answer_row(self, row: BatchRow) -> Line | None:
        """The answer to a row; None if it has no outcome yet. Raises StoreError, ClusterError."""
        id, options = self.under_way[row.id], self.options
        sites = row.sites or options.sites
        try:
            if not await _exists(self.sessions, id):
                question = Question(
                    text=row.question, sites=sites, budget=options.budget, seed=row.seed
                )
                await self.sessions.start(question, options.graph, options.model, id)
            report = await self.run_session(self.sessions, id)
        except (StoreError, ClusterError):
            raise
        except ForagerError as error:
            if isinstance(error, SessionError) and not isinstance(error, NoSessionError):
                LOG.warning("row %s is left open: %s", row.id, error)  # it runs elsewhere
                return None
            return {**_describe_row(row, sites), "status": "failed", "error": str(error)}
        if report.status in LEFT_OPEN:
            return None
        return {**_describe_row(row, sites), **_describe_report(report)}


def session_of(batch: str, row: BatchRow) -> str:
    """The id of a row's session: the same whenever the batch goes on."""
    digest = sha256(f"{row.id}\0{row.question}".encode()).hexdigest()[:DIGEST_CHARACTERS]
    return f"batch-{batch}-{digest}"


def is_row_session(id: str) -> bool:
    """Whether a session is a row of a batch, by its id."""
    return ROW_SESSION.fullmatch(id) is not None


async def _exists(sessions: Sessions, id: str) -> bool:
    try:
        await sessions.get(id)
    except NoSessionError:
        return False
    return True


def _describe_row(row: BatchRow, sites: Sequence[str]) -> Line:
    return {"id": row.id, "question": row.question, "sites": list(sites)}


def _describe_report(report: Report) -> dict[str, JsonValue]:
    spent = report.spent
    rated = [lead.confidence for lead in report.leads if lead.confidence is not None]
    return {
        "status": report.status,
        "answer": report.answer,
        "lead": "; ".join(dict.fromkeys(lead.text for lead in report.leads)),
        "confidence": round(min(rated), 3) if rated else None,
        "uncertain": is_uncertain(report),
        "doubt": doubt_of(report),
        "citations": [each.model_dump(mode="json") for each in report.citations],
        "open": list(report.open),
        "reason": report.reason,
        "error": report.error,
        "session": report.session,
        "pages": spent.pages_fetched,
        "tokens": spent.tokens_in + spent.tokens_out,
        "usd": round(spent.usd, 6),
        "seconds": round(spent.seconds, 1),
    }
