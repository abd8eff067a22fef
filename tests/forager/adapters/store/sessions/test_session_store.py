import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from forager.adapters.store.sessions.session_store import Session, SessionStore
from forager.domain.spend import Spend
from forager.domain.state import Question
from forager.errors import SessionError, StoreError
from forager.util.place import Place, Tables

QUESTION = Question(text="Wer? 誰?", sites=("http://site/",))


@pytest.fixture
def store(table_place: Callable[[Tables], Place]) -> SessionStore:
    return SessionStore(table_place("sessions"))


def session(id: str) -> Session:
    return Session(
        id=id, question=QUESTION, graph="g", graph_hash="0" * 64, graph_body="{}", model="offline"
    )


def test_a_session_is_kept(store: SessionStore) -> None:
    created = store.create(session("one"))
    assert created.created > 0
    assert store.get("one") == created
    with pytest.raises(SessionError, match="already"):
        store.create(session("one"))


def test_sessions_are_listed_newest_first(store: SessionStore) -> None:
    for id in ("a", "b", "c"):
        store.create(session(id))
    assert [item.id for item in store.list()] == ["c", "b", "a"]


def test_columns_change(store: SessionStore) -> None:
    before = store.create(session("one"))
    store.set_columns("one", status="failed", error="e", mend="m")
    after = store.get("one")
    assert (after.status, after.error, after.mend) == ("failed", "e", "m")
    assert after.changed >= before.changed


def test_a_late_request_to_stop_does_not_take_back_that_a_run_ends_at_once(
    store: SessionStore,
) -> None:
    store.create(session("one"))
    seen = []
    for request in ("stop", "end", "stop"):
        store.request_end("one", request)
        seen.append(store.get_request("one"))
    assert seen == ["stop", "end", "end"]


def test_events_are_numbered_per_session_from_any_thread(store: SessionStore) -> None:
    store.create(session("one"))
    store.create(session("two"))
    with ThreadPoolExecutor(8) as threads:
        for number in range(40):
            id = "one" if number % 4 else "two"
            threads.submit(store.append_event, id, "node", "finished", "said", {"n": number})
    assert [event.seq for event in store.list_events("one")] == list(range(1, 31))
    assert [event.seq for event in store.list_events("two", after=4)] == list(range(5, 11))


def test_replies_are_kept_once(store: SessionStore) -> None:
    store.create(session("one"))
    assert store.kept_reply("one", "task") is None
    store.keep_reply("one", "task", "first")
    store.keep_reply("one", "task", "second")
    assert store.kept_reply("one", "task") == "first"
    assert store.kept_reply("two", "task") is None


def test_what_is_asked_twice_at_once_has_one_reply(store: SessionStore) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda reply: store.keep_reply("s1", "task", str(reply)), range(8)))
    assert store.kept_reply("s1", "task") in set("01234567")


def test_concurrent_steers_are_all_stored(store: SessionStore) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: store.steers.add_steer("s1", str(number)), range(16)))
    waiting = store.steers.list_waiting("s1")
    assert [each.seq for each in waiting] == list(range(1, 17))
    assert {each.body for each in waiting} == {str(number) for number in range(16)}


def test_what_models_cost_is_added_up_from_any_thread(store: SessionStore) -> None:
    store.create(session("one"))
    assert store.paid_spend("one") == Spend()
    with ThreadPoolExecutor(8) as threads:
        for _ in range(40):
            threads.submit(store.add_spend, "one", Spend(model_calls=1, tokens_in=10, usd=0.25))
    assert store.paid_spend("one") == Spend(model_calls=40, tokens_in=400, usd=10.0)


def test_a_file_without_what_was_paid_still_opens(tmp_path: Path) -> None:
    """It was added later: an older data folder has no such table."""
    store = SessionStore(tmp_path / "deep" / "sessions.sqlite")
    store.create(session("one"))
    store.close()
    with closing(sqlite3.connect(tmp_path / "deep" / "sessions.sqlite")) as file:
        file.execute("DROP TABLE paid")
        file.execute("DROP TABLE shares")
        file.execute("ALTER TABLE sessions DROP COLUMN pinned")
        file.execute("ALTER TABLE sessions DROP COLUMN tags")
        file.execute("ALTER TABLE sessions DROP COLUMN uncertain")
        file.execute("ALTER TABLE sessions DROP COLUMN doubt")
        file.execute("ALTER TABLE sessions DROP COLUMN searched")
        file.execute("ALTER TABLE sessions DROP COLUMN written_by")
        file.execute("DROP TABLE alembic_version")
    again = SessionStore(tmp_path / "deep" / "sessions.sqlite")
    assert again.get("one").id == "one"
    assert again.paid_spend("one") == Spend()
    again.add_spend("one", Spend(usd=1))
    assert again.paid_spend("one") == Spend(usd=1)


def test_delete_removes_all_rows_of_a_session(store: SessionStore) -> None:
    store.create(session("one"))
    store.append_event("one", "node", "started", "", {})
    store.keep_reply("one", "task", "reply")
    store.add_spend("one", Spend(usd=1))
    store.delete("one")
    store.create(session("one"))
    assert store.list_events("one") == ()
    assert store.paid_spend("one") == Spend()
    assert store.kept_reply("one", "task") is None


def test_locked_file_raises_store_error(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite"
    store = SessionStore(path, patience=0.01)
    other = sqlite3.connect(path)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match="locked by another program"):
        store.create(session("one"))
    other.close()
    assert store.create(session("one")).id == "one"


def test_of_a_nodes_progress_the_last_is_kept_behind_what_came_before(store: SessionStore) -> None:
    store.create(session("one"))
    store.append_event("one", "survey", "started", "", {})
    for number in range(3):
        store.append_event("one", "survey", "progress", f"{number} pages", {})
        store.append_event("one", "other", "progress", f"{number} pages", {})
    found = [(each.seq, each.node, each.message) for each in store.list_events("one")]
    assert found == [(1, "survey", ""), (6, "survey", "2 pages"), (7, "other", "2 pages")]
    assert store.list_events("one", 6)[0].node == "other"


def test_a_session_is_read_without_the_turns_of_others(store: SessionStore) -> None:
    store.create(session("one"))
    statements: list[str] = []

    def note(*given: Any) -> None:
        statements.append(given[2])

    event.listen(Engine, "before_cursor_execute", note)
    try:
        store.get("one")
        store.count_turns("one")
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    counted = [each for each in statements if "FROM turns" in each]
    assert len(counted) == 2
    assert all("WHERE turns.session" in each for each in counted)
