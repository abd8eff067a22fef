"""What a run asks the person behind it, with what that person sees and may answer."""

import streamlit as st

from forager.errors import SessionError
from graphs.reports.stored_pages import picture
from graphs.sessions.service import Asked, Session
from ui.cli.printing.terminal_text import strip_controls as clean
from ui.parts.plain import escaped
from ui.server.backend import get_backend as here

TITLES = {"approve": "May this be done?", "take over": "Only a person can go on here"}
YES = {"approve": "Approve", "take over": "It is passed, go on"}
NO = {"approve": "Refuse", "take over": "Give up"}
PATIENCE = {
    "approve": "Nothing is done until you answer, and the run waits for as long as that takes. "
    "Refused, it looks for another way. Paused, it asks again when it goes on.",
    "take over": "A person can pass it in the browser where that is shown (FORAGER_HEADED). "
    "The run waits for as long as nobody answers; given up, it looks for another way.",
}


def pleas(session: Session) -> None:
    """A card for each plea that waits."""
    for asked in here().desk.call(lambda to: to.pleas(session.id)):
        with st.container(key=f"plea-{asked.id}"):
            _card(session.id, asked)


def _card(id: str, asked: Asked) -> None:
    plea = asked.plea
    st.subheader(TITLES[plea.kind], anchor=False)
    st.markdown(f"**{escaped(plea.what)}**")
    if plea.why:
        st.markdown(f":material/report: {escaped(plea.why)}")
    if plea.url:
        st.caption(escaped(plea.url))
    if plea.picture and (shown := picture(here().settings, plea.picture)):
        st.image(
            shown,
            caption="The page as it stands, what can be used in it framed",
            alt=f"The page in the browser before this: {clean(plea.what)}",
        )
    with st.container(horizontal=True):
        for label, yes in ((YES[plea.kind], True), (NO[plea.kind], False)):
            st.button(
                label,
                key=f"{yes}-{asked.id}",
                on_click=_decide,
                args=(id, asked.id),
                kwargs={"yes": yes},
                type="primary" if not yes else "secondary",
                icon=":material/check:" if yes else ":material/block:",
            )
    st.caption(PATIENCE[plea.kind])


def _decide(id: str, plea: str, *, yes: bool) -> None:
    try:
        here().desk.call(lambda to: to.decide(id, plea, yes=yes))
    except SessionError as error:
        st.session_state["refused"] = str(error)
