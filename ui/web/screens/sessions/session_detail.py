"""One session: its status, what can be done with it, and what is kept of it."""

import re
from collections.abc import Callable, Mapping
from typing import Final

import streamlit as st

from graphs.exchange.mermaid import draw_mermaid
from graphs.reports.exports.document import session_title
from graphs.sessions.service import Report, Session
from graphs.spec.spec import GraphSpec, graph_of
from ui.server.backend import get_backend
from ui.server.live.session_status import ACTIVE, RESUMABLE
from ui.server.live.step_names import is_named, step_names
from ui.web.components.component import mount_run_part
from ui.web.components.run_parts import first_view
from ui.web.export_formats import export_menu
from ui.web.graph_names import describe_graph_title, name_graph
from ui.web.markdown import escape_markdown
from ui.web.page_links import refer_to_page
from ui.web.screens.sessions.session_dialogs import delete_dialog, rename_dialog, tag_dialog
from ui.web.screens.sessions.session_history import session_history
from ui.web.screens.sessions.session_list import list_sessions
from ui.web.screens.sessions.session_rows import (
    count_tags,
    describe_session,
    nearness,
    sort_by_nearness,
)
from ui.web.session_graph import compare_today, graph_link, name_version
from ui.web.tab_state import go_to
from ui.web.words import later, say, say_told

SMALL: Final = re.compile(r"</?small>")
"""Streamlit shows this tag as text."""
SHOWN_OF_HASH: Final = 12


def session_detail(session: Session, report: Report) -> None:
    """Head, buttons and tabs."""
    title = session_title(session.title, report)
    st.set_page_config(page_title=f"{title} · Forager")
    with st.container(key="back"):
        icon = ":material/arrow_back:"
        st.button(say("All sessions"), icon=icon, type="tertiary", on_click=go_to)
    mount_run_part(
        "session_head",
        session.id,
        title=title,
        method=name_graph(session.graph),
        tags=session.tags,
        status=report.status,
        first=first_view(session, report),
        on_status_change=lambda: None,
    )
    _action_buttons(session, report)
    if (wanted := st.query_params.pop("tab", "")) in TABS:
        st.session_state["tab"] = say(wanted)
    tabs = st.tabs([say(name) for name in TABS], key="tab", on_change="rerun")
    for tab, draw_tab in zip(tabs, TABS.values(), strict=True):
        if tab.open:
            with tab:
                draw_tab(session, report)


def _action_buttons(session: Session, report: Report) -> None:
    with st.container(horizontal=True, key="verbs"):
        link = {"session": session.id}
        st.page_link(refer_to_page("ask"), label=say("Open"), query_params=link)
        if report.status in RESUMABLE and st.button(say("Resume"), icon=":material/play_arrow:"):
            get_backend().run(session.id)
            st.rerun()
        _compare_menu(session)
        name = session_title(session.title, report)
        if st.button(say("Rename"), type="tertiary"):
            rename_dialog(session, name)
        if st.button(say("Tags"), type="tertiary"):
            tag_dialog(session, count_tags(list_sessions()))
        if st.button(say("Delete"), type="tertiary"):
            delete_dialog(session.id, name)
    if fault := get_backend().fault(session.id):
        st.text(say_told(fault))


def _compare_menu(session: Session) -> None:
    """Another session to compare it with: the nearest is chosen, if one that ended is near."""
    key = f"compare-{session.id}"
    popover = st.popover(say("Compare"), icon=":material/compare:", key=key, on_change="rerun")
    if not popover.open:
        return
    listed = list_sessions()
    active = {each.line.id for each in listed if each.status in ACTIVE}
    lines = {each.line.id: each.line for each in listed}
    own = lines.pop(session.id, None)
    ids = sort_by_nearness(own, lines.values()) if own else list(lines)
    ids.sort(key=lambda id: id in active)
    nearest = own and ids and ids[0] not in active and nearness(own, lines[ids[0]])
    with popover, st.container(key="compared"):
        other = st.selectbox(
            say("With"),
            ids,
            index=0 if nearest else None,
            format_func=lambda id: describe_session(lines[id]),
            placeholder=say("Choose a session"),
            key=f"compared-{session.id}",  # the choice stays when the list changes
        )
        if other:
            st.caption(escape_markdown(describe_session(lines[other])))
        pressed = st.button(say("Compare"), key=f"with-{session.id}", disabled=not lines)
        if pressed and other:
            st.query_params["with"] = other
            st.rerun()
        elif pressed:
            st.caption(say("Choose the session to compare it with."))


def _answer_tab(session: Session, report: Report) -> None:
    first = first_view(session, report)
    if report.turns:
        key, method = f"turns-of-{session.id}", describe_graph_title(session.graph)
        mount_run_part("head", session.id, key=key, method=method, first=first)
    mount_run_part("answer", session.id, key=f"answer-of-{session.id}", first=first, headed=True)


def _evidence_tab(session: Session, report: Report) -> None:
    mount_run_part("ledger", session.id, key=f"ledger-of-{session.id}")


def _graph_tab(session: Session, report: Report) -> None:
    """The graph that the session began with: its drawing, its version, and its edges as a table."""
    spec = graph_of(session)
    name, today = name_version(session), compare_today(session)
    told = say("{graph}, as it was when the session began: {today}", graph=name, today=today)
    if today:
        st.text(told)
    graph_link(session)
    hash = session.graph_hash
    st.caption(say("Version of the method: {hash}", hash=f"{hash[:SHOWN_OF_HASH]}…"), help=hash)
    if spec.parameters:
        values = ", ".join(f"{name} = {own.default}" for name, own in spec.parameters.items())
        st.text(say("Parameters: {values}", values=values))
    _draw_graph(session, spec)
    with st.expander(say("As a table")):
        st.dataframe(
            [
                {
                    say("from"): e.source,
                    say("route"): e.route,
                    say("to"): e.target,
                    say("branches"): e.fan,
                }
                for e in spec.edges
            ],
            hide_index=True,
        )


def _draw_graph(session: Session, spec: GraphSpec) -> None:
    """A drawing with the nodes that ran marked, and the edges in words for a screen reader."""
    named = step_names(spec)
    known = {node: say_told(name) for node, name in named.items() if is_named(node)}
    steps = get_backend().sessions.call(lambda sessions: sessions.history.checkpoints(session.id))
    ran = [node for node in named if any(node in step.ran for step in steps if step.on_path)]
    if ran:
        st.caption(say("Steps with a thick border ran for the newest question."))
    edges = "; ".join(map(str, spec.edges))
    st.mermaid_chart(SMALL.sub("", draw_mermaid(spec, known, ran)), alt=f"{spec.name}: {edges}")


def _export_tab(session: Session, report: Report) -> None:
    export_menu(session, report, explained=True)


TABS: Final[Mapping[str, Callable[[Session, Report], None]]] = {
    later("Answer"): _answer_tab,
    later("Evidence"): _evidence_tab,
    later("History"): session_history,
    later("Method"): _graph_tab,
    later("Export"): _export_tab,
}
