"""The page Sessions: the list, beside it the session that the address names, or two of them."""

import asyncio

import streamlit as st

from forager.errors import DamagedError, ForagerError, NoSessionError, SessionError
from graphs.experiments.trial import export_run
from ui.server.backend import get_backend
from ui.web.markdown import escape_markdown
from ui.web.page_links import TRIAL
from ui.web.screens.sessions.comparison import comparison_view
from ui.web.screens.sessions.session_detail import session_detail
from ui.web.screens.sessions.session_dialogs import delete_dialog
from ui.web.screens.sessions.session_list import session_list
from ui.web.styles import apply_styles
from ui.web.tab_state import follow_address, go_to
from ui.web.words import say, say_told


def page() -> None:
    """Draw it."""
    follow_address()
    apply_styles("sessions")
    if (one := st.query_params.get("session")) and (other := st.query_params.get("with")):
        comparison_view(one, other)
        return
    with st.container(key="shelf"):
        shelf = st.container(key="browse")
        if id := st.query_params.get("session"):
            with st.container(key="detail"):  # first: the list is there already
                _show_detail(id)
        else:
            with st.container(key="unchosen"):
                st.caption(say("Choose a session to see its answer, its history, or to export it."))
        with shelf:
            session_list()


def _show_detail(id: str) -> None:
    deletions = get_backend().deletions
    if id in deletions.hidden() or deletions.is_deleted(id):
        st.header(say("Session deleted"), anchor=False)
        st.button(
            say("All sessions"), icon=":material/arrow_back:", type="tertiary", on_click=go_to
        )
        return
    if st.query_params.pop("of", "") == TRIAL:
        _take_over(id)
    try:
        session, report = get_backend().sessions.call(lambda sessions: sessions.show_session(id))
    except DamagedError as error:
        st.header(say("Damaged session"), anchor=False)
        st.text(say_told(error.what))
        if st.button(say("Delete"), icon=":material/delete:"):
            delete_dialog(id, error.what)
        return
    except SessionError as error:
        st.header(say("Session not found"), anchor=False)
        st.text(say_told(str(error)))
        return
    session_detail(session, report)


def _take_over(id: str) -> None:
    """Add the session of a trial to the others, where it can be looked into, if it is not there."""
    office = get_backend()
    try:
        office.sessions.call(lambda sessions: sessions.show_session(id))
    except NoSessionError:
        try:
            packed = asyncio.run(export_run(office.settings, id))
            office.sessions.call(lambda sessions: sessions.archive.import_zip(packed, trusted=True))
        except ForagerError as error:
            st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
    except SessionError:
        pass  # a damaged one is told as such
