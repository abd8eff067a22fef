"""What is asked before a session is let go."""

import streamlit as st

from forager.errors import ForagerError
from graphs.sessions.listing import LONGEST_TITLE
from graphs.sessions.service import Session
from ui.parts.plain import escaped
from ui.screens.memory.items import with_memory
from ui.server.backend import get_backend as here


@st.dialog("Rename this session")
def rename(session: Session) -> None:
    """Call it so in lists."""
    with st.form("rename", border=False):
        title = st.text_input(
            "Title", session.title, placeholder="Empty: its question", max_chars=LONGEST_TITLE
        )
        pressed = st.form_submit_button("Save", type="primary")
    if not pressed:
        return
    try:
        here().desk.call(lambda sessions: sessions.rename(session.id, title))
    except ForagerError as error:
        st.error(escaped(str(error)), icon=":material/cancel:")
        return
    st.rerun()


@st.dialog("Import a session")
def take_in() -> None:
    """A file that was exported as a whole session."""
    file = st.file_uploader("A whole session, exported as .zip", type="zip")
    st.caption("It is proved before it is taken in, and begins nothing by itself.")
    if file is None or not st.button("Import it", type="primary"):
        return
    try:
        id = here().desk.call(lambda sessions: sessions.import_(file.getvalue()))
    except ForagerError as error:
        st.error(escaped(str(error)), icon=":material/cancel:")
        return
    st.query_params.clear()
    st.query_params["session"] = id
    st.rerun()


@st.dialog("Delete this session?")
def delete(session: Session) -> None:
    """Ask first; what it taught can go with it."""
    st.text(session.question.text)
    st.caption("Its steps, events and answers go. The pages that it read stay in the cache.")
    forget = st.checkbox("Forget what it taught, too", value=True)
    if st.button("Delete for good", type="primary"):
        try:
            here().desk.call(lambda sessions: sessions.delete(session.id))
            if forget:
                with_memory(lambda known: known.forget(session=session.id))
        except ForagerError as error:
            st.error(escaped(str(error)), icon=":material/cancel:")
            return
        st.query_params.clear()
        st.rerun()
