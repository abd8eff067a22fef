"""Runs a graph that is built in Python, without a session: nothing is kept but pages and memory."""

import time
from collections.abc import Callable, Mapping
from dataclasses import fields, replace

from pydantic import JsonValue

from forager.adapters.store.sessions.session_records import Session
from forager.adapters.store.sessions.session_store import Event
from forager.domain.approvals import ApprovalRequest
from forager.domain.state import Question, State
from forager.settings import Settings
from graphs.reports.events import EventData
from graphs.reports.report import Report, build_report
from graphs.runtime.approvals import Decide
from graphs.runtime.composition import open_adapters
from graphs.runtime.graph_nodes import Builder, Hooks, Nodes
from graphs.runtime.run import Watcher
from graphs.runtime.tracing import tracing_as_set
from graphs.runtime.validation import check_question, refuse_private_sites
from graphs.spec.plugins import load_registry

Build = Callable[[Nodes], Builder]


class DecidingPerson:
    """The Person port where whoever is asked answers at once."""

    def __init__(self, decide: Decide) -> None:
        self._decide = decide

    async def ask(self, request: ApprovalRequest) -> bool:
        """The answer; nobody's is a refusal."""
        return bool(await self._decide(request))


async def run_script(  # noqa: PLR0913
    build: Build,
    name: str,
    question: Question,
    *,
    model: str,
    values: Mapping[str, JsonValue],
    settings: Settings,
    watcher: Watcher,
    decide: Decide,
) -> Report:
    """Ask a graph a question; the report names no session. Raises ForagerError.

    `model` is a complete model line, `values` are those of the graph's parameters.
    """
    question = check_question(question)
    refuse_private_sites(question.sites, settings, model)
    seen = 0

    async def emit(node: str, kind: str, message: str, data: EventData) -> None:
        nonlocal seen
        seen += 1
        told = {"session": "", "seq": seen, "time": time.time(), "node": node, "kind": kind}
        watcher(Event.model_validate({**told, "message": message, "data": data}))

    with open_adapters(settings) as open_ports:
        async with open_ports(model, time.time()) as ports:
            own = replace(ports, person=DecidingPerson(decide))
            nodes = Nodes(own, load_registry(settings), Hooks(emit=emit), given=values)
            with tracing_as_set(settings):
                values = await build(nodes).compile(name=name).ainvoke(State(question=question))
    state = State(**{each.name: values[each.name] for each in fields(State) if each.name in values})
    status = state.answer.status if state.answer else "failed"
    session = Session(
        id="", question=question, graph=name, graph_hash="", graph_body="", model=model
    )
    return build_report(session, status, state)
