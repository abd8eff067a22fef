"""The panel: a question for the graph as it is drawn, its run, and what can be done with that."""

from typing import Final

import streamlit as st

from forager.errors import ForagerError
from graphs.sessions.service import Report, Session
from ui.server.backend import get_backend
from ui.server.live.session_status import ACTIVE, RESUMABLE
from ui.web.components import run_parts
from ui.web.components.component import mount_run_part
from ui.web.markdown import escape_markdown
from ui.web.page_links import refer_to_page
from ui.web.screens.ask.graph_values import draw_values, read_values, settable
from ui.web.screens.graphs.draft_run.draft_actions import (
    DraftQuestion,
    draft_runs,
    go_on,
    leave_run,
    mend_state,
    pause_run,
    recall_run,
    shown_session,
    start_draft,
    stop_run,
    toggle_panel,
)
from ui.web.screens.graphs.draft_run.state_draft import StateDraft
from ui.web.screens.graphs.draft_run.state_form import state_form
from ui.web.screens.graphs.open_graph import OpenGraph
from ui.web.tab_state import widget_value
from ui.web.words import say, say_told

MOST_PAGES: Final = 1000
PANEL: Final = "run"


def follow_panel(now: OpenGraph | None) -> None:
    """Note in the address whether the panel is open: it is after a reload too, with its run."""
    runs = draft_runs()
    if runs.fresh:
        runs.fresh, runs.open = False, PANEL in st.query_params
    if runs.open:
        st.query_params[PANEL] = "here"
    else:
        st.query_params.pop(PANEL, None)
    if runs.open and now:
        recall_run(now)


def draft_panel(now: OpenGraph) -> None:
    """Draw it, if it is open."""
    if not draft_runs().open:
        return
    with st.container(key="draft-run"):
        with st.container(horizontal=True, vertical_alignment="center", key="draft-head"):
            st.header(say("Run it here"), anchor=False)
            st.button(say("Close"), icon=":material/close:", type="tertiary", on_click=toggle_panel)
        if id := shown_session(now):
            _show_run(id)
        else:
            _question_form(now)


def _question_form(now: OpenGraph) -> None:
    asked = draft_runs().questions.get(now.name, DraftQuestion())
    st.text_area(say("Question"), asked.text, key=f"draft-question-{now.name}", height=96)
    st.text_input(
        say("Sites"),
        ", ".join(asked.sites),
        key=f"draft-sites-{now.name}",
        placeholder=say("e.g. docs.example.org (leave empty to search the web)"),
    )
    st.number_input(say("Pages"), 1, MOST_PAGES, value=asked.pages, key=f"draft-pages-{now.name}")
    draw_values(now.name, settable(now.whole))
    st.toggle(
        say("Use stored pages"),
        asked.stored,
        key=f"draft-stored-{now.name}",
        help=say("Pages that are stored are not fetched again, whatever their age."),
    )
    why = say("Fix the errors first.") if now.has_errors else None
    with st.container(horizontal=True):
        st.button(
            say("Start"),
            type="primary",
            icon=":material/play_arrow:",
            key="draft-start",
            disabled=now.has_errors,
            help=why or say("Runs the method as it is drawn, without saving it."),
            on_click=lambda: start_draft(_read_form(now)),
        )
        st.button(
            say("Start with one step"),
            key="draft-start-step",
            disabled=now.has_errors,
            help=why or say("Waits before the first node."),
            on_click=lambda: start_draft(_read_form(now), step=True),
        )


def _read_form(now: OpenGraph) -> DraftQuestion:
    name = now.name
    typed = str(widget_value(f"draft-sites-{name}", ""))
    sites = tuple(filter(None, (site.strip() for site in typed.split(","))))
    return DraftQuestion(
        str(widget_value(f"draft-question-{name}", "")),
        sites,
        int(widget_value(f"draft-pages-{name}") or 1),
        bool(widget_value(f"draft-stored-{name}", default=False)),
        read_values(name, settable(now.whole)),
    )


