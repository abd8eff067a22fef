"""Asks the tasks of a question set of each graph, from where an earlier run stopped."""

import asyncio
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from bench.runs.set_rows import SetRow, SetRowKey, own_folder, read_finished
from bench.runs.set_tasks import SetTask
from forager.domain.state import Question
from forager.settings import Settings
from graphs.experiments.experiment import measure_cost
from graphs.experiments.question_set import allow_sites
from graphs.experiments.result_rows import append_line
from graphs.sessions.service import Event, Sessions, open_sessions
from graphs.spec.library import open_library
from graphs.spec.spec import GraphSpec, NodeSpec
from nodes.answerer import PROMPT, WriteAnswer

Say = Callable[[str], None]
Asked = TypeVar("Asked")
ANSWERER = "answerer"
FORM = "\n\nThe question comes with a wish for the form of the answer, for its `text`: {wish}."


@dataclass(frozen=True, kw_only=True)
class SetPlan:
    """Which tasks are asked of which graphs; rows go to `rows`, those there are not asked again.

    `mirrors` may be at private addresses.
    """

    set: str
    tasks: Sequence[SetTask]
    graphs: Sequence[str]
    model: str
    seed: int
    rows: Path
    mirrors: Mapping[str, str]


def choose_tasks(tasks: Sequence[Asked], limit: int, seed: int) -> list[Asked]:
    """Draw `limit` tasks at random, in the order of the file; 0 keeps all."""
    if not limit or limit >= len(tasks):
        return list(tasks)
    drawn = sorted(random.Random(seed).sample(range(len(tasks)), limit))
    return [tasks[place] for place in drawn]


def run_set(plan: SetPlan, settings: Settings, say: Say) -> list[SetRow]:
    """Ask what has no row yet; return the rows of all turns. Raises UsageError and StoreError."""
    return asyncio.run(_ask_all(plan, allow_sites(settings, dict(plan.mirrors)), say))


async def _ask_all(plan: SetPlan, settings: Settings, say: Say) -> list[SetRow]:
    library = open_library(settings)
    found: list[SetRow] = []
    for graph in plan.graphs:
        spec = library.resolve(graph)
        own = own_folder(settings, plan.set, spec)
        async with open_sessions(own) as sessions:
            run = _GraphRun(replace(plan, graphs=[graph]), spec, sessions, str(own.data))
            for number, task in enumerate(plan.tasks, 1):
                rows = await run.ask_missing(task)
                say(f"{graph} {number}/{len(plan.tasks)} {_describe_rows(task, rows)}")
                found += rows
    return found


def _describe_rows(task: SetTask, rows: Sequence[SetRow]) -> str:
    last = rows[-1]
    error = f" ({last.error})" if last.error else ""
    actions, seconds = sum(row.actions for row in rows), sum(row.seconds for row in rows)
    return f"{task.id}: {last.status}, {actions} actions, {seconds:.1f} s{error}"


class _GraphRun:
    """Asks one graph, in its own data folder."""

    def __init__(self, plan: SetPlan, spec: GraphSpec, sessions: Sessions, data: str) -> None:
        self._plan = plan
        self._spec = spec
        self._sessions = sessions
        self._data = data
        self._done = read_finished(plan.rows, SetRow)

    async def ask_missing(self, task: SetTask) -> list[SetRow]:
        """The rows of a task's turns; all of them are asked again if one is missing."""
        spec = with_form(self._spec, task.instruction)
        keys = [
            SetRowKey(spec.name, spec.hash, self._plan.model, self._plan.seed, one.id)
            for one in task.questions
        ]
        if all(key in self._done for key in keys):
            return [self._done[key] for key in keys]
        rows: list[SetRow] = []
        for turn in range(1, len(task.questions) + 1):
            row = await self._ask_turn(task, spec, turn, rows[-1].session if rows else "")
            append_line(self._plan.rows, row)
            rows.append(row)
        return rows

    async def _ask_turn(self, task: SetTask, spec: GraphSpec, turn: int, session: str) -> SetRow:
        asked = task.questions[turn - 1]
        seen: list[Event] = []
        started = time.perf_counter()
        if session:
            await self._sessions.follow(session, asked.text)
        else:
            question = Question(text=asked.text, sites=task.sites, seed=self._plan.seed)
            session = await self._sessions.start(question, spec, self._plan.model)
        report = await self._sessions.run(session, seen.append)
        cost = measure_cost(report, seen)
        return SetRow(
            set=self._plan.set,
            graph=report.graph,
            graph_hash=report.graph_hash,
            model=report.model,
            seed=self._plan.seed,
            id=asked.id,
            turn=turn,
            session=session,
            data=self._data,
            status=report.status,
            answer=report.answer,
            actions=report.spent.actions,
            pages=report.spent.pages_fetched,
            calls=cost.calls,
            tokens_in=cost.tokens_in,
            tokens_out=cost.tokens_out,
            usd=cost.usd,
            seconds=time.perf_counter() - started,
            error=report.error,
        )


def with_form(spec: GraphSpec, wish: str) -> GraphSpec:
    """Return the graph whose answerers are told the form of the answer; itself without a wish."""
    if not wish:
        return spec
    nodes = {
        name: _told_form(node, wish) if node.type == ANSWERER else node
        for name, node in spec.nodes.items()
    }
    return spec.model_copy(update={"nodes": nodes})


def _told_form(node: NodeSpec, wish: str) -> NodeSpec:
    task = WriteAnswer.__name__
    told = node.prompts.get(task, PROMPT) + FORM.format(wish=wish.rstrip("."))
    return node.model_copy(update={"prompts": {**node.prompts, task: told}})
