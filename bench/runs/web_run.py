"""Asks the recorded steps of Mind2Web of each graph's navigator, from where a run stopped.

Each step is asked by itself, as its authors do: the navigator sees the task, the right actions so
far, and the page as it was recorded before the step. Its node runs as in a session, with the
graph's params and prompts, in a browser that shows the recorded page.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from bench.browser.recorded_page import RecordedPages
from bench.runs.set_rows import AskedRow, SetRowKey, own_folder, read_finished
from bench.runs.set_run import Say
from bench.runs.web_state import ConversationMemory, TurnHistory
from bench.sets.web_steps import PagedStep, StepPrediction, WebConversation
from forager.budget import current_meter, start_meter
from forager.domain.browser import Snapshot
from forager.domain.state import State
from forager.errors import BrowserError, ForagerError, UsageError
from forager.ports import Model, Ports, Reply, Task
from forager.settings import Settings
from graphs.experiments.result_rows import FAILED, append_line
from graphs.runtime.composition import open_adapters
from graphs.runtime.graph_nodes import NodeFunction, bind_node
from graphs.spec.library import Library, open_library
from graphs.spec.registry import REGISTRY
from graphs.spec.spec import GraphSpec, NodeSpec
from nodes.navigator.browser import ActInBrowser

MIND2WEB = "mind2web"
NAVIGATOR = "navigator"
IN_BROWSER = frozenset({"browser", "visual"})
OPERATIONS: Mapping[str, str] = {"click": "CLICK", "type": "TYPE", "select": "SELECT"}
"""The set's operation for each kind of action that a step may be."""
KINDS = frozenset({*OPERATIONS, "find"})
MOST_STEPS = 1000
"""The navigator's limit in a turn: the set's tasks are recorded whole, however long."""


class StepRow(AskedRow):
    """A step: what the graph chose.

    `shown` tells whether the page, as the browser shows it, has a right element; `rationale` is
    what the graph keeps of the step for later ones; `unanswered` counts the tasks that a rule did
    because the model gave no usable reply.
    """

    turn: str
    kind: str = ""
    element: str = ""
    operation: str = ""
    shown: bool = False
    rationale: str = ""
    unanswered: int = 0

    @property
    def prediction(self) -> StepPrediction:
        """The element and the operation; both empty if none was chosen."""
        return StepPrediction(id=self.id, element=self.element, operation=self.operation)


@dataclass(frozen=True, kw_only=True)
class StepPlan:
    """Which steps are asked of which graphs; rows go to `rows`, those there are not asked again."""

    talks: Sequence[WebConversation]
    graphs: Sequence[str]
    model: str
    seed: int
    rows: Path


def run_steps(plan: StepPlan, settings: Settings, say: Say) -> list[StepRow]:
    """Ask the steps that have no row yet; return the rows of all. Raises UsageError, StoreError."""
    library = open_library(settings)
    graphs = [_find_navigator(library.resolve(name), library) for name in plan.graphs]
    return asyncio.run(_ask_graphs(plan, graphs, settings, say))


class _WebGraph(NamedTuple):
    spec: GraphSpec
    navigator: NodeSpec


def _find_navigator(spec: GraphSpec, library: Library) -> _WebGraph:
    """The graph with its navigator. Raises UsageError if that does not act in a browser."""
    found = _browser_navigators(spec)
    if not found:
        names = [
            name for name in library.list_names() if _browser_navigators(library.resolve(name))
        ]
        raise UsageError(
            f"{spec.name} has no navigator that acts in a browser.",
            f"Name graphs that have one: --graph {','.join(names)}",
        )
    return _WebGraph(spec, found[0])


def _browser_navigators(spec: GraphSpec) -> list[NodeSpec]:
    nodes = (node for node in spec.nodes.values() if node.type == NAVIGATOR)
    return [node for node in nodes if node.params.get("mode") in IN_BROWSER]


async def _ask_graphs(
    plan: StepPlan, graphs: Sequence[_WebGraph], settings: Settings, say: Say
) -> list[StepRow]:
    found: list[StepRow] = []
    async with RecordedPages.open() as pages:
        for graph in graphs:
            name = graph.spec.name
            own = own_folder(settings, MIND2WEB, graph.spec)
            async with _open_run(plan, graph, own, pages) as run:
                for number, talk in enumerate(plan.talks, 1):
                    rows = await run.ask_missing(talk)
                    say(f"{name} {number}/{len(plan.talks)} {_describe_rows(talk, rows)}")
                    found += rows
    return found


def _describe_rows(talk: WebConversation, rows: Sequence[StepRow]) -> str:
    errors = [row.error for row in rows if row.error]
    chosen, seconds = sum(bool(row.element) for row in rows), sum(row.seconds for row in rows)
    error = f" ({errors[-1]})" if errors else ""
    return f"{talk.id}: {chosen} of {len(rows)} steps chosen, {seconds:.1f} s{error}"


@asynccontextmanager
async def _open_run(
    plan: StepPlan, graph: _WebGraph, settings: Settings, pages: RecordedPages
) -> AsyncIterator["_GraphRun"]:
    with open_adapters(settings) as open_ports:
        async with open_ports(plan.model, 0.0) as ports:
            memory = ConversationMemory(ports.embedder)
            own = replace(ports, model=_StepModel(ports.model), browser=pages, memory=memory)
            yield _GraphRun(plan, graph, _StepPorts(own, pages, memory), str(settings.data))


class _StepPorts(NamedTuple):
    """The ports of a step's nodes, and what stands behind two of them."""

    ports: Ports
    pages: RecordedPages
    memory: ConversationMemory


