"""A run: its question and answer, what it rests on, and how it goes."""

import streamlit as st

from forager.errors import SessionError
from graphs.reports.trace import Way
from graphs.sessions.service import Report, Session
from graphs.spec.spec import graph_of
from ui.parts.component import of_run
from ui.parts.plain import escaped
from ui.screens import sessions
from ui.screens.ask.dock import dock
from ui.screens.ask.plea import pleas
from ui.screens.ask.rail import rail
from ui.screens.ask.tabs import tabs
from ui.server.backend import get_backend as here
from ui.server.live.merge_patch import Document
from ui.server.live.session_view import build_view as view
from ui.server.live.timeline import Timeline


def run(id: str) -> None:
    """The page of a session; where there is none it is said, with ways on."""
    try:
        session, report = here().desk.call(lambda to: to.look(id))
    except SessionError as error:
        _missing(error)
        return
    first = _first(session, report)
    with st.container(key="shell"):
        with st.container(key="head"):
            of_run("head", id, first=first)
        with st.container(key="body"):
            pleas(session)
            of_run("answer", id, first=first)
            tabs(id)
        with st.container(key="rail"):
            rail(session, report, first)
    dock(session, report)


def _first(session: Session, report: Report) -> Document:
    """The view without what may be long."""
    way = Way(graph_of(session))
    whole = view(session, report, Timeline(session), way)
    return {**whole, "evidence": {}, "arms": {}}


def _missing(error: SessionError) -> None:
    with st.container(key="missing"):
        st.title("There is no such run", anchor=False)
        st.markdown(escaped(str(error)))
        st.caption("It may have been deleted, or a part of its address was lost on the way.")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                "Ask a question",
                type="primary",
                icon=":material/add:",
                on_click=st.query_params.clear,
            )
            page = st.Page(sessions.page, title="Sessions", url_path="sessions")
            st.page_link(page, label="All sessions", icon=":material/list:")
