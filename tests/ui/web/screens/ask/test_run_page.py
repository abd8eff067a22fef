from contextlib import closing
from typing import Any

import pytest
from sqlalchemy import Engine, event
from streamlit.testing.v1 import AppTest

from forager.adapters.store.leases import hold_lease
from forager.adapters.store.sessions.session_records import PAUSE
from forager.adapters.store.sessions.session_store import SessionStore
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.util.place import Place
from graphs.sessions.service import Sessions, Steer
from tests.graphs.partial_runs import running_until
from tests.ui.web.screens.ask.test_start_form import form, named, page, started
from ui.server.examples.example_sites import ENCYCLOPEDIA
from ui.server.space_backend import Backend
from ui.web.markdown import escape_markdown

SITE = "http://127.0.0.1:1/"


@pytest.fixture
def laid(office: Backend) -> Backend:
    """The office with a session `ona` that was begun and left."""
    question = Question(text="Who lit the *lamp* of Ona?", sites=(SITE,))
    office.sessions.call(lambda to: to.start(question, "forager", "offline", "ona"))
    return office


def labels(at: AppTest) -> set[str]:
    """What the buttons say."""
    return {button.label for button in at.button}


def said(at: AppTest, text: str, way: str) -> AppTest:
    """Something said to the run in one of the ways."""
    at.button_group(key="way").set_value(way).run()
    at.text_area(key="said").set_value(text)
    return next(each for each in at.button if each.label == "Send").click().run()


def test_a_run_that_was_left_can_go_on_and_be_ended(laid: Backend) -> None:
    at = page(session="ona")
    assert not at.exception
    assert {"Resume", "Stop and answer", "Send"} <= labels(at)
    assert labels(at).isdisjoint({"Pause", "Follow up"})


def test_a_run_that_was_paused_can_go_on(laid: Backend) -> None:
    with closing(SessionStore(laid.settings.data / "sessions.sqlite")) as store:
        store.set_columns("ona", asked=PAUSE)
    at = page(session="ona")
    assert not at.exception
    buttons = {button.label: button for button in at.button}
    assert not buttons["Resume"].disabled
    assert not buttons["Stop and answer"].disabled


def test_it_is_steered_from_the_dock(laid: Backend) -> None:
    at = page(session="ona")
    said(at, "ask the keeper", "Hint")
    assert "Hint received" in at.toast[0].value
    assert at.text_area(key="said").value == ""
    said(at, "holm.example", "Add a site")
    said(at, "holm.example/private", "Forbid")
    question = laid.sessions.call(lambda to: to.get("ona")).question
    assert question.hints == ("ask the keeper",)
    assert question.sites == (SITE, "https://holm.example/")
    assert question.forbidden == ("https://holm.example/private",)


def test_what_cannot_be_done_is_said_and_stays_as_it_was_typed(laid: Backend) -> None:
    at = page(session="ona")
    said(at, "ftp://holm.example", "Add a site")
    assert at.error
    assert at.text_area(key="said").value == "ftp://holm.example"
    assert laid.sessions.call(lambda to: to.get("ona")).question.sites == (SITE,)


@pytest.mark.parametrize("way", ["Add a site", "Forbid"])
def test_words_that_are_no_address_are_named_whole(laid: Backend, way: str) -> None:
    at = said(page(session="ona"), "not a page", way)
    assert escape_markdown("'not a page' is neither a host nor an address.") in at.error[0].value


def test_several_addresses_are_taken_and_the_faulty_one_is_named(laid: Backend) -> None:
    at = page(session="ona")
    said(at, "holm.example, ravn.example\nskarn.example", "Forbid")
    assert not at.error
    question = laid.sessions.call(lambda to: to.get("ona")).question
    assert question.forbidden == ("holm.example", "ravn.example", "skarn.example")
    said(at, "linga.example nowhere", "Forbid")
    assert escape_markdown("'nowhere' is neither a host nor an address.") in at.error[0].value


def test_nothing_is_not_told(laid: Backend) -> None:
    at = said(page(session="ona"), "  ", "Forbid")
    assert "Nothing was written" in at.error[0].value
    assert not at.success


def test_a_budget_that_cannot_be_raised_is_told_where_it_was_asked_for(laid: Backend) -> None:
    laid.sessions.call(lambda to: to.stop("ona"))
    at = page(session="ona")
    raise_it = next(each for each in at.button if each.label == "Raise limits and resume")
    at = raise_it.click().run()
    assert not at.exception
    assert "was stopped before its first step" in at.get("popover")[0].error[0].value


@pytest.mark.parametrize(("granted", "offered"), [(3, [6]), (6, [10]), (10, [])])
def test_no_more_rounds_are_offered_than_the_method_takes(
    laid: Backend, granted: int, offered: list[int]
) -> None:
    question = laid.sessions.call(lambda to: to.get("ona")).question
    more = question.model_copy(update={"budget": Budget(rounds=granted)})
    with closing(SessionStore(laid.settings.data / "sessions.sqlite")) as store:
        store.set_columns("ona", question=more.model_dump_json(), status="partial")
    at = page(session="ona")
    assert not at.exception
    rounds = [each for each in at.number_input if each.label.startswith("Rounds (now ")]
    assert [each.value for each in rounds] == offered
    assert [each.max for each in rounds] == [10] * len(offered)
    told = any("10 rounds are the most" in each.value for each in at.caption)
    assert told == (not offered)


