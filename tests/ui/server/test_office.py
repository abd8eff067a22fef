import asyncio
import gc
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from forager.settings import Settings
from forager.state import Question
from graphs.sessions import Sessions
from tests.coast import ENGINEER, Coast
from ui.serve import HOST
from ui.server.desk import Desk
from ui.server.office import Office, opened

PATIENCE = 60


@pytest.fixture
def site() -> Iterator[Coast]:
    with Coast() as site:
        yield site
        site.let_go.set()


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with opened(Settings(data=tmp_path, memory=False, allow_private=(HOST,))) as office:
        yield office


def test_one_that_pauses_as_it_is_stopped_is_ended_where_runs_are(
    office: Office, site: Coast
) -> None:
    question = Question(text=ENGINEER, sites=(site.url(),))
    id = office.desk.call(lambda to: to.start(question, "forager", "offline"))
    office.run(id)
    assert site.wanted.wait(PATIENCE)
    office.pause(id).result()
    busy = threading.Event()

    async def kept_waiting(sessions: Sessions) -> None:
        busy.wait(PATIENCE)

    waiting = office.desk.begin(kept_waiting)
    office.stop(id)
    site.let_go.set()
    until = time.monotonic() + PATIENCE
    while office.running():
        assert time.monotonic() < until
        busy.wait(0.05)
    status = office.runs.call(lambda to: to.show(id)).status
    busy.set()
    waiting.result()
    assert status in ("partial", "abstained", "answered")
    assert office.fault(id) == ""


def test_a_desk_is_closed_while_one_of_its_threads_still_works(tmp_path: Path) -> None:
    busy, begun = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        busy.wait(PATIENCE)

    async def waits(sessions: Sessions) -> None:
        await asyncio.to_thread(work)

    with Desk(Settings(data=tmp_path, memory=False), "desk") as desk:
        waiting = desk.begin(waits)
        assert begun.wait(PATIENCE)
    assert waiting.cancelled()
    busy.set()
    del desk
    gc.collect()  # a loop that was left open is told of here, which is an error
