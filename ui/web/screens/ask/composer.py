"""The box at the foot of a run: steers it while it runs, and asks a follow-up after its end."""

import re
from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from forager.errors import ForagerError, UsageError
from graphs.sessions.service import Report, Session, Steer
from ui.server.backend import get_backend
from ui.server.live.session_status import ENDED
from ui.web.components.component import mount_part
from ui.web.markdown import escape_markdown
from ui.web.screens.ask.ask_state import ask_state
from ui.web.tab_state import widget_value
from ui.web.words import later, say, say_told

FIELD = "said"
BETWEEN = re.compile(r"[,;]?\s+")
ADDRESS_LIKE = re.compile(r"[./:]|^localhost$")


def _split_addresses(text: str) -> tuple[str, ...]:
    """The addresses of a text; all of it where none of its words looks like one."""
    pieces = tuple(BETWEEN.split(text.strip()))
    return pieces if any(map(ADDRESS_LIKE.search, pieces)) else (text.strip(),)


class Mode(NamedTuple):
    """A kind of message: what is asked for, the change that it makes, and how it is confirmed."""

    prompt: str
    change: Callable[[str], Steer]
    received: str


MODES = {
    later("Hint"): Mode(
        later("Give a hint, e.g. where to look"),
        lambda text: Steer(hint=text),
        later("Hint received. Used from the next step."),
    ),
    later("Add a site"): Mode(
        later("The address of another site to read"),
        lambda text: Steer(sites=_split_addresses(text)),
        later("Site added. Used from the next step."),
    ),
    later("Forbid"): Mode(
        later("A host or the start of an address that must not be read"),
        lambda text: Steer(forbid=_split_addresses(text)),
        later("Address forbidden. Applies from the next step."),
    ),
}
FIRST = "Hint"
TOLD_SECONDS = 6
"""How long it is told that a message was received; the timeline keeps what was said."""
TYPED = ".st-key-box textarea"


def composer(session: Session, report: Report) -> None:
    """Draw it, with what became of the last message; that it was received outlasts reruns.

    A run that failed is not told anything.
    """
    if report.status == "failed":
        return
    state = ask_state()
    with st.container(key="dock"):
        with st.container(key="top"):
            mount_part("to_top", "to-top")
        with st.container(key="enter"):
            mount_part("enter_sends", "enter-sends", selector=TYPED)
        if text := state.take("unsent"):
            st.error(escape_markdown(say_told(text)), icon=":material/cancel:")
        elif text := state.take("sent"):
            icon = ":material/check_circle:"
            st.toast(escape_markdown(say_told(text)), icon=icon, duration=TOLD_SECONDS)
        with st.container(key="box", horizontal=True, vertical_alignment="center"):
            if report.status in ENDED:
                # In the place of the modes, so that one form takes that of the other.
                st.markdown(f":material/subdirectory_arrow_right: {say('Follow-up')}")
                prompt = say("Ask about this answer")
                if not report.answer:
                    prompt = say("Ask another question of the same sites")
                _message_form(say("Follow-up question"), prompt, session.id)
            else:
                _steering_form(session.id)


def _steering_form(id: str) -> None:
    chosen = st.segmented_control(
        say("What to tell the run"),
        tuple(MODES),
        format_func=say,
        default=FIRST,
        required=True,
        key="way",
        label_visibility="collapsed",
    )
    mode = chosen or FIRST
    _message_form(say(mode), say(MODES[mode].prompt), id, mode)


def _message_form(label: str, prompt: str, id: str, mode: str = "") -> None:
    with (
        st.form("say", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        st.text_area(
            label, key=FIELD, placeholder=prompt, height="content", label_visibility="collapsed"
        )
        st.form_submit_button(
            say("Send") if mode else say("Follow up"),
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
            state.sent = say(MODES[mode].received)
        else:
            get_backend().sessions.call(lambda to: to.follow(id, text))
            get_backend().run(id)
    except ForagerError as error:
        state.unsent = str(error)
        return
    st.session_state[FIELD] = ""


def _steer_run(id: str, mode: str, text: str) -> None:
    make_change = MODES[mode].change
    if not text.strip():
        raise UsageError(say("Nothing was written."), say("Write something, then send it."))
    change = make_change(text)
    get_backend().sessions.call(lambda to: to.steering.steer(id, change))
