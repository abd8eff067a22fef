"""A session is asked for, run, shown, exported and deleted."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from forager.adapters.store.sessions.session_store import SessionStore
from forager.domain.state import Question
from forager.errors import (
    AddressError,
    GraphError,
    QuestionError,
    SessionError,
    StoreError,
    UsageError,
)
from forager.settings import Settings
from graphs.sessions.listing import running_check
from graphs.sessions.service import Sessions, open_sessions
from graphs.spec.spec import load_graph
from tests.graphs.conftest import ports_with
from tests.graphs.scripted import REGISTRY, loosened
from tests.graphs.scripted_ports import alone
from tests.postgres import IN_FILES

FORAGER = loosened(load_graph("forager"))
KEYS = [
    "session",
    "graph",
    "graph_hash",
    "model",
    "status",
    "answer",
    "citations",
    "evidence",
    "open",
    "visited",
    "arms",
    "spent",
]


async def test_a_question_is_asked_and_answered(sessions: Sessions, question: Question) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    assert (await sessions.show(id)).status == "interrupted"
    report = await sessions.run(id)
    assert report == await sessions.show(id)
    assert report.status == "answered"
    assert report.graph_hash == FORAGER.hash
    assert len(report.visited) == report.spent.actions == 6
    assert report.spent.rounds == 2
    assert report.arms[0].alpha == 2.0
    assert report.arms[0].draws == 1


async def test_a_session_that_ends_while_it_is_listed_has_its_new_status(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    read = await sessions.get(id)
    with closing(SessionStore(sessions.context.settings.place("sessions"))) as store:
        runs = running_check(sessions.context.settings)
        assert store.current_status(read, runs) == "interrupted"
        ended = await sessions.run(id)
        assert store.current_status(read, runs) == ended.status
        store.set_columns(id, status="unfinished", asked="pause")
        assert store.current_status(read, runs) == "paused"
        await sessions.delete(id)
        assert store.current_status(read, runs) == "interrupted"


async def test_the_report_has_the_documented_shape(sessions: Sessions, question: Question) -> None:
    report = await sessions.run(await sessions.start(question, FORAGER, "scripted"))
    body = json.loads(report.model_dump_json())
    assert list(body) == KEYS
    assert set(body["citations"][0]) == {"id", "url", "title", "quote"}
    assert set(body["visited"][0]) == {"url", "depth", "round"}
    assert set(body["spent"]) == {
        "rounds", "actions", "pages_fetched", "pages_cached", "model_calls",
        "tokens_in", "tokens_out", "usd", "seconds",
    }  # fmt: skip


async def test_a_finished_session_is_not_run_again(
    sessions: Sessions, question: Question, log: list[str]
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    first = await sessions.run(id)
    asked = list(log)
    assert await sessions.run(id) == first
    assert log == asked


async def test_the_graph_is_pinned(sessions: Sessions, question: Question, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(FORAGER.canonical())
    id = await sessions.start(question, str(path), "scripted")
    path.write_text("gone")
    assert (await sessions.run(id)).graph_hash == FORAGER.hash


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"text": "  \n "}, QuestionError, "The question is empty"),
        ({"text": "why " * 2500}, QuestionError, "9,999 characters. Use at most 4,000"),
        ({"sites": ("ftp://x/",)}, AddressError, "is not a web address"),
        (
            {"sites": tuple(f"a{n}.org" for n in range(30))},
            QuestionError,
            "names 30 sites. Name at most 20",
        ),
    ],
)
async def test_an_invalid_question_is_refused_at_once(
    sessions: Sessions,
    question: Question,
    change: dict[str, object],
    error: type[Exception],
    said: str,
) -> None:
    with pytest.raises(error, match=said):
        await sessions.start(question.model_copy(update=change), FORAGER, "scripted")
    assert await sessions.listing.all() == ()


async def test_sites_have_one_spelling(sessions: Sessions, question: Question) -> None:
    sites = ("docs.example", "https://DOCS.example:443/#top")
    asked = question.model_copy(update={"sites": sites, "text": "one\n word"})
    await sessions.start(asked, FORAGER, "scripted")
    (session,) = await sessions.listing.all()
    assert session.question.sites == ("https://docs.example/",)
    assert session.question.text == "one word"


async def test_unknown_and_faulty_graphs_are_refused(
    sessions: Sessions, question: Question
) -> None:
    with pytest.raises(GraphError, match="Did you mean 'mango'"):
        await sessions.start(question, "mangoo", "scripted")
    faulty = FORAGER.model_copy(update={"edges": FORAGER.edges[1:]})
    with pytest.raises(GraphError, match="no entry"):
        await sessions.start(question, faulty, "scripted")


async def test_session_ids_are_checked(sessions: Sessions, question: Question) -> None:
    assert await sessions.start(question, FORAGER, "scripted", "emperor") == "emperor"
    with pytest.raises(SessionError, match="already"):
        await sessions.start(question, FORAGER, "scripted", "emperor")
    for bad in ("", "a/b", "../x", "x" * 65):
        with pytest.raises(SessionError, match="is not a session ID"):
            await sessions.start(question, FORAGER, "scripted", bad)


async def test_an_unknown_session_is_refused_with_a_suggestion(
    sessions: Sessions, question: Question
) -> None:
    with pytest.raises(SessionError, match="no sessions yet"):
        await sessions.show("emperor")
    await sessions.start(question, FORAGER, "scripted", "emperor")
    for verb in (sessions.show, sessions.run, sessions.stop, sessions.delete, sessions.events):
        with pytest.raises(SessionError, match="Did you mean 'emperor'"):
            await verb("emporer")


async def test_a_deleted_session_is_gone(
    sessions: Sessions, question: Question, tmp_path: Path
) -> None:
    await sessions.start(question, FORAGER, "scripted", "emperor")
    await sessions.run("emperor")
    await sessions.delete("emperor")
    assert await sessions.listing.all() == ()
    await sessions.start(question, FORAGER, "scripted", "emperor")
    assert (await sessions.show("emperor")).visited == ()
    assert await sessions.events("emperor") == ()


REFUSE = "CREATE TRIGGER t BEFORE DELETE ON pieces BEGIN SELECT RAISE(ABORT, 'full'); END"


@IN_FILES
async def test_a_session_that_is_deleted_by_half_is_gone_and_leaves_nothing_to_the_next(
    sessions: Sessions, question: Question, tmp_path: Path
) -> None:
    await sessions.start(question, FORAGER, "scripted", "emperor")
    whole = await sessions.run("emperor")
    steps = await sessions.history.checkpoints("emperor")
    with closing(sqlite3.connect(tmp_path / "checkpoints.sqlite")) as file, file:
        file.execute(
            "CREATE TRIGGER t BEFORE DELETE ON pieces BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
    with pytest.raises(StoreError):
        await sessions.delete("emperor")
    assert await sessions.listing.all() == ()
    with closing(sqlite3.connect(tmp_path / "checkpoints.sqlite")) as file, file:
        assert file.execute("SELECT count(*) FROM pieces").fetchone()[0]
        file.execute("DROP TRIGGER t")
    await sessions.start(question, FORAGER, "scripted", "emperor")
    again = await sessions.run("emperor")
    assert len(again.visited) == len(whole.visited)
    assert len(await sessions.history.checkpoints("emperor")) == len(steps)


async def test_a_session_exports_to_every_format(sessions: Sessions, question: Question) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    await sessions.run(id)
    markdown = (await sessions.export(id, "md")).decode()
    assert markdown.startswith("# Which emperor?\n\n*Answered · asked ")
    assert "\n\nSaid there [1]." in markdown
    assert "> What http://127.0.0.1:1/0/0 says." in markdown
    table = await sessions.export(id, "csv")
    assert len(table.splitlines()) == 7
    assert json.loads(await sessions.export(id, "json"))["question"] == "Which emperor?"
    with pytest.raises(UsageError, match=r"no format 'jsn'.*'json'"):
        await sessions.export(id, "jsn")


@pytest.mark.parametrize("file", ["sessions.sqlite", "checkpoints.sqlite"])
async def test_a_damaged_database_is_reported(
    tmp_path: Path, question: Question, file: str
) -> None:
    settings = alone(tmp_path)
    async with open_sessions(settings, ports_with([], []), REGISTRY) as sessions:
        id = await sessions.start(question, FORAGER, "scripted")
        await sessions.run(id)
    (tmp_path / file).write_bytes(b"garbage " * 4096)
    async with open_sessions(settings, ports_with([], []), REGISTRY) as sessions:
        with pytest.raises(StoreError, match=f"{file} is damaged"):
            await sessions.show(id)


async def test_a_read_only_folder_is_reported(tmp_path: Path, question: Question) -> None:
    (tmp_path / "file").write_text("in the way")
    settings = alone(tmp_path / "file" / "data")
    async with open_sessions(settings, ports_with([], []), REGISTRY) as sessions:
        with pytest.raises(StoreError, match="FORAGER_DATA"):
            await sessions.start(question, FORAGER, "scripted")


async def test_nothing_is_opened_before_it_is_needed(tmp_path: Path) -> None:
    async with open_sessions(Settings(data=tmp_path / "new"), ports_with([], []), REGISTRY):
        assert not (tmp_path / "new").exists()
