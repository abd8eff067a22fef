"""What does not depend on one another is asked at once, as many at a time as is allowed."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from graphs.sessions.model_choice import settle_models
from graphs.sessions.service import open_sessions
from graphs.spec.spec import GraphSpec, load_graph
from tests.endpoint import Endpoint
from tests.graphs.fanned_graph import FANNED_REAL
from tests.loopback_model import Asking, Surveyed
from tests.observatory import TWO_PAGES

ONE_PART = "Who founded the observatory as a clockmaker, with a dome?"


@pytest.fixture
def asking(observatory: Surveyed, endpoint: Endpoint, tmp_path: Path) -> Asking:
    return observatory.asking(tmp_path / "data", endpoint)


def limited(asking: Asking, calls: int) -> Asking:
    settings = asking.settings.model_copy(update={"model_calls_at_once": calls})
    return replace(asking, settings=settings)


@pytest.mark.parametrize(
    ("graph", "text", "limit", "peak"),
    [
        pytest.param(load_graph("forager"), TWO_PAGES, 8, 2, id="two parts"),
        pytest.param(FANNED_REAL, ONE_PART, 8, 2, id="two arms"),
        pytest.param(FANNED_REAL, ONE_PART, 1, 1, id="one by one"),
    ],
)
async def test_parts_are_judged_and_arms_walked_at_once(
    asking: Asking, endpoint: Endpoint, *, graph: GraphSpec, text: str, limit: int, peak: int
) -> None:
    endpoint.overlap = peak
    report = await limited(asking, limit).ask(graph, text=text)
    assert report.status == "answered"
    assert endpoint.peak == peak
    assert report.spent.model_calls == len(endpoint.requests)


async def test_all_sessions_of_a_process_share_one_limit(
    asking: Asking, endpoint: Endpoint
) -> None:
    endpoint.overlap = 3
    settings = limited(asking, 3).settings
    question = asking.known.question()
    line = settle_models("openai:any", settings, question.budget)
    async with open_sessions(settings) as sessions:
        ids = [await sessions.start(question, FANNED_REAL, line) for _ in range(2)]
        reports = await asyncio.gather(*map(sessions.run, ids))
    assert {report.status for report in reports} == {"answered"}
    assert endpoint.peak == 3
