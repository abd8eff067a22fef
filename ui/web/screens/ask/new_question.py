"""The header of every page: the way to an empty start form, and the list of shortcuts."""

import streamlit as st

from ui.web.components.component import mount_part
from ui.web.screens.ask.ask_state import ask_state
from ui.web.screens.ask.start_form import clear_form
from ui.web.tab_state import go_to
from ui.web.words import say


def header_buttons() -> None:
    """A new question, over the logo and with the key `n`, and the shortcuts; placed by page.css."""
    with st.container(key="home"):
        st.button(say("Forager, new question"), key="home-button", on_click=_request_form)
    with st.container(key="new"):
        st.button(
            say("New question"),
            key="new-button",
            icon=":material/add:",
            shortcut="n",
            on_click=_request_form,
        )
    with st.container(key="keys"):
        mount_part("shortcuts", "shortcuts")


def open_requested_form(chosen: st.Page, ask: st.Page) -> None:
    """Leave the page that is open, and empty the form, if a button asked for that."""
    state = ask_state()
    if not state.form_requested:
        return
    clear_form()
    state.emptied += 1
    state.focus_requested = True
    state.form_requested = False
    if chosen != ask:
        st.switch_page(ask)


def _request_form() -> None:
    ask_state().form_requested = True
    go_to()
