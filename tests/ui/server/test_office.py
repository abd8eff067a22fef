import asyncio
import gc
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forager.adapters.store.sessions.session_records import PAUSE
from forager.domain.state import Question
from forager.settings import Settings
from graphs.sessions.service import Sessions
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


def _until(true: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < until
        threading.Event().wait(0.05)


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
    _until(lambda: not office.running())
    status = office.runs.call(lambda to: to.show(id)).status
    busy.set()
    waiting.result()
    assert status in ("partial", "abstained", "answered")
    assert office.fault(id) == ""


def test_one_whose_run_has_yet_to_begin_runs_and_can_be_paused(office: Office, site: Coast) -> None:
    question = Question(text=ENGINEER, sites=(site.url(),))
    id = office.desk.call(lambda to: to.start(question, "forager", "offline"))
    assert office.desk.call(lambda to: to.show(id)).status == "interrupted"
    busy = threading.Event()

    async def kept_waiting(sessions: Sessions) -> None:
        busy.wait(PATIENCE)

    office.runs.begin(kept_waiting)
    office.run(id)
    assert office.desk.call(lambda to: to.show(id)).status == "running"
    found = office.desk.call(lambda to: to.search("", {"running"}))
    assert [each.line.id for each in found] == [id]
    office.pause(id).result()
    busy.set()
    _until(lambda: office.desk.call(lambda to: to.get(id)).asked == PAUSE)
    site.let_go.set()
    _until(lambda: not office.running())
    assert office.desk.call(lambda to: to.show(id)).status == "paused"
    assert not office.coming


def test_one_whose_run_cannot_begin_does_not_run(office: Office) -> None:
    office.run("unknown")
    _until(lambda: not office.running())
    assert "no session 'unknown'" in office.fault("unknown")
    assert not office.coming


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
