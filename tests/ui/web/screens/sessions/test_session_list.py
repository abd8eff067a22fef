import sqlite3
from contextlib import closing

from streamlit.testing.v1 import AppTest

from forager.adapters.store.sessions.session_store import SessionStore
from forager.answers.likelihood import doubt_of
from forager.domain.answers import Answer
from forager.domain.spend import Spend
from forager.domain.state import Meaning, Question, Turn
from graphs.reports.report import is_weak
from ui.server.live.session_status import UNCERTAIN, display_status
from ui.server.pending_deletions import Deletion
from ui.server.space_backend import Backend
from ui.web.screens.sessions.session_list import list_sessions
from ui.web.screens.sessions.session_rows import Filter, count_statuses, session_row

PATIENCE = 60.0


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
    assert [pill.options for pill in at.button_group] == [["All 1", "Answered 1"]]
    assert "1 of 2 sessions" in [each.value for each in at.caption]
    at.button_group(key="status").set_value("answered").run()
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
    assert "confirm-loss" in [each.key for each in at.button]


def test_tags_are_counted_among_what_is_shown_and_filter_it(office: Backend) -> None:
    office.sessions.call(lambda to: to.listing.tag("ona", ["lamps", "north"]))
    office.sessions.call(lambda to: to.listing.tag("holm", ["north"]))
    at = page()
    assert at.button_group(key="tags").options == ["lamps 1", "north 2"]
    at.button_group(key="tags").set_value(["lamps"]).run()
    assert at.button_group(key="tags").options == ["lamps 1", "north 1"]
    assert at.button_group(key="status").options == ["All 1", "Answered 1"]
    at.text_input(key="sought").set_value("tower").run()
    assert "No sessions match “tower”." in [each.value for each in at.caption]
    assert at.button_group(key="tags").options == ["lamps 0"]


def test_pinned_sessions_stand_first(office: Backend) -> None:
    office.sessions.call(lambda to: to.listing.pin("ona", pinned=True))
    assert [each.line.id for each in Filter().choose(list_sessions())] == ["ona", "holm"]


def test_a_deleted_session_can_be_brought_back(office: Backend) -> None:
    office.delete(Deletion("ona", "Who lit the lamp of Ona?", forget=False))
    at = page(session="ona")
    assert [each.value for each in at.header] == ["Session deleted"]
    assert "Deleted “Who lit the lamp of Ona?”" in [each.value for each in at.text]
    assert "1 session" in [each.value for each in at.caption]
    at.button(key="undo-delete-ona").click().run()
    assert at.query_params["session"] == "ona"
    assert len(list_sessions()) == 2
    office.delete(Deletion("ona", "Who lit the lamp of Ona?", forget=False))
    office.deletions.finish(PATIENCE)
    at = page(session="ona")
    assert [each.value for each in at.header] == ["Session deleted"]
    assert [each.line.id for each in list_sessions()] == ["holm"]


def test_one_that_was_stopped_with_nothing_is_not_partly_answered(office: Backend) -> None:
    question = Question(text="Why?", sites=(office.handbook,))
    office.sessions.call(lambda to: to.start(question, "forager", "offline", "why"))
    office.sessions.call(lambda to: to.stop("why"))
    [pills] = page().button_group
    assert pills.options == ["All 3", "Answered 2", "Ended without an answer 1"]
    first = session_row(list_sessions()[0], office.own_sites)
    assert (first["stands"], first["sites"]) == ("empty", ["Handbook"])


def test_an_answer_with_a_weak_part_is_not_listed_as_answered(office: Backend) -> None:
    with closing(SessionStore(office.settings.data / "sessions.sqlite")) as store:
        store.set_summary("ona", "In 1874.", 3, Spend(), uncertain=True)
    [pills] = page().button_group
    assert pills.options == ["All 2", "Answered 1", "Answered, uncertain 1"]
    [row] = [each for each in list_sessions() if each.line.id == "ona"]
    assert (row.status, session_row(row, {})["stands"]) == ("answered", UNCERTAIN)
    with closing(SessionStore(office.settings.data / "sessions.sqlite")) as store:
        store.set_summary("ona", "In 1874.", 3, Spend(), uncertain=True, doubt="unlikely")
    at = page()
    assert at.button_group[0].options == ["All 2", "Answered 1", "Possibly answered 1"]
    at.button_group(key="status").set_value("unlikely").run()
    assert "1 of 2 sessions" in [each.value for each in at.caption]


def test_an_answer_of_an_older_forager_is_listed_as_its_page_shows_it(office: Backend) -> None:
    file = office.settings.data / "sessions.sqlite"
    _, report = office.sessions.call(lambda to: to.show_session("ona"))
    shown = display_status(report.status, report.answer, doubt=doubt_of(report))
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("UPDATE sessions SET doubt = 'unrated', uncertain = 1 WHERE id = 'ona'")
    [ona] = [each for each in list_sessions() if each.line.id == "ona"]
    assert session_row(ona, {})["stands"] == shown
    with closing(sqlite3.connect(file)) as db:
        [row] = db.execute("SELECT doubt, uncertain FROM sessions WHERE id = 'ona'")
    assert row == (doubt_of(report), int(is_weak(report)))


def test_a_follow_up_that_was_not_found_does_not_hide_the_answer_before_it(
    office: Backend,
) -> None:
    answer = Answer(text="Ada.", status="answered")
    first = Question(text="Who lit it?", sites=())
    turn = Turn(number=1, question=first, meaning=Meaning(text=first.text), answer=answer)
    with closing(SessionStore(office.settings.data / "sessions.sqlite")) as store:
        store.begin_turn("ona", turn, first.model_copy(update={"text": "And who put it out?"}))
        store.set_columns("ona", status="abstained")
    [ona] = [each for each in list_sessions() if each.line.id == "ona"]
    row = session_row(ona, {})
    assert (row["title"], row["stands"], row["follow_up"]) == (first.text, "answered", "abstained")
    assert count_statuses(list_sessions()) == {"all": 2, "answered": 2, "abstained": 1}
    assert len(Filter(status="answered").choose(list_sessions())) == 2
    assert [each.line.id for each in Filter(status="abstained").choose(list_sessions())] == ["ona"]
    with closing(SessionStore(office.settings.data / "sessions.sqlite")) as store:
        store.set_columns("ona", status="answered")
    [ona] = [each for each in list_sessions() if each.line.id == "ona"]
    assert session_row(ona, {})["follow_up"] == ""


def test_a_session_that_searched_pages_read_before_does_not_name_the_web(office: Backend) -> None:
    question = Question(text="Who built it?", sites=())
    office.sessions.call(lambda to: to.start(question, "forager", "offline", "web"))
    [row] = [each for each in list_sessions() if each.line.id == "web"]
    assert session_row(row, {})["sites"] == ["the web"]
    with closing(SessionStore(office.settings.data / "sessions.sqlite")) as store:
        store.set_summary("web", "In 1874.", 3, Spend(), searched="kept")
    [row] = [each for each in list_sessions() if each.line.id == "web"]
    assert session_row(row, {})["sites"] == ["pages read before, not the web"]
