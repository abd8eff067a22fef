"""A session leaves as one file and comes back, here or elsewhere."""

import asyncio
import hashlib
import io
import json
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from forager.adapters.store.checkpoints.thread_transfer import (
    ProofBudget,
    pack_thread,
    unpack_thread,
)
from forager.adapters.store.sessions.session_records import PAUSE
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import StoreError, UsageError
from forager.settings import Settings
from graphs.reports.report import Report
from graphs.runtime.branches import JoiningState
from graphs.sessions.archive_file import SESSION_FILE
from graphs.sessions.service import Event, Sessions, open_sessions
from graphs.spec.spec import GraphSpec, load_graph
from tests.graphs.conftest import ports_with
from tests.graphs.fanned_graph import FANNED
from tests.graphs.partial_runs import running_until
from tests.graphs.scripted import REGISTRY, loosened
from tests.graphs.sessions.test_steering_real import opened
from tests.graphs.systems.test_real import HARBOURS, QUESTION
from tests.postgres import IN_FILES
from tests.servers import Site

FORAGER = loosened(load_graph("forager"))
PATIENCE = 10.0
"""Seconds until a question that nobody answers fails."""


def same(report: Report) -> Report:
    """The report but for its session and its model, which an import leaves out."""
    return report.model_copy(update={"session": "", "model": ""})


async def test_what_a_killed_import_left_does_not_hinder_the_next(tmp_path: Path) -> None:
    """Its steps are written before its session is."""
    with Site(HARBOURS) as site:
        async with opened(tmp_path, site) as sessions:
            asked = Question(text=QUESTION, sites=(site.url(),), budget=Budget(rounds=2, steps=3))
            await sessions.start(asked, "forager", "offline", "mine")
            report = await sessions.run("mine")
            data = await sessions.export("mine", "zip")
            with closing(sqlite3.connect(tmp_path / "sessions.sqlite")) as db, db:
                db.execute("DELETE FROM sessions WHERE id = 'mine'")
                for table in ("events", "replies", "paid", "remembered"):
                    db.execute(f"DELETE FROM {table} WHERE session = 'mine'")  # noqa: S608
            assert await sessions.archive.import_zip(data) == "mine"
            assert same(await sessions.show("mine")) == same(report)


async def test_an_imported_answer_names_the_model_that_wrote_it(tmp_path: Path) -> None:
    """Its next turn is asked of one's own."""

    def by_another(body: bytes) -> bytes:
        told = json.loads(body)
        told["session"]["model"] = "openai:other"
        return json.dumps(told).encode()

    with Site(HARBOURS) as site:
        async with opened(tmp_path, site) as sessions:
            asked = Question(text=QUESTION, sites=(site.url(),), budget=Budget(rounds=2, steps=3))
            await sessions.start(asked, "forager", "offline", "mine")
            await sessions.run("mine")
            data = await sessions.export("mine", "zip")
            id = await sessions.archive.import_zip(changed(data, SESSION_FILE, by_another))
            assert (await sessions.show(id)).model == "openai:other"
            again = await sessions.archive.import_zip(await sessions.export(id, "zip"))
            assert (await sessions.show(again)).model == "openai:other"
            assert (await sessions.get(id)).model == "offline"
            await sessions.follow(id, "And where?")
            assert (await sessions.run(id)).model == "offline"


async def test_an_exported_session_is_imported_unchanged(tmp_path: Path) -> None:
    with Site(HARBOURS) as site:
        async with opened(tmp_path / "one", site) as here:
            asked = Question(text=QUESTION, sites=(site.url(),), budget=Budget(rounds=3, steps=4))
            await here.start(asked, "forager", "offline", "mine")
            report = await here.run("mine")
            await here.listing.rename("mine", "Harbours")
            data = await here.export("mine", "zip")
            markdown = await here.export("mine", "md")
            exported = await here.export("mine", "json")
            events, history = await here.events("mine"), await here.history.checkpoints("mine")
            again = await here.archive.import_zip(data)
            assert again != "mine"
            assert same(await here.show(again)) == same(report)
        async with opened(tmp_path / "two", site) as there:
            assert await there.archive.import_zip(data) == "mine"
            assert same(await there.show("mine")) == same(report)
            assert await there.export("mine", "md") == markdown
            assert await there.export("mine", "json") == exported
            assert (await there.get("mine")).title == "Harbours"
            assert await there.events("mine") == events
            assert await there.history.checkpoints("mine") == history
            fork = await there.forks.fork("mine", 6)
            assert (await there.run(fork)).answer == report.answer


async def pause_before_the_branches(sessions: Sessions, id: str) -> None:
    """Branches that begin after a pause get lists where the state has tuples."""
    store = await sessions.context.store()

    def pause(event: Event) -> None:
        if (event.node, event.kind) == ("select", "started"):
            store.set_columns(id, asked=PAUSE)

    assert (await sessions.run(id, pause)).status == "paused"


@pytest.mark.parametrize("spec", [FORAGER, FANNED], ids=lambda spec: spec.name)
@IN_FILES
async def test_an_unfinished_session_goes_on_after_import(
    sessions: Sessions, question: Question, tmp_path: Path, spec: GraphSpec
) -> None:
    id = await sessions.start(question, spec, "scripted")
    if spec is FANNED:
        await pause_before_the_branches(sessions, id)
    task = await running_until(sessions, id, "judge" if spec is FORAGER else "expedition/act")
    await sessions.pause(id)
    await task
    data = await sessions.export(id, "zip")
    expected = await sessions.run(id)
    other = Settings(data=tmp_path / "other", database_url=None)
    async with open_sessions(other, ports_with([], []), REGISTRY) as there:
        assert await there.archive.import_zip(data) == id
        assert (await there.show(id)).status == "interrupted"
        report = await there.run(id)
        assert report.answer == expected.answer
        assert len(report.visited) == len(expected.visited)


