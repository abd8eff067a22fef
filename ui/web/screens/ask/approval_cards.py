"""Cards for the approval requests of a run, with what each needs to be decided."""

import streamlit as st

from forager.errors import SessionError
from graphs.reports.stored_pages import read_picture
from graphs.sessions.service import ApprovalRow, Session
from ui.cli.printing.terminal_text import strip_controls
from ui.server.backend import get_backend
from ui.web.components.component import mount_part
from ui.web.markdown import escape_markdown
from ui.web.screens.ask.ask_state import ask_state
from ui.web.words import later, say, say_told

TITLES = {"approve": later("Allow this action?"), "take over": later("A person is needed here")}
YES = {"approve": later("Approve"), "take over": later("Done, continue")}
NO = {"approve": later("Refuse"), "take over": later("Give up")}
HELP = {
    "approve": later(
        "The run waits for your answer. If you refuse, it looks for another way. If you pause "
        "it, it asks again when you resume."
    ),
    "take over": later(
        "A person can get past this in the browser window, where one is shown "
        "(FORAGER_HEADED). The run waits until you answer. If you give up, it looks for another "
        "way."
    ),
}


def approval_cards(session: Session) -> None:
    """A card for each request that waits for an answer."""
    waiting = get_backend().sessions.call(lambda to: to.approval_requests(session.id))
    for place, asked in enumerate(waiting):
        with st.container(key=f"plea-{asked.id}"):
            _approval_card(session.id, asked, f"decision-{place}")


def _approval_card(id: str, asked: ApprovalRow, key: str) -> None:
    """What is asked and the buttons, in a container of this key, which ask.css places."""
    request = asked.plea
    st.header(say(TITLES[request.kind]), anchor=False)
    st.markdown(f"**{escape_markdown(say_told(request.what))}**")
    if request.why:
        st.markdown(f":material/report: {escape_markdown(say_told(request.why))}")
    if request.url:
        st.caption(escape_markdown(request.url))
    with st.container(key=key, horizontal=True):
        for label, yes in ((say(YES[request.kind]), True), (say(NO[request.kind]), False)):
            st.button(
                label,
                key=f"{yes}-{asked.id}",
                on_click=_answer_request,
                args=(id, asked.id),
                kwargs={"yes": yes},
                type="primary" if not yes else "secondary",
                icon=":material/check:" if yes else ":material/block:",
            )
    st.caption(say(HELP[request.kind]))
    mount_part("in_view", f"in-view-{asked.id}")
    if request.picture and (screenshot := read_picture(get_backend().settings, request.picture)):
        st.image(
            screenshot,
            caption=say("The page now, with its controls framed"),
            alt=say(
                "The page in the browser before this: {what}", what=strip_controls(request.what)
            ),
        )


def _answer_request(id: str, request: str, *, yes: bool) -> None:
    try:
        get_backend().sessions.call(lambda to: to.decide(id, request, yes=yes))
    except SessionError as error:
        ask_state().refused = str(error)
