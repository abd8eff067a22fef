"""Dialogs that forget parts of the memory, and one that rebuilds it."""

from collections.abc import Sequence

import streamlit as st

from forager.errors import ForagerError
from graphs.reports.events import format_count
from ui.web.screens.memory.memory_items import use_memory

FOR_GOOD = "This cannot be undone, not even by rebuilding the memory."


@st.dialog("Forget these?")
def forget_dialog(ids: Sequence[str]) -> None:
    """Forget some items."""
    st.text(f"{format_count(len(ids), 'item')}. {FOR_GOOD}")
    if st.button("Forget", type="primary"):
        _forget_items(ids=ids)


@st.dialog("Forget this site?")
def forget_site_dialog(site: str, count: int) -> None:
    """Forget everything that was learned about a site."""
    st.text(f"{format_count(count, 'item')} learned on {site}. {FOR_GOOD}")
    if st.button("Forget", type="primary"):
        _forget_items(site=site)


@st.dialog("Forget everything?")
def forget_all_dialog(count: int) -> None:
    """Forget all items."""
    st.text(f"{format_count(count, 'item')}. {FOR_GOOD}")
    if st.button("Forget everything", type="primary"):
        _forget_items(all=True)


@st.dialog("Rebuild the memory?")
def rebuild_dialog() -> None:
    """Learn again from the sessions that are kept."""
    st.text("The memory is cleared, and learned again from the sessions that are kept.")
    if not st.button("Rebuild", type="primary"):
        return
    bar = st.progress(0.0, "Reading the sessions")

    def show_progress(done: int, all: int) -> None:
        bar.progress(done / max(all, 1), f"{done} of {all} sessions")

    try:
        kept = use_memory(lambda known: known.rebuild(show_progress))
    except ForagerError as error:
        st.text(str(error))
        return
    for note in kept.notes:
        st.text(note)
    learned = format_count(kept.episodes + kept.snippets, "item")
    st.text(f"{learned} restored from {format_count(kept.sessions, 'session')}.")


def _forget_items(ids: Sequence[str] = (), site: str = "", *, all: bool = False) -> None:
    try:
        use_memory(lambda known: known.forget(ids, site, all=all))
    except ForagerError as error:
        st.text(str(error))
        return
    st.rerun()