class _StepModel:
    """The Model port, which is offered the operations of the set alone, and the search in a page.

    A recorded page cannot be left, and a step that reads it or stops is none of the set's.
    """

    def __init__(self, model: Model) -> None:
        self.name = model.name
        self._model = model

    async def ask(self, task: Task[Reply]) -> Reply:
        """The model's reply; one with faults, which the rule replaces, counts as none.

        Raises ModelError.
        """
        offered: dict[str, object] = {}
        if isinstance(task, ActInBrowser):
            offered["kinds"] = tuple(kind for kind in task.kinds if kind in KINDS)
        asked = task.model_copy(update=offered)
        reply = await self._model.ask(asked)
        current_meter().unanswered += bool(offered and asked.faults(reply))
        return reply


class _GraphRun:
    """Asks one graph, in its own data folder."""

    def __init__(self, plan: StepPlan, graph: _WebGraph, ports: _StepPorts, data: str) -> None:
        self._plan = plan
        self._spec = graph.spec
        self._ports = ports
        self._data = data
        self._done = read_finished(plan.rows, StepRow)
        params = {**graph.navigator.params, "steps": MOST_STEPS}
        patient = graph.navigator.model_copy(update={"params": params})
        self._navigate = bind_node(REGISTRY[NAVIGATOR], patient, ports.ports)
        self._recall = self._bind_first("recaller")
        self._refine = self._bind_first("refiner")

    def _bind_first(self, type: str) -> NodeFunction | None:
        nodes = (node for node in self._spec.nodes.values() if node.type == type)
        return next((bind_node(REGISTRY[type], node, self._ports.ports) for node in nodes), None)

    async def ask_missing(self, talk: WebConversation) -> list[StepRow]:
        """The rows of a conversation's steps, of which those that exist are not asked again."""
        ids = [step.gold.id for turn in talk.turns for step in turn.steps]
        if all(self._key(id) in self._done for id in ids):
            return [self._done[self._key(id)] for id in ids]
        self._ports.memory.start_conversation()
        rows: list[StepRow] = []
        for number in range(1, len(talk.turns) + 1):
            rows += await self._ask_turn(talk, number)
        return rows

    async def _ask_turn(self, talk: WebConversation, number: int) -> list[StepRow]:
        """Ask what is missing of a turn; every page is shown, as it is a later step's past."""
        ports, turn = self._ports, talk.turns[number - 1]
        history = TurnHistory(talk, number, ports.ports.blobs, self._plan.seed)
        last = number == len(talk.turns)
        rows: list[StepRow] = []
        for step in turn.steps:
            fault = await self._show_page(step, history)
            row = self._done.get(self._key(step.gold.id))
            if row is None:
                refine = None if last else self._refine
                row = await self._ask_step(step, history, fault, refine)
                append_line(self._plan.rows, row)
            else:
                history.take_step(step)
            history.explain_step(row.rationale)
            rows.append(row)
        if self._recall and not last:
            ports.memory.add_steps(history.learn_steps(ports.ports.embedder))
        return rows

    async def _show_page(self, step: PagedStep, history: TurnHistory) -> str:
        """Show the page of a step; why it cannot be shown, or nothing."""
        url = history.url
        try:
            history.arrive(await self._ports.pages.show(url, step.page))
        except BrowserError as error:
            history.arrive(Snapshot(url=url))
            return str(error)
        return ""

    async def _ask_step(
        self, step: PagedStep, history: TurnHistory, fault: str, refine: NodeFunction | None
    ) -> StepRow:
        """Ask for a step; then the right one is taken, whatever was chosen, and explained."""
        found: dict[str, object] = {"status": FAILED, "error": fault}
        before = history.state
        history.take_step(step)
        with start_meter() as used:
            try:
                if not fault:
                    found = await self._choose_step(step, before)
                    if refine:
                        found["rationale"] = await _explain_last(refine, history.state)
            except ForagerError as error:
                found = {"status": FAILED, "error": str(error)}
        spent = used.total_spend()
        return StepRow.model_validate(
            {
                "set": MIND2WEB,
                **self._key(step.gold.id)._asdict(),
                "turn": step.gold.turn,
                "data": self._data,
                "calls": len(used.calls),
                "tokens_in": spent.tokens_in,
                "tokens_out": spent.tokens_out,
                "usd": spent.usd,
                "seconds": spent.seconds,
                "unanswered": used.unanswered if used.calls else 0,
                **found,
            }
        )

    async def _choose_step(self, step: PagedStep, state: State) -> dict[str, object]:
        """The fields of a row that say what the graph chose. Raises ForagerError."""
        if self._recall:
            state = replace(state, recall=(await self._recall(state))["recall"])
        action = (await self._navigate(state))["proposal"].action
        pages = self._ports.pages
        found = {"kind": action.kind, "shown": await pages.shows_any(step.gold.elements)}
        if action.kind not in OPERATIONS:
            return {**found, "status": "none"}
        value = "" if action.kind == "click" else action.value
        element = await pages.find_candidate(action.target, step.candidates)
        return {
            **found,
            "status": "chosen",
            "element": element,
            "operation": f"{OPERATIONS[action.kind]} {value}".strip(),
        }

    def _key(self, id: str) -> SetRowKey:
        spec = self._spec
        return SetRowKey(spec.name, spec.hash, self._plan.model, self._plan.seed, id)


async def _explain_last(refine: NodeFunction, state: State) -> str:
    """Why the last step was taken, as the graph's refiner says."""
    reasons = (await refine(state)).get("rationales", ())
    return reasons[-1].text if reasons else ""
