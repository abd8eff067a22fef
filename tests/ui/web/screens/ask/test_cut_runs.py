"""What a button asked for is done although a newer run of the script ends the one that does it."""

import itertools

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.scriptrunner_utils.script_requests import (
    RerunData,
    ScriptRequest,
    ScriptRequests,
)
from streamlit.testing.v1 import AppTest

from forager.domain.state import Question
from tests.ui.web.screens.ask.test_start_form import form, page
from ui.server.space_backend import Backend

SITE = "http://127.0.0.1:1/"
TEXT = "Who lit the lamp of Ona?"
LOOKS = 24
"""More than there are before the fields of the form are drawn."""
START_LOOKS = 9
"""More than there are between the fields of the form and the start."""


def cut_run(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Ask for a newer run just before Streamlit looks for one for this time."""
    look, looks = ScriptRequests.on_scriptrunner_yield, itertools.count()

    def look_after_asking(requests: ScriptRequests) -> ScriptRequest | None:
        if next(looks) == number:
            requests.request_rerun(RerunData(widget_states=WidgetStates()))
        return look(requests)

    monkeypatch.setattr(ScriptRequests, "on_scriptrunner_yield", look_after_asking)


def test_a_question_to_edit_is_in_the_form_wherever_a_newer_run_ends_this_one(
    office: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = Question(text=TEXT, sites=(SITE,))
    office.sessions.call(lambda to: to.start(question, "mango", "offline", "ona"))
    session = office.sessions.call(lambda to: to.get("ona"))
    at = page()
    for number in range(LOOKS):
        at.session_state["question"] = ""
        at.session_state["graph"] = "forager"
        form(at).fill_sites(())
        form(at).edited = session
        with monkeypatch.context() as patch:
            cut_run(patch, number)
            at.run()
        assert not at.exception
        filled = (at.text_area(key="question").value, form(at).sites, at.radio(key="graph").value)
        assert filled == (TEXT, (SITE,), "mango"), number


def ask_once(at: AppTest) -> None:
    """Have the page drawn while a run of the form is asked for."""
    if "session" in at.query_params:
        del at.query_params["session"]
    form(at).fill_sites((SITE,))
    at.session_state["question"] = TEXT
    form(at).start_requested = True
    at.run()
    assert not at.exception


def test_a_run_starts_once_wherever_a_newer_run_ends_the_one_that_starts_it(
    office: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = page()
    state, looks = form(at), itertools.count()
    look, started = ScriptRequests.on_scriptrunner_yield, list[int]()

    def note_start(requests: ScriptRequests) -> ScriptRequest | None:
        number = next(looks)
        if state.started:
            started.append(number)
        return look(requests)

    with monkeypatch.context() as patch:
        patch.setattr(ScriptRequests, "on_scriptrunner_yield", note_start)
        ask_once(at)
    for number in range(started[0] - START_LOOKS, started[0] + 1):
        before = len(office.sessions.call(lambda to: to.listing.search()))
        with monkeypatch.context() as patch:
            cut_run(patch, number)
            ask_once(at)
        after = office.sessions.call(lambda to: to.listing.search())
        assert len(after) == before + 1, number