def test_an_answered_run_takes_a_follow_up(laid: Backend) -> None:
    laid.sessions.call(lambda to: to.stop("ona"))
    at = page(session="ona")
    assert not at.exception
    assert "Follow up" in labels(at)
    assert labels(at).isdisjoint({"Pause", "Resume", "Send"})
    at.text_area(key="said").set_value(" ")
    at = next(each for each in at.button if each.label == "Follow up").click().run()
    assert "The question is empty" in at.error[0].value


def test_more_budget_is_not_offered_where_there_was_enough(laid: Backend) -> None:
    with closing(SessionStore(laid.settings.data / "sessions.sqlite")) as store:
        store.set_columns("ona", status="answered")
    assert labels(page(session="ona")).isdisjoint({"Raise limits", "Raise limits and resume"})


def test_an_address_without_a_run_leads_on_to_a_question(office: Backend) -> None:
    at = page(session="onna")
    next(each for each in at.button if each.label == "Ask a question").click().run()
    assert not at.exception
    assert at.text_area(key="question")


def test_the_question_of_a_run_that_ended_is_edited_and_asked_again(laid: Backend) -> None:
    assert "Edit and ask again" not in labels(page(session="ona"))
    laid.sessions.call(lambda to: to.stop("ona"))
    at = started(page(), "Who?", "http://127.0.0.2:1/")
    at.query_params["session"] = "ona"
    at.run()
    next(each for each in at.button if each.label == "Edit and ask again").click().run()
    assert not at.exception
    assert "allow" not in {button.key for button in at.button}
    assert "session" not in at.query_params
    assert at.text_area(key="question").value == "Who lit the *lamp* of Ona?"
    assert form(at).sites == (SITE,)
    assert (at.radio(key="graph").value, at.selectbox(key="model").value) == (
        "forager",
        "offline",
    )
    assert any("Editing a question" in each.value for each in at.markdown)
    at.button(key="stop-editing").click().run()
    assert named(at) == "ona"


def test_a_follow_up_is_edited_as_it_was_read(office: Backend) -> None:
    site = office.examples[ENCYCLOPEDIA]

    async def ask_twice(sessions: Sessions) -> None:
        question = Question(text="Who designed Harrow Light?", sites=(site,))
        await sessions.start(question, "forager", "offline", "ona")
        await sessions.run("ona")
        await sessions.follow("ona", "And when was it first lit?")
        await sessions.run("ona")

    office.sessions.call(ask_twice)
    at = page(session="ona")
    next(each for each in at.button if each.label == "Edit and ask again").click().run()
    asked = at.text_area(key="question").value or ""
    assert "first lit" in asked
    assert "Harrow Light" in asked


def test_a_run_that_was_stopped_is_resumed_by_one_button(office: Backend) -> None:
    site = office.examples[ENCYCLOPEDIA]

    async def stop_early(sessions: Sessions) -> None:
        question = Question(text="Who designed Harrow Light?", sites=(site,))
        await sessions.start(question, "forager", "offline", "ona")
        task = await running_until(sessions, "ona", "survey")
        await sessions.stop("ona")
        await task

    office.sessions.call(stop_early)
    at = page(session="ona")
    assert office.sessions.call(lambda to: to.show("ona")).status == "partial"
    assert {"Resume", "Edit and ask again"} <= labels(at)
    next(each for each in at.button if each.label == "Resume").click().run()
    assert not at.exception
    assert not at.error
    kinds = [each.kind for each in office.sessions.call(lambda to: to.events("ona"))]
    assert "rewound" in kinds


def test_the_report_of_a_run_is_read_once_for_its_page(laid: Backend) -> None:
    statements: list[str] = []

    def note(*given: Any) -> None:
        statements.append(given[2])

    event.listen(Engine, "before_cursor_execute", note)
    try:
        at = page(session="ona")
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert not at.exception
    assert len([each for each in statements if "FROM paid" in each]) == 1


def test_a_run_that_was_asked_to_stop_can_only_be_ended_at_once(laid: Backend) -> None:
    leases = laid.sessions.call(_leases)
    with hold_lease(leases, "ona"):  # it runs, in the midst of a node
        at = page(session="ona")
        buttons = {button.label: button for button in at.button}
        assert not buttons["Stop and answer"].disabled
        buttons["Stop and answer"].click().run()
        buttons = {button.label: button for button in at.button}
        assert "Stop and answer" not in buttons
        assert buttons["Pause"].disabled
        buttons["End now"].click().run()
        buttons = {button.label: button for button in at.button}
        assert buttons["Stop and answer"].disabled
        assert "End now" not in buttons
    assert laid.sessions.call(lambda to: to.get("ona")).asked == "end"


async def _leases(sessions: Sessions) -> Place:
    return sessions.context.leases


def test_raised_limits_are_written_as_they_are_shown(laid: Backend) -> None:
    laid.sessions.call(lambda to: to.steering.steer("ona", Steer(budget=Budget(seconds=300))))
    at = page(session="ona")
    fields = {each.label: each.value for each in at.number_input}
    assert fields["Minutes (now 5:00)"] == 10
