"""A set of questions asked afresh, then twice over with one memory, the second time reordered."""

import asyncio
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from bench.answer import run
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


class Start(NamedTuple):
    """How many pages a run had opened when it had its first quote: kept, and cited at the end."""

    kept: int | None
    cited: int | None


class Asked(NamedTuple):
    """A row of a pass, and how fast it started."""

    row: Row
    start: Start


def asked_twice(
    plan: ExperimentPlan, settings: Settings, say: Callable[[str], None]
) -> dict[str, list[Asked]]:
    """The rows of each pass. The memory is that of a user of its own, named after `plan.out`.

    Raises UsageError, StoreError and ModelError.
    """
    found: dict[str, list[Asked]] = {}
    for name in PASSES:
        out = plan.out.with_suffix(f".{name}.jsonl")
        records = list(plan.records)
        if name == SECOND:
            random.Random(plan.seed).shuffle(records)
        user = {"memory": name != AFRESH, "user": f"bench {plan.out.stem}"}
        own = settings.model_copy(update=user)
        say(f"{name}: {len(records)} questions")
        rows = run(replace(plan, records=records, out=out), own, say)
        ends = asyncio.run(states(rows, settings.data))
        found[name] = [Asked(row, start(end)) for row, end in zip(rows, ends, strict=True)]
    return found


async def states(rows: Sequence[Row], data: Path) -> list[State]:
    """How the sessions of these rows ended. Raises StoreError."""
    async with open_checkpoints(data / "checkpoints.sqlite", JoiningState) as checkpoints:
        nobody = Question(text="", sites=())
        return [await read_state(checkpoints, row.session, nobody) for row in rows]


def start(state: State) -> Start:
    """The pages opened up to the first that an entry of the ledger, or a citation, stands on."""
    cited = {each.id for each in state.answer.citations} if state.answer else set[str]()
    kept = {page_identity(each.passage.url) for each in state.evidence if not each.dropped}
    ground = {page_identity(each.passage.url) for each in state.evidence if each.id in cited}
    opened = [page_identity(step.page.url) for step in state.steps if step.page]

    def first(wanted: set[str]) -> int | None:
        return next((place for place, page in enumerate(opened, 1) if page in wanted), None)

    return Start(first(kept), first(ground))


def lines(found: dict[str, list[Asked]], records: Sequence[Record]) -> Iterator[str]:
    """Right answers and page loads of each pass by type, and how fast questions start."""
    types = [*dict.fromkeys(record.type for record in records), ALL]
    head = ("type", "asked", *(f"{name} {what}" for name in PASSES for what in ("right", "loads")))
    yield from align_columns(head, [_line(found, kind) for kind in types])
    first, second = (sum(each.row.loads for each in found[name]) for name in (FIRST, SECOND))
    ratio = format_figure(second / first if first else None, 2)
    yield f"loads of the second pass: {ratio} of the first"
    yield ""
    yield "Another question on a site that was asked something before, pages opened until the first"
    yield "quote that was kept, and the first that the answer cites:"
    later = _later(records)
    body = []
    for name, what in ((AFRESH, "without memory"), (FIRST, "with memory")):
        rows = [each for each in found[name] if each.row.id in later]
        starts = [each.start for each in rows]
        cells = (
            mean(each.kept for each in starts),
            mean(each.cited for each in starts),
            mean(each.row.loads for each in rows),
            mean(each.row.rounds for each in rows),
        )
        body.append((what, str(len(rows)), *cells))
    yield from align_columns(("", "asked", "kept", "cited", "loads", "rounds"), body)


def _line(found: dict[str, list[Asked]], kind: str) -> tuple[str, ...]:
    cells: list[str] = []
    count = 0
    for name in PASSES:
        rows = [each.row for each in found[name] if kind in (ALL, each.row.type)]
        count = len(rows)
        cells += [str(sum(row.correct for row in rows)), str(sum(row.loads for row in rows))]
    return (kind, str(count), *cells)


def _later(records: Sequence[Record]) -> set[str]:
    """The questions that come behind another one on one of their sites."""
    seen, later = set[str](), set[str]()
    for record in records:
        if seen.intersection(record.sites):
            later.add(record.id)
        seen.update(record.sites)
    return later


def mean(values: Iterable[float | None], digits: int = 2) -> str:
    """The mean of those that are known."""
    known = [value for value in values if value is not None]
    return format_figure(sum(known) / len(known) if known else None, digits)
