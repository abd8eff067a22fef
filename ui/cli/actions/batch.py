"""Answers a file of questions into a file of answers."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import typer
from rich.console import Console

from forager.domain.spend import Budget
from forager.errors import StoreError, UsageError
from forager.settings import Settings
from forager.util.files import atomic_write
from graphs.reports.events import format_count
from graphs.sessions.model_choice import settle_models
from graphs.sessions.service import Sessions
from graphs.spec.edit import with_values
from graphs.system.batch.batch_files import AnswerFile, answers_as_csv, open_answers
from graphs.system.batch.batch_rows import read_rows
from graphs.system.batch.batch_run import BatchOptions, BatchRun
from ui.cli.actions.session_run import with_sessions
from ui.cli.exit_codes import FAILED, INTERRUPTED, print_error
from ui.cli.logs import is_quiet
from ui.cli.printing.batch_progress import BatchProgress


class BatchChoice(NamedTuple):
    """The options of the command."""

    sites: Sequence[str]
    graph: str
    values: Mapping[str, str]
    model: str
    budget: Budget
    at_once: int
    retry_failed: bool


def answer_batch(settings: Settings, questions: Path, out: Path, chosen: BatchChoice) -> None:
    """Answer the rows that are not answered yet; exits with 1 if a row of the file failed."""
    rows, skipped = read_rows(questions)
    if out.resolve() == questions.resolve():
        raise UsageError("--out names the file of questions.", "Name another file.")
    line = settle_models(chosen.model, settings, chosen.budget)
    kept = out.with_name(f"{out.name}.jsonl") if is_csv(out) else out
    with open_answers(kept) as answers:
        failed = [id for id, each in answers.lines.items() if each["status"] == "failed"]
        again = failed if chosen.retry_failed else []
        answers.refuse_others([row for row in rows if row.id not in again])
        answers.drop(again)
        done = sum(row.id in answers.lines for row in rows)
        console = Console(stderr=True, highlight=False)
        if skipped and not is_quiet():
            console.print(f"{format_count(skipped, 'empty row')} skipped.")
        progress = BatchProgress(console, len(rows), done, quiet=is_quiet())

        async def work(sessions: Sessions) -> bool:
            graph = await sessions.context.resolve_graph(chosen.graph)
            graph = with_values(graph, chosen.values)
            options = BatchOptions(graph, line, chosen.budget, tuple(chosen.sites), chosen.at_once)
            return await BatchRun(sessions, rows, answers, options, progress).run()

        try:
            with progress:
                finished = with_sessions(settings, work)
        except KeyboardInterrupt:
            print_error("Interrupted. The same command goes on where it stopped.")
            raise typer.Exit(INTERRUPTED) from None
        finally:
            if kept != out:
                _write_csv(answers, out)
        left = 0 if finished else sum(row.id not in answers.lines for row in rows)
        _report_failures(answers, out, left)


def is_csv(out: Path) -> bool:
    """Whether the answers are wanted as CSV, by the name of their file."""
    return out.suffix.lower() == ".csv"


def _write_csv(answers: AnswerFile, out: Path) -> None:
    try:
        with atomic_write(out) as file:
            file.write_text(answers_as_csv(answers.lines.values()), encoding="utf-8", newline="")
    except OSError as error:
        raise StoreError(f"{out} cannot be written: {error.strerror or error}.") from error


def _report_failures(answers: AnswerFile, out: Path, left: int) -> None:
    failed = sum(each["status"] == "failed" for each in answers.lines.values())
    if failed:
        print_error(
            f"{failed:,} rows failed; {out} says why. To ask them again, add --retry-failed."
        )
    if left:
        print_error(
            f"{left:,} rows were paused, or run elsewhere. The same command goes on with them."
        )
    if failed or left:
        raise typer.Exit(FAILED)
