"""Dialogs that forget parts of the memory, and one that rebuilds it."""

from collections.abc import Sequence

import streamlit as st

from forager.errors import ForagerError
from ui.server.backend import get_backend
from ui.server.pending_deletions import UNDO_SECONDS, Forgetting
from ui.web.components.confirmation import confirm_loss, hold_while_read
from ui.web.components.dialog import dialog
from ui.web.screens.memory.memory_items import list_items, use_memory
from ui.web.words import later, say, say_count, say_told

REFRESH_SECONDS = 2.0
FOR_GOOD = later("This cannot be undone, not even by rebuilding the memory.")


@dialog(later("Forget this?"))
def forget_dialog(ids: Sequence[str], name: str = "") -> None:
    """Forget an item, by the IDs of all that it was learned as; `name` says what it is about."""
    if name:
        st.text(name)
    if len(ids) > 1:
        st.text(say("It was learned {n} times, and is forgotten as a whole.", n=len(ids)))
    _tell_undo()
    if confirm_loss(say("Forget")):
        _forget_later(ids, name)


@dialog(later("Forget this site?"))
def forget_site_dialog(site: str, count: int) -> None:
    """Forget everything that was learned about a site."""
    st.text(
        say_count(count, "{n} item learned on {site}.", "{n} items learned on {site}.", site=site)
    )
    _tell_undo()
    if confirm_loss(say("Forget")):
        _forget_later([id for item in list_items() if item.host == site for id in item.ids], site)


@dialog(later("Forget everything?"))
def forget_all_dialog(count: int) -> None:
    """Forget all items."""
    _warn(say_count(count, "{n} item.", "{n} items."))
    if confirm_loss(say("Forget everything")):
        _forget_all()


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


def _tell_undo() -> None:
    """For how long it can be undone."""
    st.text(say("You can undo this for {n} seconds, and not later.", n=round(UNDO_SECONDS)))


def _forget_later(ids: Sequence[str], name: str) -> None:
    get_backend().forgets.ask(Forgetting(tuple(ids), name))
    st.rerun()


def undo_bars() -> None:
    """What was forgotten in the last seconds, each with a button that brings it back."""
    forgets = get_backend().forgets
    waiting = forgets.waiting()
    with st.container(key="deletions"):
        for forgetting in waiting:
            place = forgetting.ids[0]
            with st.container(key=f"undo-{place}", horizontal=True, vertical_alignment="center"):
                st.text(say("Forgotten: {name}", name=forgetting.name))
                if st.button(say("Undo"), key=f"undo-delete-{place}"):
                    forgets.undo(forgetting)
                    st.rerun()
    hold_while_read(forgets)
    if waiting:
        _refresh_after(waiting)


@st.fragment(run_every=REFRESH_SECONDS)
def _refresh_after(shown: tuple[Forgetting, ...]) -> None:
    """Draw the page again when something of this cannot be undone any more."""
    if get_backend().forgets.waiting() != shown:
        st.rerun()


def _forget_all() -> None:
    try:
        use_memory(lambda known: known.forget(all=True))
    except ForagerError as error:
        st.text(say_told(str(error)))
        return
    st.rerun()
