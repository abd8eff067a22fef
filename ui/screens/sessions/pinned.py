"""The graph that a session was begun with, and keeps."""

import streamlit as st

from forager.errors import ForagerError
from graphs.sessions.service import Report, Session
from graphs.spec.library import open_library
from graphs.spec.spec import graph_of
from ui.parts.picture import drawn
from ui.server.backend import get_backend as here


def pinned(session: Session, report: Report) -> None:
    """Drawing, hash, and whether today's graph of the name is another."""
    spec = graph_of(session)
    st.text(f"{numbered(session)}, as it was when the session began: {differs(session)}")
    st.code(session.graph_hash, language=None, wrap_lines=True)
    drawn(spec)
    with st.expander("As a table"):
        st.dataframe(
            [
                {"from": e.source, "route": e.route, "to": e.target, "branches": e.fan}
                for e in spec.edges
            ],
            hide_index=True,
        )


def numbered(session: Session) -> str:
    """Its name, and which of its versions the session has, if it is a saved one."""
    try:
        versions = open_library(here().settings).versions(session.graph)
    except ForagerError:
        return session.graph
    number = next((each.number for each in versions if each.hash == session.graph_hash), None)
    return f"{session.graph} v{number}" if number else session.graph


def differs(session: Session) -> str:
    """Whether today's graph of this name is another one."""
    try:
        today = open_library(here().settings).named(session.graph)
    except ForagerError:
        return "a graph of your own."
    if today.hash == session.graph_hash:
        return f"the same as today's {session.graph}."
    return f"today's {session.graph} differs. The session goes on with its own."
