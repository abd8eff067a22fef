"""Ask a question and watch its answer come to be."""

import streamlit as st

from ui.parts.component import of_run
from ui.server.office import here


def page() -> None:
    """The start form, or the run that the address names."""
    if id := st.query_params.get("session"):
        _run(id)
    else:
        st.write("hello")


def _run(id: str) -> None:
    session = here().desk.call(lambda sessions: sessions.get(id))
    with st.container(key="shell"):
        with st.container(key="head"):
            st.title(session.question.text, anchor=False)
        with st.container(key="body"):
            of_run("answer", id)
        with st.container(key="rail"):
            of_run("timeline", id)
