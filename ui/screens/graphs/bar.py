"""The bar above a graph: what it is, how it stands, and what can be done with it."""

from typing import Final

import streamlit as st

from ui.parts.plain import escaped
from ui.screens.graphs.more import more
from ui.screens.graphs.opened import Opened, go, redo, undo
from ui.screens.graphs.saving import ASKED, ask_to_save, save
from ui.screens.graphs.trying import try_dialog
from ui.screens.places import ask_page

VIEWS: Final = ("Canvas", "Tables", "YAML")
SHORT: Final = 6


def bar(now: Opened) -> str:
    """Draw it; the view that is chosen."""
    with st.container(key="graph-bar", horizontal=True, vertical_alignment="center"):
        st.button(
            "Graphs", key="all-graphs", icon=":material/arrow_back:", type="tertiary", on_click=go
        )
        st.title(escaped(now.name), anchor=False)
        _standing(now)
        st.space("stretch")
        draft = now.draft
        st.button(
            "Undo",
            icon=":material/undo:",
            type="tertiary",
            disabled=not (draft and draft.undo),
            on_click=undo,
            key="graph-undo",
        )
        st.button(
            "Redo",
            icon=":material/redo:",
            type="tertiary",
            disabled=not (draft and draft.redo),
            on_click=redo,
            key="graph-redo",
        )
        view = st.segmented_control(
            "View",
            VIEWS,
            default=VIEWS[0],
            required=True,
            key="graph-view",
            label_visibility="collapsed",
        )
        _try(now)
        _run(now)
        st.button(
            "Save version",
            type="primary",
            key="graph-save",
            disabled=not now.changed,
            help=None if now.changed else "Nothing was changed.",
            on_click=ask_to_save,
        )
        more(now)
    if st.session_state.pop(ASKED, False) and now.changed:
        save(now)
    return view or VIEWS[0]


def _standing(now: Opened) -> None:
    with st.container(key="graph-standing", horizontal=True, vertical_alignment="center"):
        if now.kind == "preset":
            st.badge("preset", color="gray", help="It is copied as soon as you change it.")
        elif now.origin:
            st.badge(f"copy of {escaped(now.origin)}", color="gray")
        st.markdown(f"`{now.whole.hash[:SHORT]}`")
        if now.changed:
            st.badge("Not saved", icon=":material/contrast:", color="orange")
        elif now.base:
            st.badge(f"Saved, v{now.base}", icon=":material/check_circle:", color="green")


def _try(now: Opened) -> None:
    """To the dialog that holds it against another: as drawn, where it is not saved."""
    pressed = st.button(
        "Try two versions",
        icon=":material/balance:",
        type="tertiary",
        disabled=now.faulty,
        help="Mend the errors first." if now.faulty else None,
        key="graph-try",
    )
    if not pressed:
        return
    saved = f"{now.name}@{now.base}" if now.base else now.origin
    before = f"{now.name}@{now.base - 1}" if now.base and now.base > 1 else now.origin
    if now.changed:
        try_dialog((f"{now.name}, as drawn", now.whole), saved)
    else:
        try_dialog(now.name, before)


def _run(now: Opened) -> None:
    """To the form that asks, with this graph chosen; a button that says why not, else."""
    why = (
        "Mend the errors first: a graph with errors can be saved, not run."
        if now.faulty
        else "Save a version first: a run pins it."
        if now.changed
        else ""
    )
    if why:
        st.button("Run", icon=":material/play_arrow:", disabled=True, help=why, key="graph-run")
        return
    st.page_link(
        ask_page(), label="Run", icon=":material/play_arrow:", query_params={"graph": now.name}
    )
