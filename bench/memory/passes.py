"""Asks a question set without memory, then twice with one memory, the second time reordered."""

import asyncio
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from bench.questions.answer_run import ask_question_set
from forager.adapters.store.checkpoints.saver import open_checkpoints
from forager.domain.state import Question, State
from forager.domain.urls import page_identity
from forager.settings import Settings
from graphs.experiments.experiment import ExperimentPlan
from graphs.experiments.question_set import Record
from graphs.experiments.result_rows import Row
from graphs.experiments.text_table import align_columns, format_figure
from graphs.runtime.branches import JoiningState
from graphs.runtime.state_reader import read_state

AFRESH: Final = "afresh"
FIRST: Final = "first"
SECOND: Final = "second"
PASSES: Final = (AFRESH, FIRST, SECOND)
ALL: Final = "all"


class FirstQuote(NamedTuple):
    """Pages opened until the first quote that was kept, and until the first that was cited.

    None if there was no such quote.
    """

    kept: int | None
    cited: int | None


class PassRow(NamedTuple):
    """A result row of a pass and its first quote."""

    row: Row
    start: FirstQuote


def ask_in_passes(
    plan: ExperimentPlan, settings: Settings, say: Callable[[str], None]
) -> dict[str, list[PassRow]]:
    """Return the rows of each pass. The memory belongs to a user named after `plan.out`.

    Raises UsageError, StoreError and ModelError.
    """
    found: dict[str, list[PassRow]] = {}
    for name in PASSES:
        out = plan.out.with_suffix(f".{name}.jsonl")
        records = list(plan.records)
        if name == SECOND:
            random.Random(plan.seed).shuffle(records)
        user = {"memory": name != AFRESH, "user": f"bench {plan.out.stem}"}
        own = settings.model_copy(update=user)
        say(f"{name}: {len(records)} questions")
        rows = ask_question_set(replace(plan, records=records, out=out), own, say)
        ends = asyncio.run(read_end_states(rows, settings.data))
        found[name] = [
            PassRow(row, find_first_quote(end)) for row, end in zip(rows, ends, strict=True)
        ]
    return found


async def read_end_states(rows: Sequence[Row], data: Path) -> list[State]:
    """Return the final states of the sessions of these rows. Raises StoreError."""
    async with open_checkpoints(data / "checkpoints.sqlite", JoiningState) as checkpoints:
        nobody = Question(text="", sites=())
        return [await read_state(checkpoints, row.session, nobody) for row in rows]


def find_first_quote(state: State) -> FirstQuote:
    """Count the pages opened until the first with kept evidence, and with cited evidence."""
    cited = {each.id for each in state.answer.citations} if state.answer else set[str]()
    kept = {page_identity(each.passage.url) for each in state.evidence if not each.dropped}
    ground = {page_identity(each.passage.url) for each in state.evidence if each.id in cited}
    opened = [page_identity(step.page.url) for step in state.steps if step.page]

    def first(wanted: set[str]) -> int | None:
        return next((place for place, page in enumerate(opened, 1) if page in wanted), None)

    return FirstQuote(first(kept), first(ground))


def pass_lines(found: dict[str, list[PassRow]], records: Sequence[Record]) -> Iterator[str]:
    """Yield right answers and page loads by pass and type, and the pages until the first quote."""
    types = [*dict.fromkeys(record.type for record in records), ALL]
    head = ("type", "asked", *(f"{name} {what}" for name in PASSES for what in ("right", "loads")))
    yield from align_columns(head, [_type_cells(found, kind) for kind in types])
    first, second = (sum(each.row.loads for each in found[name]) for name in (FIRST, SECOND))
    share = format_figure(second / first if first else None, 2)
    yield f"loads of the second pass: {share} of the first"
    yield ""
    yield "Later questions on a site that was asked before: pages opened until the first quote that"
    yield "was kept, and until the first that the answer cites:"
    later = _later_questions(records)
    body = []
    for name, what in ((AFRESH, "without memory"), (FIRST, "with memory")):
        rows = [each for each in found[name] if each.row.id in later]
        starts = [each.start for each in rows]
        cells = (
            format_mean(each.kept for each in starts),
            format_mean(each.cited for each in starts),
            format_mean(each.row.loads for each in rows),
            format_mean(each.row.rounds for each in rows),
        )
        body.append((what, str(len(rows)), *cells))
    yield from align_columns(("", "asked", "kept", "cited", "loads", "rounds"), body)


def _type_cells(found: dict[str, list[PassRow]], kind: str) -> tuple[str, ...]:
    cells: list[str] = []
    count = 0
    for name in PASSES:
        rows = [each.row for each in found[name] if kind in (ALL, each.row.type)]
        count = len(rows)
        cells += [str(sum(row.correct for row in rows)), str(sum(row.loads for row in rows))]
    return (kind, str(count), *cells)


def _later_questions(records: Sequence[Record]) -> set[str]:
    """Return the ids of questions that follow another one on one of their sites."""
    seen, later = set[str](), set[str]()
    for record in records:
        if seen.intersection(record.sites):
            later.add(record.id)
        seen.update(record.sites)
    return later


def format_mean(values: Iterable[float | None], digits: int = 2) -> str:
    """Format the mean of the values that are not None."""
    known = [value for value in values if value is not None]
    return format_figure(sum(known) / len(known) if known else None, digits)
