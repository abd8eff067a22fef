"""What is asked before anything is forgotten."""

from collections.abc import Sequence

import streamlit as st

from forager.errors import ForagerError
from graphs.reports.events import plural
from ui.screens.memory.items import with_memory

FOR_GOOD = "What is forgotten does not come back, not even when the memory is rebuilt."


@st.dialog("Forget these?")
def forget_chosen(ids: Sequence[str]) -> None:
    """Some things, by their ids."""
    st.text(f"{plural(len(ids), 'thing')}. {FOR_GOOD}")
    if st.button("Forget", type="primary"):
        _forget(ids=ids)


@st.dialog("Forget this site?")
def forget_site(site: str, count: int) -> None:
    """All that was learned on a site."""
    st.text(f"{plural(count, 'thing')} learned on {site}. {FOR_GOOD}")
    if st.button("Forget", type="primary"):
        _forget(site=site)


@st.dialog("Forget everything?")
def forget_all(count: int) -> None:
    """All there is."""
    st.text(f"{plural(count, 'thing')}. {FOR_GOOD}")
    if st.button("Forget everything", type="primary"):
        _forget(all=True)


@st.dialog("Rebuild the memory?")
def rebuild() -> None:
    """From the sessions that are kept."""
    st.text("It is cleared and learned again from the sessions that are kept.")
    if not st.button("Rebuild", type="primary"):
        return
    bar = st.progress(0.0, "Reading the sessions")

    def progress(done: int, all: int) -> None:
        bar.progress(done / max(all, 1), f"{done} of {all} sessions")

    try:
        kept = with_memory(lambda known: known.rebuild(progress))
    except ForagerError as error:
        st.text(str(error))
        return
    for note in kept.notes:
        st.text(note)
    learned = plural(kept.episodes + kept.snippets, "thing")
    st.text(f"{learned} restored from {plural(kept.sessions, 'session')}.")


def _forget(ids: Sequence[str] = (), site: str = "", *, all: bool = False) -> None:
    try:
        with_memory(lambda known: known.forget(ids, site, all=all))
    except ForagerError as error:
        st.text(str(error))
        return
    st.rerun()