def _show_run(id: str) -> None:
    office = get_backend()
    session, report = office.sessions.call(lambda to: to.show_session(id))
    first = run_parts.first_view(session, report)
    state = f"{report.status} {session.asked} {session.turn} {len(report.pleas)}"
    with st.container(key="draft-shown"):
        st.markdown(f"**{escape_markdown(session.question.text)}**")
    mount_run_part(
        "status", id, key=f"draft-{id}", state=state, first=first, on_state_change=lambda: None
    )
    _origin_line(session)
    _run_buttons(session, report)
    if fault := office.fault(id):
        st.error(escape_markdown(say_told(fault)))
    if report.status == "waiting":
        st.caption(say("It needs your approval. Open the run to give it."))
    if draft_runs().mending and report.status in RESUMABLE:
        _state_form(session)
    if report.answer:
        mount_run_part("answer", id, key=f"draft-answer-{id}", first=first)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link(
            refer_to_page("ask"),
            label=say("Open the run"),
            icon=":material/open_in_new:",
            query_params={"session": id},
        )
        if report.status not in ACTIVE:
            st.button(say("Ask again"), type="tertiary", icon=":material/edit:", on_click=leave_run)


def _origin_line(session: Session) -> None:
    """Where a fork began, in the steps of the replay, and what was changed by hand."""
    if not session.forked_from:
        return
    events = get_backend().sessions.call(lambda to: to.events(session.id))
    begun = next((each for each in reversed(events) if each.kind == "forked"), None)
    keys = begun.data.get("by_hand") if begun else None
    runs = get_backend().sessions.call(lambda to: to.inspection.trace(session.id))
    done = sum(each.seq < begun.seq for each in runs) if begun else 0
    told = say("Fork after step {number}", number=done) if done else say("Fork from the beginning")
    follows = begun.data.get("next") if begun else None
    if isinstance(follows, list) and follows:
        told += ", " + say("before {nodes}", nodes=", ".join(map(str, follows)))
    if isinstance(keys, list):
        told += ". " + say("State changed by hand: {keys}", keys=", ".join(map(str, keys)))
    st.caption(escape_markdown(told))


def _run_buttons(session: Session, report: Report) -> None:
    id = session.id
    with st.container(horizontal=True, key="draft-verbs"):
        if report.status in RESUMABLE:
            st.button(
                say("Continue"),
                type="primary",
                icon=":material/play_arrow:",
                help=say("To the next breakpoint, or to the end."),
                on_click=go_on,
                args=(id,),
                key=f"draft-continue-{id}",
            )
            st.button(
                say("Step"),
                icon=":material/skip_next:",
                help=say("Runs one node, and waits."),
                on_click=lambda: go_on(id, step=True),
                key=f"draft-step-{id}",
            )
            st.button(
                say("Change the state"),
                icon=":material/edit_note:",
                on_click=_toggle_mending,
                key=f"draft-mend-{id}",
            )
        if report.status == "running":
            st.button(
                say("Pause"),
                icon=":material/pause:",
                on_click=pause_run,
                args=(id,),
                key=f"draft-pause-{id}",
            )
        if report.status in ACTIVE | RESUMABLE:
            st.button(
                say("Stop"),
                icon=":material/flag:",
                help=say("Stop after the current step and answer from what was found."),
                on_click=stop_run,
                args=(id,),
                key=f"draft-stop-{id}",
            )


def _toggle_mending() -> None:
    runs = draft_runs()
    runs.mending, runs.edited = not runs.mending, StateDraft()


def _state_form(session: Session) -> None:
    """The fields of one key after the other; what was changed goes into a fork."""
    id, edited = session.id, draft_runs().edited
    with st.container(key="draft-state"):
        try:
            values = get_backend().sessions.call(lambda to: to.state_values.at_step(id))
        except ForagerError as error:
            st.caption(escape_markdown(say_told(str(error))))
            return
        now = {each.key: each for each in values}
        key = st.selectbox(
            say("Key of the state"),
            list(now),
            index=None,
            key=f"mend-key-{id}",
            placeholder=say("Choose a key"),
        )
        if key:
            state_form(id, now[key], edited).draw()
        if others := [each for each in edited.values if each != key]:
            st.caption(say("Changed too: {keys}", keys=", ".join(others)))
        if unfit := [each for each in others if state_form(id, now[each], edited).is_unfit]:
            st.caption(say("Does not fit yet: {keys}", keys=", ".join(unfit)))
        st.button(
            say("Fork with this state"),
            type="primary",
            icon=":material/fork_right:",
            help=say("The session stays as it is; the fork waits at the same place."),
            on_click=mend_state,
            args=(id,),
            key=f"mend-{id}",
        )
