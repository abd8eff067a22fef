"""Saving a version, and what another tab, person or program saved in the meantime."""

from contextlib import suppress

import streamlit as st

from forager.errors import ForagerError, StaleError
from graphs.spec.diff import compare_specs
from graphs.spec.library import Version
from ui.web.markdown import escape_markdown
from ui.web.screens.graphs.editor_actions import open_graph
from ui.web.screens.graphs.editor_state import StaleSave, editor_state
from ui.web.screens.graphs.open_graph import OpenGraph, graph_drafts, graph_library
from ui.web.screens.graphs.version_list import difference_list
from ui.web.words import dialog, later, say, say_told

REFRESH_SECONDS = 3.0


@dialog(later("Save a version"))
def save_dialog(now: OpenGraph) -> None:
    """Ask for a note, and for a name if the graph is new."""
    if now.has_errors:
        st.caption(say("The graph has errors: it can be saved, and run once they are fixed."))
    if now.draft and now.draft.typed:
        st.caption(
            say("The YAML cannot be read as it is; the last text that could be read is saved.")
        )
    with st.form("save-graph", border=False):
        name = now.name if now.base else st.text_input(say("Name"), now.name, max_chars=64)
        note = st.text_input(
            say("Note"), editor_state().note, placeholder=say("What is different, and why")
        )
        pressed = st.form_submit_button(say("Save"), type="primary")
    if pressed and now.draft is not None:
        _save_version(now, name, note, now.base)


def _save_version(now: OpenGraph, name: str, note: str, base: int | None) -> None:
    """Save the draft and stay on it, or show why that is not possible."""
    assert now.draft  # noqa: S101  # only what was changed is saved
    state = editor_state()
    try:
        version = graph_drafts().save(now.draft.id, name, note, base)
    except StaleError as error:
        state.stale = StaleSave(now.draft.id, name, note, error.newest)
        st.rerun()
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
        return
    state.stale = None
    state.note = ""
    state.address.go(version.name, now.draft.id, state.address.get("inside"))
    state.keep_seat()
    st.toast(say("Saved as version {number}.", number=version.number), icon=":material/check:")
    st.rerun()


def stale_notice(now: OpenGraph) -> None:
    """Show the version that was saved in the meantime, until the person chooses what to do."""
    stale = editor_state().stale
    if not now.draft or not stale or stale.draft != now.draft.id:
        return
    with st.container(key="graph-stale", border=True):
        try:
            other = graph_library().get(stale.name, stale.newest or None)
        except ForagerError as error:
            title = say("It was deleted in the meantime")
            st.markdown(f"##### {title}\n{escape_markdown(say_told(str(error)))}")
            other = None
        if other:
            st.markdown("##### " + say("Another version was saved in the meantime"))
            text = say(
                "Version {number} of {graph}{about}. Yours is kept as a draft.",
                number=other.number,
                graph=other.name,
                about=_describe_origin(other),
            )
            st.text(text)
            with st.expander(say("Compare: what is different in yours"), expanded=True):
                difference_list(compare_specs(other.spec, now.whole), "stale")
        with st.container(horizontal=True):
            if st.button(say("Save as a copy"), type="primary"):
                _save_version(now, graph_drafts().unused_name(stale.name), stale.note, None)
            if other and st.button(say("Save mine on top")):
                _save_version(now, stale.name, stale.note, other.number)
            if st.button(say("Keep editing"), type="tertiary"):
                editor_state().stale = None
                editor_state().kept_after = stale.newest
                st.rerun()


def _describe_origin(version: Version) -> str:
    """Who saved a version and why, in brackets, as far as that is known."""
    note = f"“{version.note}”" if version.note else ""
    known = ", ".join(filter(None, (version.author, note)))
    return f" ({known})" if known else ""


@st.fragment(run_every=REFRESH_SECONDS)
def other_tab_notice(now: OpenGraph) -> None:
    """A notice with a button, so that nothing changes under a person's hands."""
    with suppress(ForagerError):  # it was deleted, which is said when it is saved
        if now.draft and graph_drafts().get(now.draft.id).revision != now.draft.revision:
            if _notice(say("This draft was changed in another tab."), say("Show it")):
                st.rerun()
        elif newer := _newer_version(now):
            text = say(
                "Version {number} of {graph} was saved in another tab{about}.",
                number=newer.number,
                graph=newer.name,
                about=_describe_origin(newer),
            )
            label = say("Compare with mine") if now.is_changed else say("Show it")
            if _notice(text, label):
                _take_up(now, newer)
                st.rerun()


def _newer_version(now: OpenGraph) -> Version | None:
    """The newest version, if it is newer than that of the tab, and not told of yet."""
    state = editor_state()
    if not now.base or (state.stale and now.draft and state.stale.draft == now.draft.id):
        return None
    newest = graph_library().get(now.name)
    return newest if newest.number > max(now.base, state.kept_after) else None


def _notice(text: str, label: str) -> bool:
    """Draw it; was the button pressed?"""
    with st.container(key="graph-elsewhere", horizontal=True, vertical_alignment="center"):
        st.badge(say("Changed elsewhere"), icon=":material/sync:", color="blue")
        st.text(text)
        return st.button(label, key="graph-elsewhere-show")


def _take_up(now: OpenGraph, newer: Version) -> None:
    state = editor_state()
    if now.draft and now.is_changed:
        state.stale = StaleSave(now.draft.id, now.name, state.note, newer.number)
    elif now.draft:
        open_graph(now.name)
