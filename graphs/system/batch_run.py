"""Answers the questions of a batch, several at once, each in a session of its own."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from pydantic import JsonValue

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import ForagerError, NoSessionError, StoreError
from graphs.reports.report import Report
from graphs.sessions.service import Sessions
from graphs.spec.spec import GraphSpec
from graphs.system.batch_files import AnswerFile, BatchRow

DIGEST_CHARACTERS = 12

Answered = Callable[[dict[str, JsonValue]], None]
"""Sees each answer when it is written."""


@dataclass(frozen=True)
class BatchOptions:
    """How each question is asked; `sites` are read for rows that name none."""

    graph: GraphSpec
    model: str
    budget: Budget
    sites: tuple[str, ...] = ()
    at_once: int = 1


async def run_batch(
    sessions: Sessions,
    rows: Sequence[BatchRow],
    answers: AnswerFile,
    options: BatchOptions,
    answered: Answered,
) -> None:
    """Answer all rows that have no answer yet, each once; a row that cannot be is failed.

    A session that a killed process has left is resumed. Raises StoreError, after which the rest can
    be answered by another call.
    """
    waiting = iter([row for row in rows if row.id not in answers.lines])

    async def work(rows: Iterator[BatchRow]) -> None:
        for row in rows:
            line = await _answer_row(sessions, row, answers.name, options)
            answers.append(line)
            answered(line)

    workers = [asyncio.create_task(work(waiting)) for _ in range(options.at_once)]
    try:
        await asyncio.gather(*workers)
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
    answers.finish()


def session_of(batch: str, row: BatchRow) -> str:
    """The id of a row's session: the same whenever the batch goes on."""
    digest = sha256(f"{row.id}\0{row.question}".encode()).hexdigest()[:DIGEST_CHARACTERS]
    return f"batch-{batch}-{digest}"


async def _answer_row(
    sessions: Sessions, row: BatchRow, batch: str, options: BatchOptions
) -> dict[str, JsonValue]:
    """The answer to a row. Raises StoreError."""
    id = session_of(batch, row)
    sites = row.sites or options.sites
    try:
        if not await _exists(sessions, id):
            question = Question(
                text=row.question, sites=sites, budget=options.budget, seed=row.seed
            )
            await sessions.start(question, options.graph, options.model, id)
        report = await sessions.run(id)
    except StoreError:
        raise
    except ForagerError as error:
        return {**_describe_row(row, sites), "status": "failed", "error": str(error)}
    return {**_describe_row(row, sites), **_describe_report(report)}


async def _exists(sessions: Sessions, id: str) -> bool:
    try:
        await sessions.get(id)
    except NoSessionError:
        return False
    return True


def _describe_row(row: BatchRow, sites: Sequence[str]) -> dict[str, JsonValue]:
    return {"id": row.id, "question": row.question, "sites": list(sites)}


def _describe_report(report: Report) -> dict[str, JsonValue]:
    spent = report.spent
    return {
        "status": report.status,
        "answer": report.answer,
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
