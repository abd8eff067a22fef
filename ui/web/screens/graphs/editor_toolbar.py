"""The toolbar above a graph: what it is, whether it is saved, and what can be done with it."""

from collections.abc import Callable
from typing import Final

import streamlit as st

from ui.web.graph_names import name_graph
from ui.web.markdown import escape_markdown
from ui.web.page_links import refer_to_page
from ui.web.screens.graphs.draft_run.draft_actions import toggle_panel
from ui.web.screens.graphs.editor_actions import (
    open_graph,
    redo_change,
    request_save,
    undo_change,
)
from ui.web.screens.graphs.editor_state import editor_state
from ui.web.screens.graphs.experiment_dialog import experiment_dialog
from ui.web.screens.graphs.graph_menu import graph_menu
from ui.web.screens.graphs.open_graph import OpenGraph
from ui.web.screens.graphs.save_dialog import ask_to_save
from ui.web.words import later, say, say_count

VIEWS: Final = (later("Canvas"), later("Tables"), later("YAML"))
SHORT: Final = 6


def editor_toolbar(now: OpenGraph, draw_findings: Callable[[], None]) -> str:
    """Draw it; the view that is chosen."""
    with st.container(key="graph-bar", horizontal=True, vertical_alignment="center"):
        icon = ":material/arrow_back:"
        st.button(say("Methods"), key="all-graphs", icon=icon, type="tertiary", on_click=open_graph)
        st.title(escape_markdown(name_graph(now.shown_name)), anchor=False)
        _status_badges(now)
        _findings_button(now, draw_findings)
        st.space("stretch")
        _undo_buttons(now)
        view = st.segmented_control(
            say("View"),
            VIEWS,
            format_func=say,
            default=VIEWS[0],
            required=True,
            key="graph-view",
            label_visibility="collapsed",
        )
        _experiment_button(now)
        _draft_button()
        _run_link(now)
        st.button(
            say("Save version"),
            type="primary",
            key="graph-save",
            disabled=not now.is_changed,
            help=None if now.is_changed else say("There are no changes to save."),
            on_click=request_save,
        )
        graph_menu(now)
        _side_button()
    state = editor_state()
    if state.save_requested:
        state.save_requested = False
        if now.is_changed:
            ask_to_save(now)
    return view or VIEWS[0]


def _status_badges(now: OpenGraph) -> None:
    with st.container(key="graph-standing", horizontal=True, vertical_alignment="center"):
        if now.is_as_shipped:
            st.badge(
                say("Shipped with Forager"),
                color="gray",
                help=say("Your first change makes a copy of it."),
            )
        elif now.origin:
            st.badge(say("copy of {origin}", origin=escape_markdown(now.origin)), color="gray")
        st.markdown(f"`{now.whole.hash[:SHORT]}`")
        if now.is_changed:
            st.badge(say("Not saved"), icon=":material/contrast:", color="orange")
        elif now.base:
            st.badge(
                say("Saved, v{number}", number=now.base),
                icon=":material/check_circle:",
                color="green",
            )


def _findings_button(now: OpenGraph, draw_findings: Callable[[], None]) -> None:
    """The number of findings, in sight however small the window is; it opens them."""
    if not now.findings:
        return
    errors = sum(each.severity == "error" for each in now.findings)
    warnings = len(now.findings) - errors
    text = (
        say_count(errors, "{n} error", "{n} errors")
        if errors
        else say_count(warnings, "{n} warning", "{n} warnings")
    )
    icon = ":material/cancel:" if errors else ":material/warning:"
    with st.popover(text, icon=icon, key="graph-found"):
        draw_findings()


def _undo_buttons(now: OpenGraph) -> None:
    draft = now.draft
    st.button(
        say("Undo"),
        icon=":material/undo:",
        type="tertiary",
        help=say("Undo (Ctrl+Z)"),
        disabled=not (draft and draft.undo),
        on_click=undo_change,
        key="graph-undo",
    )
    st.button(
        say("Redo"),
        icon=":material/redo:",
        type="tertiary",
        help=say("Redo (Ctrl+Y)"),
        disabled=not (draft and draft.redo),
        on_click=redo_change,
        key="graph-redo",
    )


def _experiment_button(now: OpenGraph) -> None:
    """Opens the dialog that compares it with another graph: as it is drawn, if it is not saved."""
    pressed = st.button(
        say("Try two versions"),
        icon=":material/balance:",
        type="tertiary",
        disabled=now.has_errors,
        help=say("Fix the errors first.")
        if now.has_errors
        else say("Asks two methods, or two versions of this one, the same questions."),
        key="graph-try",
    )
    if not pressed:
        return
    saved = f"{now.name}@{now.base}" if now.base else now.origin
    before = f"{now.name}@{now.base - 1}" if now.base and now.base > 1 else now.origin
    if now.is_changed:
        experiment_dialog((say("{graph}, as drawn", graph=name_graph(now.name)), now.whole), saved)
    else:
        experiment_dialog(now.name, before)


def _draft_button() -> None:
    """Shows the panel that runs the graph as it is drawn."""
    st.button(
        say("Run here"),
        icon=":material/bug_report:",
        type="tertiary",
        help=say("Runs the method as it is drawn, without saving it."),
        key="graph-run-here",
        on_click=toggle_panel,
    )


def _side_button() -> None:
    """Folds the column beside the drawing away, or brings it back."""
    hidden = editor_state().side_hidden
    st.button(
        say("Show the panel") if hidden else say("Hide the panel"),
        icon=":material/right_panel_open:" if hidden else ":material/right_panel_close:",
        type="tertiary",
        help=say("The selected node, the versions and the parameters."),
        key="graph-side-fold",
        on_click=_fold_side,
    )


def _fold_side() -> None:
    state = editor_state()
    state.side_hidden = not state.side_hidden


def _run_link(now: OpenGraph) -> None:
    """A link to the start form with this graph chosen; if it cannot run, a button that says why."""
    icon = ":material/play_arrow:"
    why = (
        say("Fix the errors first: a method with errors can be saved, but not run.")
        if now.has_errors
        else say("Save a version first: a run is pinned to one.")
        if now.is_changed
        else ""
    )
    if why:
        st.button(say("Run"), icon=icon, disabled=True, help=why, key="graph-run")
        return
    link = {"graph": now.name}
    st.page_link(refer_to_page("ask"), label=say("Run"), icon=icon, query_params=link)
