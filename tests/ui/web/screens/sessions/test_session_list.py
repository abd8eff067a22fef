import sqlite3
from contextlib import closing

from streamlit.testing.v1 import AppTest

from forager.domain.state import Question
from ui.server.backend import Backend
from ui.web.screens.sessions.session_list import list_sessions
from ui.web.screens.sessions.session_rows import session_row


def shown() -> None:
    from ui.web.screens.sessions import sessions_page  # noqa: PLC0415  # the script runs by itself

    sessions_page.page()


def page(**address: str) -> AppTest:
    """The page at an address, drawn once."""
    at = AppTest.from_function(shown, default_timeout=30)
    for name, value in address.items():
        at.query_params[name] = value
    return at.run()


def test_the_list_is_filtered_and_searched(office: Backend) -> None:
    at = page()
    assert not at.exception
    assert [pill.options for pill in at.button_group] == [["All 2", "Answered 2"]]
    assert "2 sessions" in [each.value for each in at.caption]
    at.text_input(key="sought").set_value("LAMP ona").run()
    assert "1 session" in [each.value for each in at.caption]
    at.text_input(key="sought").set_value("nothing of it").run()
    assert "No sessions match “nothing of it”." in [each.value for each in at.caption]


def test_a_session_that_is_not_there_is_said(office: Backend) -> None:
    at = page(session="onna")
    assert not at.exception
    assert "Did you mean 'ona'?" in at.text[0].value


def test_a_damaged_session_is_listed_and_can_be_deleted(office: Backend) -> None:
    with closing(sqlite3.connect(office.settings.data / "sessions.sqlite")) as db, db:
        db.execute("UPDATE sessions SET question = '{' WHERE id = 'ona'")
    [pills] = page().button_group
    assert pills.options == ["All 2", "Answered 1", "Damaged 1"]
    at = page(session="ona")
    assert not at.exception
    assert "'ona' is damaged" in at.text[0].value
    next(each for each in at.button if each.label == "Delete").click().run()
    assert "Delete for good" in [each.label for each in at.button]


def test_one_that_was_stopped_with_nothing_is_not_partly_answered(office: Backend) -> None:
    question = Question(text="Why?", sites=(office.handbook,))
    office.sessions.call(lambda to: to.start(question, "forager", "offline", "why"))
    office.sessions.call(lambda to: to.stop("why"))
    [pills] = page().button_group
    assert pills.options == ["All 3", "Answered 2", "Nothing found 1"]
    first = session_row(list_sessions()[0], office.own_sites)
    assert (first["stands"], first["sites"]) == ("empty", "Handbook")
