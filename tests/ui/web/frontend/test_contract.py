"""The front end's types and its lint; what Python sends is what the types say."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from forager.domain.answers import Cell, Doubt, NearestQuote, Table
from forager.domain.state import Question
from forager.settings import Settings
from graphs.reports.report import BrowserAction
from graphs.reports.trace import RunTrace
from graphs.sessions.service import Event, Report, Session, open_sessions
from graphs.spec.spec import graph_of, load_graph
from tests.graphs.conftest import SMALL
from tests.graphs.scripted import REGISTRY, loosened
from tests.graphs.scripted_ports import alone
from tests.ui.web.frontend.test_frontend import needs_node, run
from tests.ui.web.scripted_sessions import scripted_doors
from ui.server.live.merge_patch import Document
from ui.server.live.session_view import build_view
from ui.server.live.timeline import Timeline

TABLE = Table(columns=("Who",), rows=((Cell(text="Ada", cites=("e1",)),),))
DONE = (
    BrowserAction(
        round=1, what="click", outcome="moved", url="http://a.test/", changed="sent a form"
    ),
    BrowserAction(round=1, what="click", outcome="failed", why="It is gone."),
)
NEAREST = NearestQuote(id="e1", url="http://a.test/", title="A", quote="a | b", why="No name.")
DOUBT = Doubt(sentence="So.", why="No quote.")
RARE = {"table": TABLE, "doubts": (DOUBT,), "actions": DONE, "nearest": NEAREST}
"""What the scripted run has not."""


async def _asked(settings: Settings) -> tuple[Session, Report, tuple[Event, ...]]:
    """A session in its second turn."""
    async with open_sessions(settings, scripted_doors, REGISTRY) as sessions:
        sites = ("http://127.0.0.1:1/",)
        question = Question(text="Who lit it?", sites=sites, budget=SMALL["budget"])
        await sessions.start(question, loosened(load_graph("forager")), "offline", "ona")
        await sessions.run("ona")
        await sessions.follow("ona", "And who painted it?")
        await sessions.run("ona")
        return *await sessions.show_session("ona"), await sessions.events("ona", 0)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Document, Document]:
    """A view that holds everything, and one of before the answer, with a draft."""
    settings = alone(tmp_path_factory.mktemp("contract"))
    session, report, events = asyncio.run(_asked(settings))
    timeline, way = Timeline(session), RunTrace(graph_of(session))
    timeline.take_events(events)
    way.add_events(events)
    early = report.model_copy(update={"answer": "", "leads": (), "citations": ()})
    return (
        build_view(session, report.model_copy(update=RARE), timeline, way),
        build_view(session, early, timeline, way),
    )


@needs_node
def test_the_source_passes_and_the_view_of_a_run_has_its_type(
    shown: tuple[Document, Document], tmp_path: Path
) -> None:
    whole, early = shown
    assert all(whole.values())
    draft = TypeAdapter(dict[str, Any]).validate_python(early["answer"])["draft"]
    assert [len(quote["blocks"]) > 0 for quote in draft] == [True] * len(draft)
    assert draft
    module = tmp_path / "view.ts"
    module.write_text(
        'import type { RunView } from "../src/shared/run_view";\n'
        f"export const views = {json.dumps(shown)} satisfies RunView[];\n"
    )
    run("lint", module)
