"""The page on sessions: a list to choose from, and the one that the address names."""

import streamlit as st

from forager.errors import SessionError
from ui.parts.look import dress
from ui.screens.sessions.beside import beside
from ui.screens.sessions.browse import browse
from ui.screens.sessions.detail import detail
from ui.server.backend import get_backend as here


def page() -> None:
    """The list, and beside it the session that was chosen."""
    dress("sessions")
    if (one := st.query_params.get("session")) and (other := st.query_params.get("with")):
        beside(one, other)
        return
    with st.container(key="shelf"):
        shelf = st.container(key="browse")
        if id := st.query_params.get("session"):
            with st.container(key="detail"):  # first: the list stands there already
                _chosen(id)
        else:
            with st.container(key="unchosen"):
                st.caption("Choose a session to see its history, fork it, or export it.")
        with shelf:
            browse()


def _chosen(id: str) -> None:
    try:
        session, report = here().desk.call(lambda sessions: sessions.look(id))
    except SessionError as error:
        st.subheader("There is no such session", anchor=False)
        st.text(f"{error.what} {error.mend}")
        return
    detail(session, report)
