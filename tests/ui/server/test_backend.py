import asyncio
import gc
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import closing
from pathlib import Path

import pytest

from forager.adapters.store.sessions.session_records import PAUSE
from forager.domain.state import Question
from forager.settings import Settings
from graphs.sessions.service import Sessions
from tests.coast import ENGINEER, SAID, Coast
from ui.server.backend import open_backend
from ui.server.handbook.handbook_site import HOST
from ui.server.session_worker import SessionWorker
from ui.server.space_backend import Backend

PATIENCE = 60


@pytest.fixture
def site() -> Iterator[Coast]:
    with Coast() as site:
        yield site
        site.let_go.set()


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[Backend]:
    with open_backend(Settings(data=tmp_path, memory=False, allow_private=(HOST,))) as backend:
        yield backend


def _until(true: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < until
        threading.Event().wait(0.05)


def test_one_that_pauses_as_it_is_stopped_is_ended_where_runs_are(
    backend: Backend, site: Coast
) -> None:
    question = Question(text=ENGINEER, sites=(site.url(),))
    id = backend.sessions.call(lambda to: to.start(question, "forager", "offline"))
    backend.run(id)
    assert site.wanted.wait(PATIENCE)
    backend.pause(id).result()
    busy = threading.Event()

    async def kept_waiting(sessions: Sessions) -> None:
        busy.wait(PATIENCE)

    waiting = backend.sessions.submit(kept_waiting)
    backend.stop(id)
    site.let_go.set()
    _until(lambda: not backend.running())
    status = backend.runs.call(lambda to: to.show(id)).status
    busy.set()
    waiting.result()
    assert status in ("partial", "abstained", "answered")
    assert backend.fault(id) == ""


def test_one_stopped_in_its_survey_answers_from_what_is_mapped(backend: Backend) -> None:
    with Coast(front=SAID) as site:
        question = Question(text=ENGINEER, sites=(site.url(),))
        id = backend.sessions.call(lambda to: to.start(question, "forager", "offline"))
        backend.run(id)
        assert site.wanted.wait(PATIENCE)
        backend.stop(id)
        _until(lambda: not backend.running())
        asked = site.paths()
        site.let_go.set()
    report = backend.runs.call(lambda to: to.show(id))
    assert report.status == "partial"
    assert "Marta Lindqvist" in report.answer
    assert [each.url for each in report.citations] == [site.url()]
    assert report.reason == "The run was stopped. Pages read: 1."
    assert asked == ["/", "/all.html"]


def test_after_a_run_old_sessions_are_deleted_as_the_settings_say(
    tmp_path: Path, site: Coast
) -> None:
    settings = Settings(data=tmp_path, memory=False, allow_private=(HOST,), keep_days=90)
    question = Question(text=ENGINEER, sites=(site.url(),))
    site.let_go.set()
    with open_backend(settings) as backend:
        backend.sessions.call(lambda to: to.start(question, "forager", "offline", "old"))
        backend.sessions.call(lambda to: to.start(question, "forager", "offline", "new"))
        with closing(sqlite3.connect(tmp_path / "sessions.sqlite")) as db, db:
            db.execute("UPDATE sessions SET changed = 1000 WHERE id = 'old'")
        backend.run("new")

        def kept() -> list[str]:
            found = backend.sessions.call(lambda to: to.listing.search())
            return [each.line.id for each in found]

        _until(lambda: kept() == ["new"])


def test_one_whose_run_has_yet_to_begin_runs_and_can_be_paused(
    backend: Backend, site: Coast
) -> None:
    question = Question(text=ENGINEER, sites=(site.url(),))
    id = backend.sessions.call(lambda to: to.start(question, "forager", "offline"))
    assert backend.sessions.call(lambda to: to.show(id)).status == "interrupted"
    busy = threading.Event()

    async def kept_waiting(sessions: Sessions) -> None:
        busy.wait(PATIENCE)

    backend.runs.submit(kept_waiting)
    backend.run(id)
    assert backend.sessions.call(lambda to: to.show(id)).status == "running"
    found = backend.sessions.call(lambda to: to.listing.search("", {"running"}))
    assert [each.line.id for each in found] == [id]
    backend.pause(id).result()
    busy.set()
    _until(lambda: backend.sessions.call(lambda to: to.get(id)).asked == PAUSE)
    site.let_go.set()
    _until(lambda: not backend.running())
    assert backend.sessions.call(lambda to: to.show(id)).status == "paused"
    assert not backend.starting


def test_one_whose_run_cannot_begin_does_not_run(backend: Backend) -> None:
    backend.run("unknown")
    _until(lambda: not backend.running())
    assert "no session 'unknown'" in backend.fault("unknown")
    assert not backend.starting


def test_a_desk_is_closed_while_one_of_its_threads_still_works(tmp_path: Path) -> None:
    busy, begun = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        busy.wait(PATIENCE)

    async def waits(sessions: Sessions) -> None:
        await asyncio.to_thread(work)

    with SessionWorker(Settings(data=tmp_path, memory=False), "desk") as worker:
        waiting = worker.submit(waits)
        assert begun.wait(PATIENCE)
    assert waiting.cancelled()
    busy.set()
    del worker
    gc.collect()  # a loop that was left open is told of here, which is an error


def test_a_call_to_a_worker_that_is_closed_is_cancelled(tmp_path: Path) -> None:
    with SessionWorker(Settings(data=tmp_path, memory=False), "desk") as desk:
        assert desk.call(lambda to: to.listing.search()) == ()
    with pytest.raises(CancelledError):
        desk.call(lambda to: to.listing.search())
