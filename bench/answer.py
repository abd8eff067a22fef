"""Asks a question set through the sessions, and scores what comes back beside the gold."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

from bench import rows, scoring
from bench.calls import busy, placed, sequential
from bench.grading import grade
from bench.judge import open_judge
from bench.questions import Record, Sites, reaching, served
from bench.rows import Cost, Row
from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.store.checkpoints.saver import Checkpoints, open_checkpoints
from forager.domain import urls
from forager.domain.documents import Document
from forager.domain.spend import Budget
from forager.domain.state import Question, State
from forager.ports import Blobs
from forager.settings import Settings
from graphs.runtime.branches import Joining
from graphs.runtime.composition import open_doors
from graphs.runtime.state_reader import known
from graphs.sessions.service import Event, OpenDoors, Report, Sessions, open_sessions
from graphs.spec.library import open_library
from graphs.spec.spec import GraphSpec

Say = Callable[[str], None]
NAVIGATOR = "navigator"


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is asked, with which graphs; rows go to `out`, and those there are not asked again.

    `judge` names the model that grades the answers; empty for none.
    """

    records: Sequence[Record]
    sites: Sites
    graphs: Sequence[str]
    model: str
    seed: int
    out: Path
    judge: str = ""


@dataclass(frozen=True, kw_only=True)
class Bench:
    """What one run of the bench stands on: the door, and the stores behind it.

    Pages that were fetched `since` then are not fetched again.
    """

    plan: Plan
    sessions: Sessions
    checkpoints: Checkpoints
    blobs: Blobs
    since: float = 0.0

    async def ask(self, record: Record, spec: GraphSpec, budget: Budget | None = None) -> Row:
        """Ask one question and score the outcome. Raises UsageError for what cannot be asked."""
        plan = self.plan
        question = Question(
            text=record.question,
            sites=tuple(plan.sites[name] for name in record.sites),
            seed=plan.seed,
            budget=budget or Budget(),
        )
        seen: list[Event] = []
        asked, started = time.time(), time.perf_counter()
        id = await self.sessions.start(question, spec, plan.model, since=self.since)
        report = await self.sessions.run(id, seen.append)
        seconds = time.perf_counter() - started
        state = await known(self.checkpoints, id, question)
        first = first_navigation(seen, spec)
        before = None if first is None else first - asked
        row = self.score(record, report, state, before, seconds)
        return row.model_copy(update={"cost": cost(report, seen)})

    def score(
        self, record: Record, report: Report, state: State, before: float | None, seconds: float
    ) -> Row:
        """The outcome of a session beside its record."""
        gold = record.keys(self.plan.sites)
        visited = [urls.key(page.url) for page in report.visited]
        cited = [item.quote for item in report.citations]
        missing = scoring.missing(report.answer, record.answer)
        abstained = report.status == "abstained"
        quotes = scoring.check_quotes(
            state.answer.citations if state.answer else (),
            [item for item in state.evidence if not item.dropped],
            self._text,
        )
        spent = report.spent
        return Row(
            graph=report.graph,
            graph_hash=report.graph_hash,
            model=report.model,
            seed=self.plan.seed,
            id=record.id,
            type=record.type,
            session=report.session,
            status=report.status,
            answer=report.answer,
            abstain=not record.answer,
            correct=not missing if record.answer else abstained,
            whole=not scoring.missing(report.answer, record.answer, whole=True)
            if record.answer
            else abstained,
            missing=missing,
            pages=len(gold),
            opened=scoring.recalled(visited, gold, len(visited)),
            citations=len(cited),
            sentences=scoring.longest(cited),
            stops=scoring.longest_by_stops(cited),
            quotes=quotes.shown,
            verbatim=quotes.verbatim,
            rounds=spent.rounds,
            loads=spent.actions,
            fetched=spent.pages_fetched,
            calls=spent.model_calls,
            cold=spent.pages_fetched > spent.actions,
            before=before,
            seconds=seconds,
            error=report.error,
        )

    def _text(self, blob: str) -> str:
        return Document.model_validate_json(self.blobs.get(blob)).text


def cost(report: Report, events: Sequence[Event]) -> Cost:
    """What a run took of language models."""
    calls = [one.call for one in placed(events)]
    spent = report.spent
    return Cost(
        tokens_in=spent.tokens_in,
        tokens_out=spent.tokens_out,
        tokens_cached=spent.tokens_cached,
        usd=spent.usd,
        calls=len(calls),
        chain=sequential(calls),
        path=busy(calls),
    )


def first_navigation(events: Sequence[Event], spec: GraphSpec) -> float | None:
    """When the first navigator began, in seconds since the epoch."""
    navigators = {name for name, node in spec.nodes.items() if node.type == NAVIGATOR}
    return next((one.time for one in events if one.node in navigators), None)


def run(plan: Plan, settings: Settings, say: Say) -> list[Row]:
    """Ask everything that is not answered in `out`; all rows.

    Raises UsageError and StoreError, and ModelError where the judge cannot be asked.
    """
    served(plan.records, plan.sites)
    return asyncio.run(_run(plan, reaching(settings, plan.sites), say))


async def _run(plan: Plan, settings: Settings, say: Say) -> list[Row]:
    done = rows.finished(plan.out)
    library = open_library(settings)
    specs = [library.resolve(graph) for graph in plan.graphs]
    wanted = [(spec, record) for spec in specs for record in plan.records]
    found: list[Row] = []
    async with opened(plan, settings) as bench:
        for number, (spec, record) in enumerate(wanted, 1):
            row = done.get(rows.Key(spec.name, spec.hash, plan.model, plan.seed, record.id))
            if row is None:
                row = await bench.ask(record, spec)
                rows.append(plan.out, row)
                say(f"{number}/{len(wanted)} {line(row)}")
            found.append(row)
    if not plan.judge:
        return found
    async with open_judge(plan.judge, settings, say) as judge:
        return await grade(found, {one.id: one for one in plan.records}, judge, plan.out)


@asynccontextmanager
async def opened(
    plan: Plan, settings: Settings, doors: OpenDoors = open_doors, since: float = 0.0
) -> AsyncIterator[Bench]:
    """The bench on a data folder."""
    data = settings.data
    async with open_sessions(settings, doors) as sessions:
        with closing(SqliteBlobs(data / "blobs.sqlite")) as blobs:
            async with open_checkpoints(data / "checkpoints.sqlite", Joining) as checkpoints:
                yield Bench(
                    plan=plan,
                    sessions=sessions,
                    checkpoints=checkpoints,
                    blobs=blobs,
                    since=since,
                )


def line(row: Row) -> str:
    """A row in one line."""
    verdict = "right" if row.correct else f"wrong, lacks {', '.join(row.missing) or 'abstention'}"
    opened = f", {row.opened} of {row.pages} gold pages" if row.pages else ""
    cost = f"{row.loads} loads, {row.seconds:.1f} s"
    return f"{row.graph} {row.id}: {row.status}, {verdict}{opened}, {cost}" + (
        f" ({row.error})" if row.error else ""
    )
