"""The list of sessions: searched, filtered by status and tags, twenty at a time."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

import streamlit as st

from forager.errors import SessionError
from graphs.sessions.service import ListedLine
from graphs.system.batch.batch_run import is_row_session
from ui.server.backend import get_backend
from ui.server.live.session_status import ACTIVE
from ui.server.pending_deletions import Deletion, PendingDeletions
from ui.web.components.component import mount_part
from ui.web.components.confirmation import hold_while_read
from ui.web.markdown import escape_markdown
from ui.web.screens.sessions.session_dialogs import import_dialog
from ui.web.screens.sessions.session_rows import (
    ALL,
    FILTERS,
    Filter,
    count_statuses,
    count_tags,
    session_row,
)
from ui.web.tab_state import go_to, tab_object, widget_value
from ui.web.words import local_number, say, say_count, say_told

PAGE: Final = 20
REFRESH_SECONDS: Final = 2.0


def session_list() -> None:
    """Draw it; the address names the session that is chosen."""
    with st.container(horizontal=True, vertical_alignment="center", key="top"):
        st.title(say("Sessions"), anchor=False)
        if st.button(say("Import"), icon=":material/upload:"):
            import_dialog()
    _change_pin()
    _undo_bars()
    found = list_sessions()
    sessions = _without_rows(found)
    rows = sum(is_row_session(item.line.id) for item in found)
    if sessions:
        _filtered_list(sessions)
    else:
        st.caption(say("No sessions yet. Ask a question, and its session is kept here."))
    _batch_toggle(rows)
    if get_backend().deletions.waiting() or any(item.status in ACTIVE for item in sessions):
        _refresh_on_change(_what_changes(sessions))


def list_sessions() -> tuple[ListedLine, ...]:
    """All sessions but those that are being deleted, newest first."""
    office = get_backend()
    hidden = office.deletions.hidden()
    found = office.sessions.call(lambda sessions: sessions.list_rated())
    return tuple(item for item in found if item.line.id not in hidden)


def _without_rows(found: tuple[ListedLine, ...]) -> tuple[ListedLine, ...]:
    """The sessions to list: rows of batches, which may be thousands, only if they are wanted."""
    if widget_value("batch-rows-too"):
        return found
    return tuple(item for item in found if not is_row_session(item.line.id))


def _batch_toggle(rows: int) -> None:
    """The choice to list the rows of batches, too; the page Batch has them by batch."""
    if rows:
        label = say_count(rows, "Also {n} row of batches", "Also {n} rows of batches")
        st.toggle(label, key="batch-rows-too")


def _undo_bars() -> None:
    """What was deleted in the last seconds, each with a button that brings it back."""
    deletions = get_backend().deletions
    with st.container(key="deletions"):
        for deletion in deletions.waiting():
            _undo_bar(deletion, deletions)
    hold_while_read(deletions)


def _undo_bar(deletion: Deletion, deletions: PendingDeletions) -> None:
    with st.container(key=f"undo-{deletion.id}", horizontal=True, vertical_alignment="center"):
        st.text(say("Deleted “{name}”", name=deletion.name))
        if st.button(say("Undo"), key=f"undo-delete-{deletion.id}"):
            if deletions.undo(deletion.id):
                st.query_params.from_dict({"session": deletion.id})
            st.rerun()


def _filtered_list(sessions: Sequence[ListedLine]) -> None:
    """The fields of the search, and what they let through."""
    wanted = Filter(
        st.text_input(
            say("Search"),
            key="sought",
            placeholder=say("Search questions, answers and tags"),
            icon=":material/search:",
            label_visibility="collapsed",
            live=True,
        ),
        widget_value("status") or ALL,
        tuple(widget_value("tags") or ()),
    )
    matching = wanted._replace(status=ALL).choose(sessions)
    _status_filter(count_statuses(matching, wanted.status))
    found = matching if wanted.status == ALL else wanted.choose(matching)
    _tag_filter(count_tags(found, wanted.tags))
    if found:
        _page_of_rows(found, f"page-{wanted}", len(sessions))
        return
    words = wanted.words.strip()
    st.caption(
        say("No sessions match “{words}”.", words=words) if words else say("No sessions match.")
    )


def _status_filter(counts: Mapping[str, int]) -> None:
    st.pills(
        say("Status"),
        list(counts),
        format_func=lambda name: f"{say(FILTERS[name])} {local_number(counts[name])}",
        default=ALL,
        required=True,
        key="status",
        label_visibility="collapsed",
    )


def _tag_filter(counts: Mapping[str, int]) -> None:
    if counts:
        st.pills(
            say("Tags"),
            list(counts),
            format_func=lambda tag: f"{escape_markdown(tag)} {counts[tag]}",
            selection_mode="multi",
            key="tags",
            label_visibility="collapsed",
        )


def _page_of_rows(found: Sequence[ListedLine], key: str, all: int) -> None:
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
        st.caption(_count_shown(len(found), all))


def _count_shown(found: int, all: int) -> str:
    return (
        say_count(all, "{n} session", "{n} sessions")
        if found == all
        else say("{found} of {all} sessions", found=found, all=all)
    )


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
        st.toast(say_told(str(error)))


def _what_changes(sessions: Sequence[ListedLine]) -> tuple[object, ...]:
    """What the list shows that changes by itself: statuses, and what can be undone."""
    statuses = ((item.line.id, item.status) for item in sessions)
    return (*statuses, *get_backend().deletions.waiting())


def _refresh_on_change(shown: tuple[object, ...]) -> None:
    """Redraw the page when something of this changes."""
    looks = count()

    def look() -> None:
        if next(looks) and _what_changes(_without_rows(list_sessions())) != shown:
            st.rerun()

    st.fragment(look, run_every=REFRESH_SECONDS)()
