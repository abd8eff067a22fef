"""Saving a version, and what is done when another was saved meanwhile."""

import streamlit as st

from forager.errors import ForagerError, StaleError
from graphs.spec.diff import difference
from ui.parts.plain import escaped
from ui.parts.unbroken import unbroken
from ui.screens.graphs.changes import changes
from ui.screens.graphs.opened import Opened, drafts, keep_seat, library

STALE = "graph-stale"
NOTE = "graph-note"
ASKED = "graph-save-asked"


@unbroken()
def ask_to_save() -> None:
    """Let the page that is drawn next ask for a note."""
    st.session_state[ASKED] = True


@st.dialog("Save a version")
def save(now: Opened) -> None:
    """With a name, if it is new, and a note."""
    if now.faulty:
        st.caption("It has errors: it can be saved, and run once they are mended.")
    if now.draft and now.draft.typed:
        st.caption("The YAML cannot be read as it stands: what it was before is saved.")
    with st.form("save-graph", border=False):
        name = now.name if now.base else st.text_input("Name", now.name, max_chars=64)
        note = st.text_input(
            "Note", st.session_state.get(NOTE, ""), placeholder="What is different, and why"
        )
        pressed = st.form_submit_button("Save", type="primary")
    if not pressed or now.draft is None:
        return
    try:
        keep(now, name, note, now.base)
    except StaleError as error:
        st.session_state[STALE] = (now.draft.id, name, note, error.newest)
        st.rerun()
    except ForagerError as error:
        st.error(escaped(str(error)), icon=":material/cancel:")


def keep(now: Opened, name: str, note: str, base: int | None) -> None:
    """Save the draft, and stay on it. Raises ForagerError."""
    assert now.draft  # noqa: S101  # only what was changed is saved
    version = drafts().save(now.draft.id, name, note, base)
    st.session_state.pop(STALE, None)
    st.session_state.pop(NOTE, None)
    st.query_params["graph"] = version.name
    keep_seat()
    st.toast(f"Saved as version {version.number}.", icon=":material/check:")
    st.rerun()


def stale(now: Opened) -> None:
    """Tell of the version that was saved meanwhile, until one of the ways out is taken."""
    kept = st.session_state.get(STALE)
    if not now.draft or not kept or kept[0] != now.draft.id:
        return
    _, name, note, newest = kept
    with st.container(key="graph-stale", border=True):
        try:
            other = library().get(name, newest or None)
        except ForagerError as error:
            st.markdown(f"##### It was deleted meanwhile\n{escaped(str(error))}")
            other = None
        if other:
            by = f" by {other.author}" if other.author else ""
            said = f" (“{other.note}”)" if other.note else ""
            st.markdown("##### Somebody saved another version meanwhile")
            st.text(f"Version {other.number} of {other.name}{by}{said}. Yours is kept as a draft.")
            with st.expander("Compare: what yours has otherwise"):
                changes(difference(other.spec, now.whole), "stale")
        with st.container(horizontal=True):
            if other and st.button("Save mine on top", type="primary"):
                _again(now, name, note, other.number)
            if st.button("Save as a copy"):
                _again(now, drafts().free(name), note, None)
            if st.button("Go on editing", type="tertiary"):
                del st.session_state[STALE]
                st.rerun()


def _again(now: Opened, name: str, note: str, base: int | None) -> None:
    try:
        keep(now, name, note, base)
    except StaleError as error:
        assert now.draft  # noqa: S101  # there was one to be saved
        st.session_state[STALE] = (now.draft.id, name, note, error.newest)
        st.rerun()
    except ForagerError as error:
        st.error(escaped(str(error)), icon=":material/cancel:")
