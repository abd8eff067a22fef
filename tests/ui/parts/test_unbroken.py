"""A callback is ended by a newer run of the script, unless it is unbroken."""

import pytest
from streamlit.testing.v1 import AppTest

PAGE = """
from contextlib import nullcontext
import streamlit as st
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx
from ui.parts.unbroken import unbroken

def change():
    with {guard}():
        get_script_run_ctx().script_requests.request_rerun(RerunData())
        st.session_state["begun"] = True
        st.session_state["done"] = True

st.button("Change", on_click=change)
st.text("done" if "done" in st.session_state else "lost")
"""


@pytest.mark.parametrize(("guard", "told"), [("unbroken", "done"), ("nullcontext", "lost")])
def test_what_was_begun_is_ended(guard: str, told: str) -> None:
    at = AppTest.from_string(PAGE.format(guard=guard)).run()
    at.button[0].click().run()
    assert at.text[0].value == told
    assert not at.exception
