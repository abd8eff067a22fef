"""The editor: the bar, the graph in one of three views, and beside it what is chosen."""

import streamlit as st

from ui.canvas import canvas
from ui.parts.plain import escaped
from ui.screens.graphs.bar import bar
from ui.screens.graphs.changes import signs
from ui.screens.graphs.findings import findings, mend_at
from ui.screens.graphs.folding import folded, unfolded
from ui.screens.graphs.node import node
from ui.screens.graphs.opened import (
    FAULT,
    Opened,
    canvas_key,
    choose,
    chosen,
    enter,
    leave,
    redo,
    seat,
    take,
    undo,
)
from ui.screens.graphs.saving import ask_to_save, stale
from ui.screens.graphs.tables import tables
from ui.screens.graphs.text import text
from ui.screens.graphs.versions import compared, versions

HEIGHT = 640


def editing(now: Opened) -> None:
    """Draw all of it."""
    number = seat()
    with st.container(key="editor"):
        view = bar(now)
        if fault := st.session_state.get(FAULT):
            st.error(escaped(fault), icon=":material/cancel:")
        stale(now)
        if now.path:
            with st.container(key="graph-inside", horizontal=True, vertical_alignment="center"):
                st.button("Out of it", icon=":material/arrow_upward:", on_click=leave)
                st.markdown(f"Inside **{escaped(' / '.join(now.path))}**")
        with st.container(key="graph-body"):
            with st.container(key="graph-main"):
                if view == "Canvas":
                    _canvas(now, number)
                elif view == "Tables":
                    tables(now, number)
                    findings(now)
                else:
                    text(now)
            with st.container(key="graph-side"):
                node(now)
                versions(now)


def _canvas(now: Opened, number: int) -> None:
    found = compared(now)
    canvas(
        now.spec,
        now.revision,
        canvas_key(number),
        registry=now.types,
        findings=now.findings,
        diff=signs(found, now.path) if found else None,
        selected=chosen(now.spec),
        height=HEIGHT,
        on_edit=take,
        on_selected=choose,
        on_undo=undo,
        on_redo=redo,
        on_save=ask_to_save,
        on_open=enter,
        on_fix=mend_at,
        on_fold=folded,
        on_unfold=unfolded,
    )
    findings(now)
