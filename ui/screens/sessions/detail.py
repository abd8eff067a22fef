"""One session: how it stands, what can be done with it, and what is kept of it."""

from collections.abc import Callable, Mapping
from typing import Final

import streamlit as st

from graphs.sessions import Report, Session
from ui.parts.component import of_run
from ui.screens.places import ask_page
from ui.screens.sessions.export import export
from ui.screens.sessions.keep import delete
from ui.screens.sessions.past import past
from ui.screens.sessions.pinned import pinned
from ui.server.office import here

RESUMABLE: Final = frozenset({"interrupted", "failed"})
DELETE: Final = "Delete…"


def detail(session: Session) -> None:
    """Head and tabs."""
    report = here().desk.call(lambda sessions: sessions.show(session.id))
    with st.container(key="back"):
        st.button("All sessions", icon=":material/arrow_back:", type="tertiary", on_click=_let_go)
    of_run("brief", session.id, status=report.status, on_status_change=lambda: None)
    _buttons(session, report)
    tabs = st.tabs(list(TABS), key="tab", on_change="rerun")
    for tab, show in zip(tabs, TABS.values(), strict=True):
        if tab.open:
            with tab:
                show(session, report)


def _buttons(session: Session, report: Report) -> None:
    with st.container(horizontal=True, key="verbs"):
        st.page_link(ask_page(), label="Open", query_params={"session": session.id})
        if report.status in RESUMABLE and st.button("Resume", icon=":material/play_arrow:"):
            here().run(session.id)
            st.rerun()
        if st.menu_button("More", [DELETE], width=90) == DELETE:
            delete(session)
    if fault := here().fault(session.id):
        st.text(fault)


def _let_go() -> None:
    st.query_params.clear()


def _answer(session: Session, report: Report) -> None:
    of_run("answer", session.id, key=f"answer-of-{session.id}")


def _evidence(session: Session, report: Report) -> None:
    of_run("ledger", session.id, key=f"ledger-of-{session.id}")


Show = Callable[[Session, Report], None]
TABS: Final[Mapping[str, Show]] = {
    "History": past,
    "Answer": _answer,
    "Evidence": _evidence,
    "Graph": pinned,
    "Export": export,
}
