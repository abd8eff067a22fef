"""The page Methods: the list of graphs, or the editor of the one that the address names."""

from collections.abc import Mapping
from contextlib import suppress

import streamlit as st

from forager.errors import ForagerError, GraphError
from graphs.check.checker import clear_fixes, mend_faults
from graphs.check.finding import Finding
from graphs.spec.edit import Fix
from graphs.spec.spec import line_numbers
from ui.web.components.canvas import DraftRun, canvas
from ui.web.components.code_editor import (
    code_editor,
    graph_schema,
    line_findings,
    text_fault,
)
from ui.web.markdown import escape_markdown
from ui.web.screens.graphs.conflict_card import conflict_card
from ui.web.screens.graphs.draft_run.draft_actions import run_again, shown_session
from ui.web.screens.graphs.draft_run.draft_panel import draft_panel, follow_panel
from ui.web.screens.graphs.editor_actions import (
    apply_all_fixes,
    apply_fix,
    apply_fix_at,
    begin_draft,
    catch_faults,
    enter_node,
    fold_nodes,
    leave_inner_graph,
    open_graph,
    receive_canvas,
    redo_change,
    request_save,
    select_parts,
    selected_parts,
    take_edit,
    undo_change,
    unfold_node,
)
from ui.web.screens.graphs.editor_state import editor_state
from ui.web.screens.graphs.editor_toolbar import editor_toolbar
from ui.web.screens.graphs.forms.graph_parameters import graph_parameters
from ui.web.screens.graphs.forms.node_form import node_form
from ui.web.screens.graphs.graph_list import graph_list
from ui.web.screens.graphs.graph_tables import graph_tables
from ui.web.screens.graphs.notices import copies_notice, draft_notice, other_tab_notice
from ui.web.screens.graphs.open_graph import OpenGraph, find_open_graph, graph_drafts
from ui.web.screens.graphs.version_list import compare_version, sign_parts, version_list
from ui.web.styles import apply_styles
from ui.web.words import say, say_count, say_told

HEIGHT = 900
"""Pixels that the canvas has at most."""
TEXT_HEIGHT = 560


def page() -> None:
    """Draw it; what the canvas sent is received first."""
    apply_styles("editor")
    state = editor_state()
    if version := st.query_params.pop("version", ""):
        state.against = version
    state.address.exchange()
    try:
        receive_canvas()
        now = _find_drawn_graph()
    except ForagerError as error:
        _show_missing(error)
        return
    state.address.announce()
    follow_panel(now)
    if now:
        _show_editor(now, state.take_seat(now.version.number if now.version else 0))
    else:
        graph_list()


def _find_drawn_graph() -> OpenGraph | None:
    """The graph that the address names; the one around it if there is none inside."""
    now = find_open_graph(newest=True)
    try:
        if now:
            _ = now.spec
    except GraphError as error:
        if not (now and now.path):
            raise
        state = editor_state()
        state.fault = str(error)
        state.address.set("inside", "")
        return find_open_graph(newest=True)
    return now


def _show_missing(error: ForagerError) -> None:
    st.title(say("Method not found"), anchor=False)
    st.markdown(escape_markdown(say_told(str(error))))
    st.button(say("All methods"), icon=":material/arrow_back:", on_click=open_graph)


def _show_editor(now: OpenGraph, seat: int) -> None:
    """The toolbar, the graph in one of three views, and beside it the selected node."""
    st.set_page_config(page_title=f"{now.name} · Forager")
    with st.container(key="editor"):
        view = editor_toolbar(now, lambda: _finding_rows(now, {}, "bar-"))
        if fault := editor_state().fault:
            st.error(escape_markdown(say_told(fault)), icon=":material/cancel:")
        conflict_card(now)
        other_tab_notice(now)
        draft_notice(now)
        if now.path:
            _path_bar(now)
        with st.container(key="graph-body"):
            with st.container(key="graph-main"):
                if view == "Canvas":
                    _canvas_view(now)
                elif view == "Tables":
                    graph_tables(now, seat)
                    _finding_list(now)
                else:
                    _text_view(now)
            if not editor_state().side_hidden:
                _side(now)


def _side(now: OpenGraph) -> None:
    """The run, the versions, and the selected node or the whole graph."""
    with st.container(key="graph-side"):
        draft_panel(now)
        copies_notice(now)
        version_list(now, node=any(each in now.spec.nodes for each in selected_parts(now.spec)))
        with st.container(key="graph-sheet"):
            node_form(now)
        graph_parameters(now)


def _path_bar(now: OpenGraph) -> None:
    with st.container(key="graph-inside", horizontal=True, vertical_alignment="center"):
        icon = ":material/arrow_upward:"
        st.button(say("Back to the outer method"), icon=icon, on_click=leave_inner_graph)
        st.markdown(say("Inside **{path}**", path=escape_markdown(" / ".join(now.path))))


def _canvas_view(now: OpenGraph) -> None:
    found = compare_version(now)
    canvas(
        now.spec,
        now.revision,
        editor_state().canvas_key(),
        registry=now.types,
        findings=now.findings,
        diff=sign_parts(found, now.path) if found else None,
        selected=selected_parts(now.spec),
        height=HEIGHT,
        on_edit=take_edit,
        on_selected=select_parts,
        on_undo=undo_change,
        on_redo=redo_change,
        on_save=request_save,
        on_open=enter_node,
        on_fix=apply_fix_at,
        on_fold=fold_nodes,
        on_unfold=unfold_node,
        run=_shown_run(now),
        on_again=run_again,
    )
    _finding_list(now)


