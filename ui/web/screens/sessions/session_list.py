"""The list of sessions: searched, filtered by status, twenty at a time."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

import streamlit as st

from forager.errors import SessionError
from graphs.reports.events import format_count
from graphs.sessions.service import ListedLine
from ui.server.backend import get_backend
from ui.server.live.session_status import ACTIVE
from ui.web.components.component import mount_part
from ui.web.screens.sessions.session_dialogs import import_dialog
from ui.web.screens.sessions.session_rows import (
    ALL,
    FILTERS,
    count_statuses,
    filter_sessions,
    session_row,
)
from ui.web.tab_state import go_to, tab_object, widget_value

PAGE: Final = 20
REFRESH_SECONDS: Final = 2.0


def session_list() -> None:
    """Draw it; the address names the session that is chosen."""
    with st.container(horizontal=True, vertical_alignment="center", key="top"):
        st.title("Sessions", anchor=False)
        if st.button("Import", icon=":material/upload:"):
            import_dialog()
    _change_pin()
    sessions = list_sessions()
    if not sessions:
        st.caption("No sessions yet. Ask a question, and its session is kept here.")
        return
    words = st.text_input(
        "Search",
        key="sought",
        placeholder="Search questions and answers",
        icon=":material/search:",
        label_visibility="collapsed",
    )
    status = _status_filter(sessions)
    found = filter_sessions(sessions, words, status)
    if found:
        _page_of_rows(found, f"page-{status}-{words}")
    else:
        st.caption(f"No sessions match “{words}”." if words.strip() else "No sessions match.")
    if any(item.status in ACTIVE for item in sessions):
        _refresh_on_change(_statuses(sessions))


def list_sessions() -> tuple[ListedLine, ...]:
    """All sessions, newest first."""
    return get_backend().sessions.call(lambda sessions: sessions.listing.search())


def _status_filter(sessions: Sequence[ListedLine]) -> str:
    counts = count_statuses(sessions)
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


def _page_of_rows(found: Sequence[ListedLine], key: str) -> None:
    pages = math.ceil(len(found) / PAGE)
    page = min(st.session_state.get(key, 1), pages)
    shown = found[(page - 1) * PAGE : page * PAGE]
    mount_part(
        "session_list",
        "rows",
        rows=[session_row(item, get_backend().own_sites) for item in shown],
        chosen=st.query_params.get("session", ""),
        on_chosen_change=_open_chosen,
        on_pin_change=_note_pin,
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        if pages > 1:
            st.pagination(pages, key=key, max_visible_pages=5)
        st.caption(format_count(len(found), "session"))


def _open_chosen() -> None:
    go_to(session=widget_value("rows")["chosen"])


@dataclass
class _Pin:
    """The session whose pin was clicked, and whether it is to be pinned."""

    id: str = ""
    pinned: bool = False


def _note_pin() -> None:
    wanted, clicked = tab_object(_Pin), widget_value("rows")["pin"]
    wanted.id, wanted.pinned = clicked["id"], clicked["pinned"]


def _change_pin() -> None:
    """Pin or unpin the session whose pin was clicked, if any."""
    wanted = tab_object(_Pin)
    id, wanted.id = wanted.id, ""
    if not id:
        return
    try:
        get_backend().sessions.call(lambda to: to.listing.pin(id, pinned=wanted.pinned))
    except SessionError as error:
        st.toast(f"{error.what} {error.mend}")


def _statuses(sessions: Sequence[ListedLine]) -> tuple[tuple[str, str], ...]:
    return tuple((item.line.id, item.status) for item in sessions)


def _refresh_on_change(shown: tuple[tuple[str, str], ...]) -> None:
    """Redraw the page when the status of a session changes."""
    looks = count()

    def look() -> None:
        if next(looks) and _statuses(list_sessions()) != shown:
            st.rerun()

    st.fragment(look, run_every=REFRESH_SECONDS)()
