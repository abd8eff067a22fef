"""The way to an empty start form, in the header of every page."""

import streamlit as st

from ui.web.screens.ask.ask_state import ask_state
from ui.web.screens.ask.start_form import clear_form
from ui.web.tab_state import go_to


def new_question_buttons() -> None:
    """One over the logo, and one with a label and the key `n`; page.css puts both in the header."""
    with st.container(key="home"):
        st.button("Forager, new question", key="home-button", on_click=_request_form)
    with st.container(key="new"):
        st.button(
            "New question",
            key="new-button",
            icon=":material/add:",
            shortcut="n",
            on_click=_request_form,
        )


def open_requested_form(chosen: st.Page, ask: st.Page) -> None:
    """Leave the page that is open, and empty the form, if a button asked for that."""
    state = ask_state()
    if not state.form_requested:
        return
    state.form_requested = False
    clear_form()
    if chosen != ask:
        st.switch_page(ask)


def _request_form() -> None:
    ask_state().form_requested = True
    go_to()
