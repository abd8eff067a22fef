"""The box at the foot of a run: steers it while it runs, and asks a follow-up after its end."""

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from forager.errors import ForagerError, UsageError
from graphs.sessions.service import Report, Session, Steer
from ui.server.backend import get_backend
from ui.server.live.session_status import ENDED
from ui.web.markdown import escape_markdown
from ui.web.screens.ask.ask_state import ask_state
from ui.web.tab_state import widget_value

FIELD = "said"


class Mode(NamedTuple):
    """A kind of message: what is asked for, the change that it makes, and how it is confirmed."""

    prompt: str
    change: Callable[[str], Steer]
    received: str


MODES = {
    "Hint": Mode(
        "Give a hint, e.g. where to look",
        lambda text: Steer(hint=text),
        "Hint received. Used from the next step.",
    ),
    "Add a site": Mode(
        "The address of another site to read",
        lambda text: Steer(sites=tuple(text.split())),
        "Site added. Used from the next step.",
    ),
    "Forbid": Mode(
        "A host, or the start of addresses, that must not be read",
        lambda text: Steer(forbid=tuple(text.split())),
        "Address forbidden. Obeyed from the next step.",
    ),
}
FIRST = "Hint"


def composer(session: Session, report: Report) -> None:
    """Draw it, with what became of the last message."""
    state = ask_state()
    with st.container(key="dock"):
        if text := state.take("unsent"):
            st.error(escape_markdown(text), icon=":material/cancel:")
        elif text := state.take("sent"):
            st.success(escape_markdown(text), icon=":material/check_circle:")
        with st.container(key="box", horizontal=True, vertical_alignment="center"):
            if report.status in ENDED:
                # In the place of the modes, so that one form takes that of the other.
                st.markdown(":material/subdirectory_arrow_right: Follow-up")
                prompt = "Ask about this answer"
                _message_form("Follow-up question", prompt, session.id)
            else:
                _steering_form(session.id)


def _steering_form(id: str) -> None:
    chosen = st.segmented_control(
        "What to tell the run",
        tuple(MODES),
        default=FIRST,
        required=True,
        key="way",
        label_visibility="collapsed",
    )
    mode = chosen or FIRST
    _message_form(mode, MODES[mode].prompt, id, mode)


def _message_form(label: str, prompt: str, id: str, mode: str = "") -> None:
    with (
        st.form("say", border=False),
        st.container(horizontal=True, vertical_alignment="center"),
    ):
        st.text_input(label, key=FIELD, placeholder=prompt, label_visibility="collapsed")
        st.form_submit_button(
            "Send" if mode else "Follow up",
            icon=":material/arrow_upward:",
            on_click=_send_message,
            args=(id, mode),
        )


def _send_message(id: str, mode: str) -> None:
    """Carry it out; a message that is refused stays in the field."""
    text = widget_value(FIELD, "")
    state = ask_state()
    try:
        if mode:
            _steer_run(id, mode, text)
            state.sent = MODES[mode].received
        else:
            get_backend().sessions.call(lambda to: to.follow(id, text))
            get_backend().run(id)
    except ForagerError as error:
        state.unsent = str(error)
        return
    st.session_state[FIELD] = ""


def _steer_run(id: str, mode: str, text: str) -> None:
    prompt, make_change, _ = MODES[mode]
    if not text.strip():
        raise UsageError("Nothing was written", f"{prompt}, then send it.")
    change = make_change(text)
    get_backend().sessions.call(lambda to: to.steering.steer(id, change))
