"""What is done with a graph as a whole: exported, copied, renamed, deleted."""

import streamlit as st

from forager.errors import ForagerError
from ui.parts.plain import escaped
from ui.screens.graphs.opened import Opened, drafts, go, library, said


def more(now: Opened) -> None:
    """The menu."""
    with st.popover("More", icon=":material/more_vert:", key="graph-more"):
        st.download_button(
            "Export YAML",
            data=now.text,
            file_name=f"{now.name}.yaml",
            mime="application/yaml",
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
        )
        st.button(
            "Make a copy",
            icon=":material/content_copy:",
            type="tertiary",
            on_click=_copy,
            args=(now,),
        )
        if now.base and st.button("Rename…", icon=":material/edit:", type="tertiary"):
            _rename(now)
        if now.base and st.button("Delete…", icon=":material/delete:", type="tertiary"):
            _delete(now)
        if now.draft and now.changed:
            st.button(
                "Throw the changes away…",
                icon=":material/close:",
                type="tertiary",
                on_click=lambda: st.session_state.update({"throw-away": True}),
            )
    if now.draft and st.session_state.pop("throw-away", False):
        _throw_away(now)


def _copy(now: Opened) -> None:
    with said():
        name = drafts().free(f"{now.name}-copy")
        draft = drafts().begin(name, now.text, origin=_reference(now))
        go(draft.name, draft.id)


def _reference(now: Opened) -> str:
    return f"{now.name}@{now.base}" if now.base else now.origin or now.name


@st.dialog("Rename this graph")
def _rename(now: Opened) -> None:
    """With all its versions."""
    with st.form("rename-graph", border=False):
        name = st.text_input("Name", now.name, max_chars=64)
        pressed = st.form_submit_button("Rename", type="primary")
    if now.changed:
        st.caption("What is not saved stays in the draft.")
    if not pressed or name == now.name:
        return
    try:
        version = library().rename(now.name, name)
        if now.draft:
            drafts().rebased(now.draft.id, version)
    except ForagerError as error:
        st.error(escaped(str(error)), icon=":material/cancel:")
        return
    go(version.name, now.draft.id if now.draft else "")
    st.rerun()


@st.dialog("Delete this graph?")
def _delete(now: Opened) -> None:
    st.text(f"{now.name}, with all its versions. Sessions that ran it keep their own copy.")
    if st.button("Delete for good", type="primary"):
        try:
            library().delete(now.name)
            if now.draft:
                drafts().delete(now.draft.id)
        except ForagerError as error:
            st.error(escaped(str(error)), icon=":material/cancel:")
            return
        go()
        st.rerun()


@st.dialog("Throw the changes away?")
def _throw_away(now: Opened) -> None:
    st.text("All that is not saved goes, and cannot be undone. Saved versions stay.")
    if now.draft and st.button("Throw away", type="primary"):
        drafts().delete(now.draft.id)
        go(now.name if now.base else "")
        st.rerun()
