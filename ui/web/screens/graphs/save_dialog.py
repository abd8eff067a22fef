"""Saving a version with a note."""

from contextlib import suppress

import streamlit as st

from forager.errors import ForagerError, StaleError
from graphs.spec.library import Version, fit_name
from ui.web.components.dialog import dialog
from ui.web.markdown import escape_markdown
from ui.web.screens.graphs.editor_state import StaleSave, editor_state
from ui.web.screens.graphs.open_graph import OpenGraph, graph_drafts, graph_library
from ui.web.tab_state import widget_value
from ui.web.words import later, say, say_told

NAME_FIELD = "graph-new-name"


def ask_to_save(now: OpenGraph) -> None:
    """Ask for a note; or show the newer version at once, if there is one."""
    newest = 0
    with suppress(ForagerError):  # it was deleted, which is said when it is saved
        newest = graph_library().get(now.name).number if now.base else 0
    if now.draft and newest > (now.base or 0):
        state = editor_state()
        state.stale = StaleSave(now.draft.id, now.name, state.note, newest)
    else:
        save_dialog(now)


@dialog(later("Save a version"))
def save_dialog(now: OpenGraph) -> None:
    """Ask for a note, and for a name if the graph is new."""
    if now.has_errors:
        st.caption(say("The method has errors: it can be saved, and run once they are fixed."))
    if now.draft and now.draft.typed:
        st.caption(
            say("The YAML cannot be read as it is; the last text that could be read is saved.")
        )
    with st.form("save-graph", border=False):
        name = now.name if now.base else name_field(now.name)
        note = note_field(editor_state().note)
        pressed = name_button(say("Save"))
    if pressed and now.draft is not None:
        save_version(now, name, note, now.base)


def name_field(name: str) -> str:
    """A field for the name of a graph, in a form with `name_button`; what it says."""
    st.session_state.setdefault(NAME_FIELD, name)
    return st.text_input(say("Name"), key=NAME_FIELD, max_chars=64)


def name_button(label: str) -> bool:
    """Whether the form was sent with a name that a graph can have.

    Any other name is replaced in the field by the nearest that one can have, if there is one.
    """
    pressed = st.form_submit_button(label, type="primary", on_click=_fit_name)
    state = editor_state()
    if not (unfit := state.unfit_name):
        return pressed
    state.unfit_name = ""
    text = say(
        "A method cannot be called “{name}”. Press “{button}” again to call it “{fit}”.",
        name=unfit,
        button=label,
        fit=widget_value(NAME_FIELD),
    )
    st.info(escape_markdown(text), icon=":material/edit:")
    return False


def _fit_name() -> None:
    name = widget_value(NAME_FIELD, "")
    fit = fit_name(name)
    if fit and fit != name:
        editor_state().unfit_name = name
        st.session_state[NAME_FIELD] = fit


def note_field(note: str) -> str:
    """A field for the note of a version; what it says."""
    return st.text_input(say("Note"), note, placeholder=say("What is different, and why"))


def save_version(now: OpenGraph, name: str, note: str, base: int | None) -> None:
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


def describe_origin(version: Version) -> str:
    """Who saved a version and why, in brackets, as far as that is known."""
    note = say_told(f"“{version.note}”") if version.note else ""
    known = ", ".join(filter(None, (version.author, note)))
    return f" ({known})" if known else ""
