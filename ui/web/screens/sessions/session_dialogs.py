"""Dialogs that rename, import and delete a session."""

import streamlit as st

from forager.errors import ForagerError
from graphs.sessions.listing import MAX_TITLE_CHARACTERS
from graphs.sessions.service import Session
from graphs.system.deletion import delete_session
from ui.server.backend import get_backend
from ui.web.markdown import escape_markdown


@st.dialog("Rename this session")
def rename_dialog(session: Session) -> None:
    """Ask for a title."""
    present = session.title or session.question.text[:MAX_TITLE_CHARACTERS]
    with st.form("rename", border=False):
        title = st.text_input("Title", present, max_chars=MAX_TITLE_CHARACTERS)
        pressed = st.form_submit_button("Save", type="primary")
    if not pressed:
        return
    try:
        get_backend().sessions.call(lambda sessions: sessions.listing.rename(session.id, title))
    except ForagerError as error:
        st.error(escape_markdown(str(error)), icon=":material/cancel:")
        return
    st.rerun()


@st.dialog("Import a session")
def import_dialog() -> None:
    """Ask for a file that was exported as a whole session."""
    file = st.file_uploader("A whole session, exported as .zip", type="zip")
    st.caption(
        "The file is checked first. Importing starts no run. The session goes on with your own "
        "model, and without its approvals and a larger budget."
    )
    own_nodes = st.checkbox("Its graph may use my own node types")
    if file is None or not st.button("Import it", type="primary"):
        return
    try:
        id = get_backend().sessions.call(
            lambda sessions: sessions.archive.import_zip(file.getvalue(), own_nodes=own_nodes)
        )
    except ForagerError as error:
        st.error(escape_markdown(str(error)), icon=":material/cancel:")
        return
    st.query_params.clear()
    st.query_params["session"] = id
    st.rerun()


@st.dialog("Delete this session?")
def delete_dialog(id: str, question: str) -> None:
    """Ask for confirmation; what was learned from the session can be deleted with it."""
    st.text(question)
    st.caption("Its steps, events and answers are deleted.")
    label = "Also delete what was learned from it, and pages that only it read"
    forget = st.checkbox(label, value=True)
    if st.button("Delete for good", type="primary"):
        try:
            get_backend().sessions.call(
                lambda sessions: delete_session(sessions, id, forget=forget)
            )
        except ForagerError as error:
            st.error(escape_markdown(str(error)), icon=":material/cancel:")
            return
        st.query_params.clear()
        st.toast("Deleted.", icon=":material/check:")
        st.rerun()
