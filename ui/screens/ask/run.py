"""A run: its question and answer, what it rests on, and how it goes."""

from functools import partial

import streamlit as st

from forager.errors import SessionError
from graphs.sessions import Report, Session
from ui.parts.component import of_run
from ui.parts.plain import escaped
from ui.screens import sessions
from ui.screens.ask.rail import exported, rail
from ui.server.office import here


def run(id: str) -> None:
    """The page of a session; where there is none it is said, and the list is offered."""
    try:
        session = here().desk.call(lambda to: to.get(id))
        report = here().desk.call(lambda to: to.show(id))
    except SessionError as error:
        _missing(error)
        return
    with st.container(key="shell"):
        with st.container(key="head"):
            of_run("head", id)
        with st.container(key="body"):
            of_run("answer", id)
            _tabs(session, report)
        with st.container(key="rail"):
            rail(session, report)


def _missing(error: SessionError) -> None:
    st.title("There is no such run", anchor=False)
    st.markdown(escaped(str(error)))
    st.page_link(
        st.Page(sessions.page, title="Sessions", url_path="sessions"), label="All sessions"
    )


def _tabs(session: Session, report: Report) -> None:
    """What the answer rests on; a tab that is not looked at costs nothing."""
    names = ("Evidence",)
    tabs = st.tabs(names, key="tabs", on_change="rerun")
    with tabs[0]:
        with st.container(key="csv"):
            st.download_button(
                "Download CSV",
                data=partial(exported, session.id, "csv"),
                file_name=f"{session.id}.csv",
                key=f"csv-{session.id}",
                icon=":material/download:",
                type="tertiary",
                on_click="ignore",
            )
        of_run("ledger", session.id)
