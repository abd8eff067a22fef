"""What a long session weighs on disk, with prose as it stands on pages."""

from dataclasses import replace
from pathlib import Path
from pydoc_data.topics import topics

from forager.domain.spend import Budget
from forager.domain.state import Passage, Question, Reading, State, Update
from forager.node_type import NodeType
from forager.ports import Ports
from graphs.sessions.service import open_sessions
from graphs.spec.spec import load_graph
from tests.graphs.conftest import ports_with
from tests.graphs.scripted import REGISTRY, loosened
from tests.graphs.scripted_nodes import ExtractorParams
from tests.graphs.scripted_ports import alone

PROSE = " ".join(str(text) for _, text in sorted(topics.items()))
WIDTH = 500


async def extract(state: State, ports: Ports, params: ExtractorParams) -> Update:
    """Three passages of about 80 words from each page."""
    if params.pages == "recalled":
        return {"reading": Reading(step="")}
    number = len(state.steps)
    page = state.steps[-1].page
    assert page
    passages = tuple(
        Passage(
            url=page.url,
            title=page.title,
            blob=page.blob,
            start=start,
            end=start + WIDTH,
            text=PROSE[start : start + WIDTH],
            part="P1",
            section="Prose",
            scores={"P1": 0.123456 + number / 1000, "P2": 0.654321},
        )
        for start in range(number * 3 * WIDTH, (number + 1) * 3 * WIDTH, WIDTH)
    )
    return {"reading": Reading(step=state.steps[-1].id, passages=passages)}


def wordy(kind: NodeType) -> NodeType:
    return replace(kind, function=extract) if kind.name == "extractor" else kind


async def test_ten_rounds_of_ten_steps_stay_small(tmp_path: Path) -> None:
    registry = {name: wordy(kind) for name, kind in REGISTRY.items()}

    question = Question(text="Which?", sites=("http://site/",), budget=Budget(rounds=10, steps=10))
    async with open_sessions(alone(tmp_path), ports_with([], []), registry) as sessions:
        id = await sessions.start(question, loosened(load_graph("forager")), "scripted")
        report = await sessions.run(id)
        assert report.spent.rounds == 10
        assert len(report.visited) == 100
        assert len(await sessions.events(id)) > 1000

    assert (tmp_path / "checkpoints.sqlite").stat().st_size < 3_000_000
    assert (tmp_path / "sessions.sqlite").stat().st_size < 1_000_000
