"""At the foot of a run: what is said to it while it runs, and asked after its end."""

import streamlit as st

from forager.errors import ForagerError
from graphs.sessions import Report, Session
from ui.parts.plain import escaped
from ui.screens.ask.rail import ENDED
from ui.server.office import here


def dock(session: Session, report: Report) -> None:
    """The follow-up box of a run that came to its end, and more budget for it."""
    if report.status not in ENDED:
        return
    with st.container(key="dock"):
        if text := st.session_state.pop("unsaid", ""):
            st.error(escaped(text), icon=":material/cancel:")
        with (
            st.form("follow", border=False),
            st.container(horizontal=True, vertical_alignment="center"),
        ):
            st.text_input(
                "Follow-up question",
                key="next",
                placeholder="Ask a follow-up: it knows what was found",
                label_visibility="collapsed",
            )
            st.form_submit_button(
                "Ask", icon=":material/arrow_upward:", on_click=_follow, args=(session.id,)
            )


def _follow(id: str) -> None:
    """Ask the follow-up; what cannot be asked stays as it was typed."""
    text = st.session_state["next"]
    try:
        here().desk.call(lambda to: to.follow(id, text))
    except ForagerError as error:
        st.session_state["unsaid"] = str(error)
        return
    here().run(id)
    st.session_state["next"] = ""