async def test_all_turns_are_imported(sessions: Sessions, question: Question) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    await sessions.run(id)
    await sessions.follow(id, "And his wife?")
    report = await sessions.run(id)
    again = await sessions.archive.import_zip(await sessions.export(id, "zip"))
    assert same(await sessions.show(again)) == same(report)
    assert len(await sessions.history.checkpoints(again, turn=1)) == len(
        await sessions.history.checkpoints(id, turn=1)
    )


def changed(data: bytes, name: str, change: Callable[[bytes], bytes | None]) -> bytes:
    """The archive with one of its files changed, or left out."""
    body = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(body, "w") as new:
        for each in old.namelist():
            kept = old.read(each) if each != name else change(old.read(each))
            if kept is not None:
                new.writestr(each, kept)
        if name not in old.namelist():
            new.writestr(name, change(b"") or b"")
    return body.getvalue()


async def test_a_failed_import_leaves_nothing(
    sessions: Sessions, question: Question, tmp_path: Path
) -> None:
    await sessions.start(question, FORAGER, "scripted", "mine")
    await sessions.run("mine")
    page = b"a page of the archive"
    name = f"blobs/{hashlib.sha256(page).hexdigest()}"
    data = changed(await sessions.export("mine", "zip"), name, lambda _: page)
    other = Settings(data=tmp_path / "other", database_url=None)
    async with open_sessions(other, ports_with([], []), REGISTRY) as there:
        await there.listing.all()
        with closing(sqlite3.connect(other.data / "sessions.sqlite")) as file:
            file.execute("DROP TABLE remembered")
        with pytest.raises(StoreError, match="remembered"):
            await there.archive.import_zip(data)
        assert await there.listing.all() == ()
        assert await (await there.context.checkpoints()).list_namespaces("mine") == []
    with closing(sqlite3.connect(other.data / "blobs.sqlite")) as file:
        assert file.execute("SELECT count(*) FROM blobs").fetchone() == (0,)


@pytest.mark.parametrize("budget", [ProofBudget(size=100), ProofBudget(seconds=-1)])
async def test_steps_beyond_the_budget_are_not_imported(
    sessions: Sessions, question: Question, budget: ProofBudget
) -> None:
    await sessions.start(question, FORAGER, "scripted", "mine")
    await sessions.run("mine")
    checkpoints = await sessions.context.checkpoints()
    rows = await pack_thread(checkpoints, "mine")
    with pytest.raises(UsageError, match="more space or time than an import may"):
        await unpack_thread(checkpoints, "other", rows, JoiningState, budget)
    assert await checkpoints.list_namespaces("other") == []


def ask_loop(loop: asyncio.AbstractEventLoop) -> None:
    """Ask the event loop something, and wait for the answer: there is none if it waits, too."""
    question = asyncio.run_coroutine_threadsafe(asyncio.sleep(0, "here"), loop)
    assert question.result(PATIENCE) == "here"


class AskingFile(bytes):
    """An archive that asks the event loop when its length is asked."""

    loop: asyncio.AbstractEventLoop

    def __len__(self) -> int:
        ask_loop(self.loop)
        return super().__len__()


class AskingBudget(ProofBudget):
    """A budget that asks the event loop when it is spent."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self.loop, self.asked = loop, 0

    def spend(self, size: int) -> None:
        ask_loop(self.loop)
        self.asked += 1
        super().spend(size)


async def test_the_event_loop_answers_while_an_archive_is_read_and_proved(
    sessions: Sessions, ended: str
) -> None:
    data = AskingFile(await sessions.export(ended, "zip"))
    data.loop = asyncio.get_running_loop()
    made = await sessions.archive.import_zip(data)
    assert same(await sessions.show(made)) == same(await sessions.show(ended))
    checkpoints = await sessions.context.checkpoints()
    rows = await pack_thread(checkpoints, ended)
    budget = AskingBudget(data.loop)
    await unpack_thread(checkpoints, "other", rows, JoiningState, budget)
    assert budget.asked > len(rows["checkpoints"])


def zipped() -> bytes:
    """An archive with the names of a session, and none in it."""
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("session.json", "{}" * 50)
        file.writestr("steps.json", "{}" * 50)
    return body.getvalue()


def garbled() -> Iterator[bytes]:
    """The same cut off at every place, and with every byte in turn changed."""
    data = zipped()
    for place in range(len(data)):
        yield data[:place]
        for value in (0x00, 0xFF, data[place] ^ 0x01, data[place] ^ 0x80):
            yield data[:place] + bytes([value]) + data[place + 1 :]


async def test_garbled_archives_are_refused(sessions: Sessions) -> None:
    for data in garbled():
        with pytest.raises(UsageError, match=r"complete export|The file has"):
            await sessions.archive.import_zip(data)


async def test_of_two_imports_at_once_the_first_stays_whole(
    sessions: Sessions, question: Question, tmp_path: Path
) -> None:
    await sessions.start(question, FORAGER, "scripted", "mine")
    report = await sessions.run("mine")
    data = await sessions.export("mine", "zip")
    other = Settings(data=tmp_path / "other", database_url=None)
    async with open_sessions(other, ports_with([], []), REGISTRY) as there:
        taken = await asyncio.gather(
            there.archive.import_zip(data), there.archive.import_zip(data), return_exceptions=True
        )
        assert "mine" in taken
        assert same(await there.show("mine")) == same(report)
