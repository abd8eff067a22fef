"""Dialogs that rename, import and delete a session."""

from collections.abc import Iterable

import streamlit as st

from forager.errors import ForagerError
from graphs.sessions.listing import MAX_TITLE_CHARACTERS
from graphs.sessions.service import Session
from ui.server.backend import get_backend
from ui.server.pending_deletions import UNDO_SECONDS, Deletion
from ui.web.components.confirmation import confirm_loss
from ui.web.components.dialog import dialog
from ui.web.markdown import escape_markdown
from ui.web.words import later, say, say_told


@dialog(later("Rename this session"))
def rename_dialog(session: Session, present: str) -> None:
    """Ask for a title, at first the one that lists show."""
    with st.form("rename", border=False):
        title = st.text_input(
            say("Title"), present[:MAX_TITLE_CHARACTERS], max_chars=MAX_TITLE_CHARACTERS
        )
        pressed = st.form_submit_button(say("Save"), type="primary")
    if not pressed:
        return
    try:
        get_backend().sessions.call(lambda sessions: sessions.listing.rename(session.id, title))
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
        return
    st.rerun()


@dialog(later("Tags of this session"))
def tag_dialog(session: Session, known: Iterable[str]) -> None:
    """Ask for tags; those of other sessions are shown, to write them alike."""
    with st.form("tag", border=False):
        tags = st.text_input(
            say("Tags"),
            ", ".join(session.tags),
            placeholder=say("Separated by commas, as in: rome, to read"),
        )
        if known := list(known):
            st.caption(say("In use: {tags}", tags=escape_markdown(", ".join(known))))
        pressed = st.form_submit_button(say("Save"), type="primary")
    if not pressed:
        return
    try:
        get_backend().sessions.call(lambda sessions: sessions.listing.tag(session.id, [tags]))
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
        return
    st.rerun()


@dialog(later("Import a session"))
def import_dialog() -> None:
    """Ask for a file that was exported as a whole session."""
    file = st.file_uploader(say("A whole session, exported as .zip"), type="zip")
    st.caption(
        say(
            "The file is checked first. Importing starts no run. The session goes on with your own "
            "model, and without its approvals and a larger budget."
        )
    )
    own_nodes = st.checkbox(say("Its method may use my own node types"))
    if file is None or not st.button(say("Import it"), type="primary"):
        return
    try:
        id = get_backend().sessions.call(
            lambda sessions: sessions.archive.import_zip(file.getvalue(), own_nodes=own_nodes)
        )
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
        return
    st.query_params.clear()
    st.query_params["session"] = id
    st.rerun()


@dialog(later("Delete this session?"))
def delete_dialog(id: str, name: str) -> None:
    """Ask whether what was learned from the session is deleted with it."""
    st.text(name)
    st.caption(
        say(
            "Its steps, events and answers are deleted. You can undo this for {n} seconds.",
            n=round(UNDO_SECONDS),
        )
    )
    label = say("Also delete what was learned from it, and pages that only it read")
    forget = st.checkbox(label, value=True)
    if confirm_loss(say("Delete")):
        try:
            get_backend().delete(Deletion(id, name, forget))
        except ForagerError as error:
            st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
            return
        st.query_params.clear()
        st.rerun()