def _shown_run(now: OpenGraph) -> DraftRun | None:
    """The run of the draft that is shown on the drawing."""
    session = shown_session(now)
    return DraftRun(session, now.path, now.whole if now.path else None) if session else None


def _text_view(now: OpenGraph) -> None:
    """The graph as YAML; comments are kept whatever is changed elsewhere."""
    unreadable = now.draft.typed if now.draft else ""
    lines = _number_lines(now)
    code_editor(
        f"graph-yaml-{editor_state().seat}",
        unreadable or now.text,
        say("YAML"),
        _write_text,
        kind="yaml",
        height=TEXT_HEIGHT,
        schema=graph_schema(now.types),
        findings=text_fault(unreadable) if unreadable else list(line_findings(now.findings, lines)),
    )
    if unreadable:
        st.caption(say("This cannot be read. The canvas shows the last text that could be read."))
    else:
        st.caption(say("Applied when you leave the field or press Ctrl+Enter."))
        _finding_list(now, lines)


def _number_lines(now: OpenGraph) -> dict[str, int]:
    try:
        return line_numbers(now.text)
    except GraphError:
        return {}


def _write_text(text: str) -> None:
    with catch_faults():
        graph_drafts().apply_text(begin_draft(), text)


def _finding_list(now: OpenGraph, lines: Mapping[str, int] | None = None) -> None:
    """The list; with the lines of the text where that is shown."""
    with st.container(key="graph-findings"):
        with st.container(horizontal=True, vertical_alignment="center", key="findings-head"):
            st.header(say("Findings"), anchor=False)
            st.caption(_count_findings(now.findings))
            fixes = _clear_fixes(now)
            if len(fixes) > 1 and not now.path:
                st.button(
                    say("Mend all {n}", n=len(fixes)),
                    icon=":material/build:",
                    help="\n".join(f"- {escape_markdown(say_told(fix.label))}" for fix in fixes),
                    on_click=apply_all_fixes,
                )
        _mended_row(now)
        _finding_rows(now, lines or {})


def _clear_fixes(now: OpenGraph) -> tuple[Fix, ...]:
    """What *Mend all* would do: some fixes make others needless, or a guess."""
    if len(clear_fixes(now.findings)) < 2:  # noqa: PLR2004  # one has its own button
        return ()
    with suppress(GraphError):
        return mend_faults(now.whole, now.types, now.earlier)[1]
    return ()


def _mended_row(now: OpenGraph) -> None:
    """What *Mend all* did, with a button that takes all of it back, until the next change."""
    mended = editor_state().mended
    if mended is None or now.draft is None or mended.revision != now.draft.revision:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="findings-mended"):
        st.badge(say("Mended"), icon=":material/build:", color="green")
        st.markdown("; ".join(escape_markdown(say_told(each)) for each in mended.labels) + ".")
        st.button(say("Undo"), icon=":material/undo:", key="undo-mended", on_click=undo_change)


def _finding_rows(now: OpenGraph, lines: Mapping[str, int], prefix: str = "") -> None:
    named = {f"{prefix}finding-{each.at}-{each.message}": each for each in now.findings}
    for name, finding in named.items():
        _finding_row(now, name, finding, lines.get(finding.at))


def _count_findings(found: tuple[Finding, ...]) -> str:
    if not found:
        return say("None. The method can run and ends within its budget.")
    errors = sum(each.severity == "error" for each in found)
    warnings = len(found) - errors
    counts = [say_count(errors, "{n} error", "{n} errors")] if errors else []
    counts += [say_count(warnings, "{n} warning", "{n} warnings")] if warnings else []
    runs = (
        say("A method with errors can be saved, but not run.")
        if errors
        else say("The method can run.")
    )
    return f"{', '.join(counts)}. {runs}"


def _finding_row(now: OpenGraph, name: str, finding: Finding, line: int | None) -> None:
    """Named for its text: by the time a click arrives, its number may be another finding's."""
    with st.container(horizontal=True, vertical_alignment="center", key=name):
        if finding.severity == "error":
            st.badge(say("Error"), icon=":material/cancel:", color="red")
        else:
            st.badge(say("Warning"), icon=":material/warning:", color="orange")
        place = finding.at.partition("/")[0]
        if place in now.spec.nodes or place in map(str, now.spec.edges):
            st.button(
                escape_markdown(finding.at),
                type="tertiary",
                key=f"{name}-show",
                help=say("Show it"),
                on_click=select_parts,
                args=((place,),),
            )
        # An arrow of two signs would be drawn as one.
        mend = escape_markdown(say_told(finding.mend)).replace("\\>", "\u2060\\>")
        where = say("Line {number}:", number=line) + " " if line else ""
        for number, fix in enumerate(finding.fixes):
            label = escape_markdown(say_told(fix.label))
            key = f"{name}-mend{number or ''}"
            st.button(
                say("or: {choice}", choice=label) if number else label,
                key=key,
                on_click=apply_fix,
                args=(fix,),
            )
        others = escape_markdown(say_told(finding.others)).replace("\\>", "\u2060\\>")
        told = " ".join(filter(None, (mend, others)))
        st.markdown(f"{where}{escape_markdown(say_told(finding.message))} :gray[{told}]")
