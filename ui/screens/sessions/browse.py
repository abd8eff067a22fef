"""The list of sessions: searched, filtered by status, twenty at a time."""

import math
from collections.abc import Sequence
from itertools import count
from typing import Final

import streamlit as st

from graphs.sessions.service import Lined
from ui.parts.component import alone
from ui.screens.sessions.keep import take_in
from ui.screens.sessions.rows import ALL, FILTERS, counted, row, wanted
from ui.server.backend import get_backend as here
from ui.server.live.session_status import ACTIVE as GOING

PAGE: Final = 20
LOOK_SECONDS: Final = 2.0


def browse() -> None:
    """Choose one: its id stands in the address then."""
    with st.container(horizontal=True, vertical_alignment="center", key="top"):
        st.title("Sessions", anchor=False)
        if st.button("Import", icon=":material/upload:"):
            take_in()
    there = lines()
    if not there:
        st.caption("There are no sessions yet. Ask a question, and it is kept here.")
        return
    words = st.text_input(
        "Search",
        key="sought",
        placeholder="Search questions and answers",
        icon=":material/search:",
        label_visibility="collapsed",
    )
    status = _status(there)
    _rows(wanted(there, words, status), f"page-{status}-{words}")
    if any(item.status in GOING for item in there):
        _watch(_digest(there))


def lines() -> tuple[Lined, ...]:
    """All sessions, newest first."""
    return here().desk.call(lambda sessions: sessions.search())


def _status(there: Sequence[Lined]) -> str:
    counts = counted(there)
    chosen = st.pills(
        "Status",
        list(counts),
        format_func=lambda name: f"{FILTERS[name]} {counts[name]}",
        default=ALL,
        required=True,
        key="status",
        label_visibility="collapsed",
    )
    return chosen or ALL


def _rows(found: Sequence[Lined], key: str) -> None:
    if not found:
        st.caption("No session is like that.")
        return
    pages = math.ceil(len(found) / PAGE)
    page = min(st.session_state.get(key, 1), pages)
    shown = found[(page - 1) * PAGE : page * PAGE]
    alone(
        "rows",
        "rows",
        rows=[row(item, here().handbook) for item in shown],
        chosen=st.query_params.get("session", ""),
        on_chosen_change=_choose,
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        if pages > 1:
            st.pagination(pages, key=key, max_visible_pages=5)
        st.caption(f"{len(found):,} session{'' if len(found) == 1 else 's'}")


def _choose() -> None:
    st.query_params.clear()
    st.query_params["session"] = st.session_state["rows"]["chosen"]


def _digest(there: Sequence[Lined]) -> tuple[tuple[str, str], ...]:
    return tuple((item.line.id, item.status) for item in there)


def _watch(shown: tuple[tuple[str, str], ...]) -> None:
    """Draw the page anew when a session stands otherwise than it is shown."""
    looks = count()

    def look() -> None:
        if next(looks) and _digest(lines()) != shown:
            st.rerun()

    st.fragment(look, run_every=LOOK_SECONDS)()
