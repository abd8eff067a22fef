"""Beside a run: how it stands, what can be done with it, what it spent, and what it did."""

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from forager.errors import ForagerError
from graphs.sessions.service import Report, Session
from ui.parts.component import of_run
from ui.parts.plain import escaped
from ui.screens import sessions
from ui.screens.ask.exporting import exporting
from ui.screens.ask.raising import raising
from ui.server.backend import get_backend as here
from ui.server.live.merge_patch import Document
from ui.server.live.session_status import ACTIVE as GOING
from ui.server.live.session_status import ENDED, RESUMABLE

LEAVING = frozenset({"pause", "stop"})
"""What was asked of a run that leaves it: nothing more can be."""
Act = Callable[[str], None]


class Verb(NamedTuple):
    """A button, and the statuses in which it is there."""

    label: str
    icon: str
    when: frozenset[str]
    act: Act
    help: str


def rail(session: Session, report: Report, first: Document) -> None:
    """Status, buttons, meters and timeline; `first` is the view until the stream has begun."""
    id = session.id
    state = f"{report.status} {session.asked} {session.turn} {len(report.pleas)}"
    of_run("status", id, state=state, first=first, on_state_change=_again)
    with st.container(key="verbs", horizontal=True):
        for verb in VERBS:
            if report.status in verb.when:
                leaving = report.status in GOING and session.asked in LEAVING
                _button(verb, session.id, leaving=leaving)
    with st.container(key="more", horizontal=True):
        if report.status != "answered":
            raising(session, ended=report.status in ENDED)
        if report.answer:
            exporting(id)
        page = st.Page(sessions.page, title="Sessions", url_path="sessions")
        icon = ":material/fork_right:"
        st.page_link(page, label="History", icon=icon, query_params={"session": id})
    if fault := here().fault(id) or st.session_state.pop("refused", ""):
        st.error(escaped(fault))
    with st.container(key="meters"):
        of_run("meters", id, first=first)
    of_run("timeline", id)


def _again() -> None:
    """The status is another: the script runs anew."""


def _button(verb: Verb, id: str, *, leaving: bool) -> None:
    st.button(
        verb.label,
        key=f"{verb.label}-{id}",
        icon=verb.icon,
        help=verb.help,
        on_click=_do,
        args=(verb.act, id),
        width="stretch",
        disabled=leaving,
    )


def _do(act: Act, id: str) -> None:
    """What is refused is said below the buttons."""
    try:
        act(id)
    except ForagerError as error:
        st.session_state["refused"] = str(error)


def _pause(id: str) -> None:
    here().pause(id).result()


def _stop(id: str) -> None:
    here().stop(id)


def _resume(id: str) -> None:
    here().run(id)


VERBS = (
    Verb(
        "Pause",
        ":material/pause:",
        frozenset({"running"}),
        _pause,
        "Leave the run after its present step; it can go on at any time.",
    ),
    Verb(
        "Resume",
        ":material/play_arrow:",
        RESUMABLE,
        _resume,
        "Go on where it was. No page is fetched twice.",
    ),
    Verb(
        "Stop and answer",
        ":material/flag:",
        GOING | {"paused", "interrupted"},
        _stop,
        "End after the present step, and answer with what there is.",
    ),
)
