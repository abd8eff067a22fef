"""The program that a graph is exported as does what a session of the graph does."""

from pathlib import Path
from typing import Any

import pytest

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.settings import Settings
from graphs.exchange.python_writer import write_python
from graphs.exchange.script_run import run_script
from graphs.reports.report import Report
from graphs.runtime.approvals import refuse_all
from graphs.sessions.service import Event, open_sessions
from graphs.spec.registry import REGISTRY
from graphs.spec.spec import load_graph
from tests.ui.conftest import PAGES
from ui.server.handbook.handbook_site import HOST, serve_pages

TEXT = "Who built the Skarn lighthouse, and how high is the Holm lighthouse?"


async def ask_session(settings: Settings, graph: str, question: Question, model: str) -> Report:
    async with open_sessions(settings) as sessions:
        return await sessions.run(await sessions.start(question, graph, model))


@pytest.mark.parametrize("graph", ["forager", "abreast", "mango"])
async def test_on_recorded_pages_it_does_what_the_session_does(graph: str, tmp_path: Path) -> None:
    live = Settings(data=tmp_path / "live", memory=False, allow_private=(HOST,))
    tape = tmp_path / "tape"
    with serve_pages({path: page.encode() for path, page in PAGES.items()}) as site:
        question = Question(text=TEXT, sites=(site,), seed=7, budget=Budget(rounds=3))
        recorded = live.model_copy(update={"record": tape})
        first = await ask_session(recorded, graph, question, "offline")
    assert first.status == "answered"

    events: list[Event] = []
    names: dict[str, Any] = {}
    exec(write_python(load_graph(graph), REGISTRY), names)  # noqa: S102  # what a user runs
    model = f"replay:{tape}"
    program = await run_script(
        names["build_graph"],
        graph,
        question,
        values={},
        model=model,
        settings=live.model_copy(update={"data": tmp_path / "program"}),
        watcher=events.append,
        decide=refuse_all,
    )
    session = await ask_session(
        live.model_copy(update={"data": tmp_path / "session"}), graph, question, model
    )
    kept = {"session", "graph_hash", "spent"}
    assert program.model_dump(exclude=kept) == session.model_dump(exclude=kept)
    assert program.spent.actions == session.spent.actions > 0
    assert events[-1].node == "answer"
