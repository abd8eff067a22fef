"""Begins a run, and lets the address name it."""

import streamlit as st

from forager.domain.state import Question
from graphs.sessions.model_choice import settle
from ui.server.backend import get_backend as here


def begin(question: Question, graph: str, model: str) -> None:
    """Start a run here. Raises ForagerError for what cannot be asked."""
    office = here()
    line = settle(model, office.settings, question.budget)
    id = office.desk.call(lambda sessions: sessions.start(question, graph, line))
    office.run(id)
    for field in ("question", "sites", "faults"):
        st.session_state.pop(field, None)
    st.query_params["session"] = id
