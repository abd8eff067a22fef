"""A run that was asked to stop, and then to end at once, waits for no model."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphs.reports.run_end import was_stopped
from graphs.sessions.service import Report, open_sessions
from tests.endpoint import Endpoint
from tests.loopback_model import PATIENCE, Silent, Surveyed


@pytest.fixture(params=["answerer", "extractor"])
def silent(request: pytest.FixtureRequest) -> Iterator[Silent]:
    model = Silent(request.param)
    yield model
    model.let_go.set()


async def _ended(known: Surveyed, data: Path, silent: Silent) -> Report:
    """The report of a run that was stopped, and ended while the model said nothing."""
    with Endpoint(silent) as endpoint:
        asking = known.asking(data, endpoint)
        id = await asking.start()
        async with open_sessions(asking.settings) as sessions:
            run = asyncio.create_task(sessions.run(id))
            assert await asyncio.to_thread(silent.asked.wait, PATIENCE)
            await sessions.request_stop(id)
            await sessions.request_stop(id, now=True)
            await sessions.request_stop(id)  # the first request does not come back
            try:
                return await asyncio.wait_for(run, PATIENCE / 2)
            finally:
                silent.let_go.set()


async def test_it_ends_with_what_was_read(
    observatory: Surveyed, tmp_path: Path, silent: Silent
) -> None:
    report = await _ended(observatory, tmp_path / "data", silent)
    assert report.status == "partial"
    assert was_stopped(report)
    if silent.held == "answerer":
        assert report.citations
        assert report.answer
