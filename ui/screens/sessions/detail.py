"""One session: how it stands, what can be done with it, and what is kept of it."""

from collections.abc import Callable, Mapping
from typing import Final

import streamlit as st

from graphs.sessions.service import Line, Report, Session
from ui.parts.component import of_run
from ui.screens.places import ask_page
from ui.screens.sessions.beside import named
from ui.screens.sessions.browse import lines
from ui.screens.sessions.export import export
from ui.screens.sessions.keep import delete, rename
from ui.screens.sessions.past import past
from ui.screens.sessions.pinned import pinned
from ui.server.backend import get_backend as here
from ui.server.live.session_status import RESUMABLE
from ui.server.live.session_status import display_status as stands


def detail(session: Session, report: Report) -> None:
    """Head and tabs."""
    with st.container(key="back"):
        st.button("All sessions", icon=":material/arrow_back:", type="tertiary", on_click=_let_go)
    of_run(
        "brief",
        session.id,
        title=session.title,
        status=report.status,
        first=_first(session, report),
        on_status_change=lambda: None,
    )
    _buttons(session, report)
    tabs = st.tabs(list(TABS), key="tab", on_change="rerun")
    for tab, show in zip(tabs, TABS.values(), strict=True):
        if tab.open:
            with tab:
                show(session, report)


def _first(session: Session, report: Report) -> dict[str, object]:
    """Of the view what the head draws, to be there before the stream is."""
    spent = report.spent
    used = {"pages": spent.actions, "dollars": spent.usd, "seconds": spent.seconds}
    return {
        "title": session.title,
        "session": {
            "question": session.question.text,
            "status": report.status,
            "stands": stands(report.status, report.answer),
            "graph": session.graph,
            "model": session.model,
        },
        "spend": {name: {"used": value} for name, value in used.items()},
    }


def _buttons(session: Session, report: Report) -> None:
    with st.container(horizontal=True, key="verbs"):
        st.page_link(ask_page(), label="Open", query_params={"session": session.id})
        if report.status in RESUMABLE and st.button("Resume", icon=":material/play_arrow:"):
            here().run(session.id)
            st.rerun()
        _compare(session)
        if st.button("Rename", type="tertiary"):
            rename(session)
        if st.button("Delete", type="tertiary"):
            delete(session)
    if fault := here().fault(session.id):
        st.text(fault)


def _compare(session: Session) -> None:
    """Another session to lay beside it; its own forks first."""
    key = f"compare-{session.id}"
    popover = st.popover("Compare", icon=":material/compare:", key=key, on_change="rerun")
    if not popover.open:
        return
    others = {each.line.id: each.line for each in lines() if each.line.id != session.id}
    with popover, st.form(f"with-{session.id}", border=False):
        other = st.selectbox(
            "With",
            sorted(others, key=lambda id: not _kin(session, others[id])),
            format_func=lambda id: named(others[id]),
        )
        if st.form_submit_button("Lay side by side", disabled=not others) and other:
            st.query_params["with"] = other
            st.rerun()


def _kin(session: Session, other: Line) -> bool:
    """Is one of them a fork of the other?"""
    return other.forked_from == session.id or other.id == session.forked_from


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
