"""Asks questions of graphs and scores the answers against gold."""

import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import NamedTuple

from forager.adapters.store.blob_store import open_blob_store
from forager.adapters.store.checkpoints.saver import Checkpoints, open_checkpoints
from forager.budget import ModelCall
from forager.domain import urls
from forager.domain.documents import Document
from forager.domain.spend import Budget
from forager.domain.state import Question, State
from forager.ports import Blobs
from forager.settings import Settings
from graphs.experiments import scoring
from graphs.experiments.question_set import Record, Sites
from graphs.experiments.result_rows import Cost, Row
from graphs.runtime.branches import JoiningState
from graphs.runtime.composition import open_adapters
from graphs.runtime.state_reader import read_state
from graphs.sessions.service import Event, OpenAdapters, Report, Sessions, open_sessions
from graphs.spec.spec import GraphSpec


class PlacedCall(NamedTuple):
    """A model call, its round, and how many pages that round had tried by then."""

    call: ModelCall
    round: int
    step: int


def place_calls(events: Iterable[Event]) -> list[PlacedCall]:
    """The model calls in the order of their events. Branches that run at once are one round."""
    found: list[PlacedCall] = []
    round = step = 0
    for event in events:
        calls = event.data.get("calls")
        for call in calls if isinstance(calls, list) else ():
            found.append(PlacedCall(ModelCall.model_validate(call), round, step))
        if "urls" in event.data:
            round, step = round + 1, 0
        elif "outcome" in event.data and "url" in event.data and "alpha" not in event.data:
            step += 1
    return found


def longest_chain(calls: Iterable[ModelCall]) -> int:
    """The length of the longest chain of calls that each began after the one before had ended."""
    length, free = 0, -inf
    for end, began in sorted((call.began + call.seconds, call.began) for call in calls):
        if began >= free:
            length, free = length + 1, end
    return length


def busy_seconds(calls: Iterable[ModelCall]) -> float:
    """The seconds during which at least one call was under way."""
    seconds, free = 0.0, -inf
    for began, end in sorted((call.began, call.began + call.seconds) for call in calls):
        seconds += max(0.0, end - max(began, free))
        free = max(free, end)
    return seconds


Say = Callable[[str], None]
"""Receives lines of progress."""
NAVIGATOR = "navigator"


@dataclass(frozen=True, kw_only=True)
class ExperimentPlan:
    """Which questions are asked of which graphs. Rows go to `out`; those there are not asked again.

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
class Experiment:
    """A plan with the sessions and stores that it runs on.

    Pages fetched at or after `since` (epoch, s) are not fetched again.
    """

    plan: ExperimentPlan
    sessions: Sessions
    checkpoints: Checkpoints
    blobs: Blobs
    since: float = 0.0

    async def ask_question(
        self, record: Record, spec: GraphSpec, budget: Budget | None = None
    ) -> Row:
        """Ask a question and score the outcome. Raises UsageError for what cannot be asked."""
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
        state = await read_state(self.checkpoints, id, question)
        first = first_navigation(seen, spec)
        before = None if first is None else first - asked
        row = self.score_report(record, report, state, before, seconds)
        return row.model_copy(update={"cost": measure_cost(report, seen)})

    def score_report(
        self, record: Record, report: Report, state: State, before: float | None, seconds: float
    ) -> Row:
        """A session's outcome scored against the gold of its record.

        `before` is the seconds to the first navigation, `seconds` those to the answer.
        """
        gold = record.gold_keys(self.plan.sites)
        visited = [urls.page_key(page.url) for page in report.visited]
        cited = [item.quote for item in report.citations]
        missing = scoring.missing_gold(report.answer, record.answer)
        abstained = report.status == "abstained"
        quotes = scoring.check_quotes(
            state.answer.citations if state.answer else (),
            [item for item in state.evidence if not item.dropped],
            self._stored_text,
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
            whole=not scoring.missing_gold(report.answer, record.answer, whole=True)
            if record.answer
            else abstained,
            missing=missing,
            pages=len(gold),
            opened=scoring.count_recalled(visited, gold, len(visited)),
            citations=len(cited),
            sentences=scoring.longest_quote(cited),
            stops=scoring.longest_quote_by_stops(cited),
            quotes=quotes.shown,
            verbatim=quotes.verbatim,
            rounds=spent.rounds,
            loads=spent.actions,
            fetched=spent.pages_fetched,
            cached=spent.pages_cached,
            calls=spent.model_calls,
            cold=spent.pages_fetched > spent.actions,
            before=before,
            seconds=seconds,
            error=report.error,
        )

    def _stored_text(self, blob: str) -> str:
        return Document.model_validate_json(self.blobs.get(blob)).text


def measure_cost(report: Report, events: Sequence[Event]) -> Cost:
    """What a run used of language models."""
    calls = [one.call for one in place_calls(events)]
    spent = report.spent
    return Cost(
        tokens_in=spent.tokens_in,
        tokens_out=spent.tokens_out,
        tokens_cached=spent.tokens_cached,
        usd=spent.usd,
        calls=len(calls),
        chain=longest_chain(calls),
        path=busy_seconds(calls),
        models=tuple(dict.fromkeys(call.model for call in calls)),
    )


def first_navigation(events: Sequence[Event], spec: GraphSpec) -> float | None:
    """When the first navigator began, in seconds since the epoch; None for never."""
    navigators = {name for name, node in spec.nodes.items() if node.type == NAVIGATOR}
    return next((one.time for one in events if one.node in navigators), None)


@asynccontextmanager
async def open_experiment(
    plan: ExperimentPlan,
    settings: Settings,
    adapters: OpenAdapters = open_adapters,
    since: float = 0.0,
) -> AsyncIterator[Experiment]:
    """The experiment in the settings' data folder."""
    untold = settings.model_copy(update={"webhooks": ()})
    async with open_sessions(untold, adapters) as sessions:
        with open_blob_store(settings) as blobs:
            async with open_checkpoints(settings.place("checkpoints"), JoiningState) as checkpoints:
                yield Experiment(
                    plan=plan,
                    sessions=sessions,
                    checkpoints=checkpoints,
                    blobs=blobs,
                    since=since,
                )


def describe_row(row: Row) -> str:
    """A row in one line, for progress."""
    verdict = "right" if row.correct else f"wrong, lacks {', '.join(row.missing) or 'abstention'}"
    opened = f", {row.opened} of {row.pages} gold pages" if row.pages else ""
    cost = f"{row.loads} loads, {row.seconds:.1f} s"
    return f"{row.graph} {row.id}: {row.status}, {verdict}{opened}, {cost}" + (
        f" ({row.error})" if row.error else ""
    )
