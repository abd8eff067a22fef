"""Dialogs that forget parts of the memory, and one that rebuilds it."""

from collections.abc import Sequence

import streamlit as st

from forager.errors import ForagerError
from ui.web.components.confirmation import confirm_loss
from ui.web.components.dialog import dialog
from ui.web.screens.memory.memory_items import use_memory
from ui.web.words import later, say, say_count, say_told

FOR_GOOD = later("This cannot be undone, not even by rebuilding the memory.")


@dialog(later("Forget these?"))
def forget_dialog(ids: Sequence[str], name: str = "") -> None:
    """Forget some items; `name` says what the first is about."""
    if name:
        st.text(name)
    _warn(say_count(len(ids), "{n} item.", "{n} items."))
    if confirm_loss(say("Forget")):
        _forget_items(ids=ids)


@dialog(later("Forget this site?"))
def forget_site_dialog(site: str, count: int) -> None:
    """Forget everything that was learned about a site."""
    _warn(
        say_count(count, "{n} item learned on {site}.", "{n} items learned on {site}.", site=site)
    )
    if confirm_loss(say("Forget")):
        _forget_items(site=site)


@dialog(later("Forget everything?"))
def forget_all_dialog(count: int) -> None:
    """Forget all items."""
    _warn(say_count(count, "{n} item.", "{n} items."))
    if confirm_loss(say("Forget everything")):
        _forget_items(all=True)


@dialog(later("Rebuild the memory?"))
def rebuild_dialog() -> None:
    """Learn again from the sessions that are kept."""
    st.text(say("The memory is cleared, and learned again from the sessions that are kept."))
    if not confirm_loss(say("Rebuild")):
        return
    bar = st.progress(0.0, say("Reading the sessions"))

    def show_progress(done: int, all: int) -> None:
        bar.progress(done / max(all, 1), say("{done} of {all} sessions", done=done, all=all))

    try:
        kept = use_memory(lambda known: known.rebuild(show_progress))
    except ForagerError as error:
        st.text(say_told(str(error)))
        return
    for note in kept.notes:
        st.text(say_told(note))
    learned = say_count(kept.episodes + kept.snippets, "{n} item", "{n} items")
    text = say_count(
        kept.sessions,
        "{learned} restored from {n} session.",
        "{learned} restored from {n} sessions.",
        learned=learned,
    )
    st.text(text)


def _warn(count: str) -> None:
    """How many items there are, and that they are gone for good."""
    st.text(f"{count} {say(FOR_GOOD)}")


def _forget_items(ids: Sequence[str] = (), site: str = "", *, all: bool = False) -> None:
    try:
        use_memory(lambda known: known.forget(ids, site, all=all))
    except ForagerError as error:
        st.text(say_told(str(error)))
        return
    st.rerun()
