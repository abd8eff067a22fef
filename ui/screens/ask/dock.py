"""At the foot of a run: what is said to it while it runs, and asked after its end."""

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from forager.errors import ForagerError, UsageError
from graphs.sessions.service import Report, Session, Steer
from ui.parts.plain import escaped
from ui.server.backend import get_backend as here
from ui.server.live.session_status import ENDED

FIELD = "said"


class Way(NamedTuple):
    """A way to steer: what is asked for, and the change that an answer makes."""

    ask: str
    change: Callable[[str], Steer]


WAYS = {
    "Hint": Way("Tell it something it should know", lambda text: Steer(hint=text)),
    "Add a site": Way(
        "The address of a site to read too", lambda text: Steer(sites=tuple(text.split()))
    ),
    "Forbid": Way(
        "A host, or how addresses begin, not to be read",
        lambda text: Steer(forbid=tuple(text.split())),
    ),
}
FIRST = "Hint"


def dock(session: Session, report: Report) -> None:
    """The box of a run: it steers what is under way, and follows up what came to its end."""
    with st.container(key="dock"):
        if text := st.session_state.pop("unsaid", ""):
            st.error(escaped(text), icon=":material/cancel:")
        elif text := st.session_state.pop("taken", ""):
            st.success(escaped(text), icon=":material/check_circle:")
        with st.container(key="box", horizontal=True, vertical_alignment="center"):
            if report.status in ENDED:
                st.empty()  # in the place of the ways, so that one form takes that of the other
                _form("Follow-up question", "Ask a follow-up: it knows what was found", session.id)
            else:
                _steering(session.id)


def _steering(id: str) -> None:
    named = st.segmented_control(
        "What to tell the run",
        tuple(WAYS),
        default=FIRST,
        required=True,
        key="way",
        label_visibility="collapsed",
    )
    way = named or FIRST
    _form(way, WAYS[way].ask, id, way)


def _form(label: str, placeholder: str, id: str, way: str = "") -> None:
    with (
        st.form("say", border=False),
        st.container(horizontal=True, vertical_alignment="center"),
    ):
        st.text_input(label, key=FIELD, placeholder=placeholder, label_visibility="collapsed")
        st.form_submit_button(
            "Tell it" if way else "Ask",
            icon=":material/arrow_upward:",
            on_click=_said,
            args=(id, way),
        )


def _said(id: str, way: str) -> None:
    """Do what was said; what cannot be done stays as it was typed."""
    text = st.session_state[FIELD]
    try:
        if way:
            if not text.strip():
                raise UsageError("Nothing was written", f"{WAYS[way].ask}, then send it.")
            change = WAYS[way].change(text)
            here().desk.call(lambda to: to.steer(id, change))
            st.session_state["taken"] = f"Taken up at its next step: {change.told()}"
        else:
            here().desk.call(lambda to: to.follow(id, text))
            here().run(id)
    except ForagerError as error:
        st.session_state["unsaid"] = str(error)
        return
    st.session_state[FIELD] = ""
