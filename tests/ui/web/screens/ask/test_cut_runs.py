"""What a button asked for is done although a newer run of the script ends the one that does it."""

import itertools

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.scriptrunner_utils.script_requests import (
    RerunData,
    ScriptRequest,
    ScriptRequests,
)

from forager.domain.state import Question
from tests.ui.web.screens.ask.test_start_form import form, page
from ui.server.space_backend import Backend

SITE = "http://127.0.0.1:1/"
TEXT = "Who lit the lamp of Ona?"
LOOKS = 24
"""More than there are before the fields of the form are drawn."""


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
