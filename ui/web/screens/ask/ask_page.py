"""Ask a question and watch its answer take shape."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from forager.errors import SessionError
from graphs.sessions.service import Report, Session
from ui.server.backend import get_backend
from ui.server.live.session_status import EMPTY, STOPPED, UNCERTAIN, UNLIKELY
from ui.server.live.session_view import shown_status
from ui.web.components import run_parts
from ui.web.components.component import mount_run_part
from ui.web.components.run_canvas import mount_run_canvas
from ui.web.export_formats import export_file_name, export_session
from ui.web.graph_names import describe_graph_title
from ui.web.markdown import escape_markdown
from ui.web.page_links import refer_to_page
from ui.web.screens.ask.approval_cards import approval_cards
from ui.web.screens.ask.ask_state import ask_state
from ui.web.screens.ask.composer import composer
from ui.web.screens.ask.run_panel import continue_requested, run_panel
from ui.web.screens.ask.site_repair import repair_run, resume_allowed
from ui.web.screens.ask.start_form import clear_form, start_form, start_run
from ui.web.screens.sessions.session_rows import FILTERS
from ui.web.session_graph import graph_link
from ui.web.styles import apply_styles
from ui.web.tab_state import follow_address, go_to
from ui.web.words import later, page_language, say, say_told

ICONS: Final = Path(__file__).parents[2] / "static"
TAB_ICONS: Final = {
    "waiting": "logo-waiting.svg",
    "answered": "logo-ended.svg",
    **dict.fromkeys((UNCERTAIN, UNLIKELY, STOPPED, "partial"), "logo-partly.svg"),
    **dict.fromkeys((EMPTY, "abstained"), "logo-nothing.svg"),
}
"""The icons of the statuses that another one than that of a run has."""


def page() -> None:
    """The start form, or the run that the address names."""
    follow_address()
    apply_styles("ask")
    question = _open_started_run()
    place = st.empty()  # of its own: nothing of the form is left to fade under a run
    if id := st.query_params.get("session"):
        if question:
            with place.container():
                _skeleton(question, "opening")
        _show_run(id, place)
        return
    with place.container():
        wanted = start_form()
    if wanted:
        with place.container():
            _skeleton(wanted.question.text, "starting")
        start_run(wanted)


def _open_started_run() -> str:
    """Let the address name the run that was just started; its question, or nothing."""
    state = ask_state()
    if not state.started:
        return ""
    clear_form()
    st.query_params["session"] = state.started
    state.started = ""
    return state.take("started_question")


def _skeleton(question: str, stage: str) -> None:
    """The question over the shape of an answer, until the parts of the run are drawn."""
    with st.container(key=f"skeleton-{stage}"):
        st.title(escape_markdown(question), anchor=False)


def _show_run(id: str, place: DeltaGenerator) -> None:
    try:
        session, report = get_backend().sessions.call(lambda to: to.show_session(id))
    except SessionError as error:
        _show_missing(error)
        return
    place.empty()
    resume_allowed()
    _title_tab(session, report)
    first = run_parts.first_view(session, report)
    with st.container(key="shell"):
        with st.container(key="head"):
            method = describe_graph_title(session.graph)
            mount_run_part("head", id, method=method, first=first)
            _skeleton(session.question.text, "drawing")  # ask.css hides it once the head is drawn
            approval_cards(session)
        with st.container(key="body"):
            mount_run_part("answer", id, first=first)
            repair = st.container(key="repair")
        with st.container(key="details"):
            _run_tabs(session, report)
        with st.container(key="rail"):
            run_panel(session, report, first)
    composer(session, report)
    with repair:
        repair_run(session, report)  # at last, as it looks up hosts
    continue_requested(id)


def _title_tab(session: Session, report: Report) -> None:
    """The title and the icon of the browser's tab: others show by them that it waits or ended."""
    shown = shown_status(report)
    icon = TAB_ICONS.get(shown, "logo.svg")
    fork = f"{say('Fork of step {number}', number=session.forked_step)} · "
    origin = fork if session.forked_from else ""
    title = f"{say(FILTERS[shown])} · {origin}{session.question.text}"
    st.set_page_config(page_title=title, page_icon=str(ICONS / icon))


def _show_missing(error: SessionError) -> None:
    with st.container(key="missing"):
        st.title(say("Run not found"), anchor=False)
        st.markdown(escape_markdown(say_told(str(error))))
        st.caption(say("It may have been deleted, or part of its address may be missing."))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                say("Ask a question"),
                type="primary",
                icon=":material/add:",
                on_click=go_to,
            )
            st.page_link(
                refer_to_page("sessions"), label=say("All sessions"), icon=":material/list:"
            )


@st.fragment
def _run_tabs(session: Session, report: Report) -> None:
    """The tabs below an answer. Only the one that is open is drawn, and without the page around it.

    The style sheet adds the counts behind their names.
    """
    places = st.tabs([say(name) for name in TABS], key="tabs", on_change="rerun")
    for place, draw_tab in zip(places, TABS.values(), strict=True):
        if place.open:
            with place:
                draw_tab(session, report)


def _evidence_tab(session: Session, report: Report) -> None:
    id = session.id
    with st.container(key="csv"):
        st.download_button(
            say("Download CSV"),
            data=partial(export_session, id, "csv", "", page_language()),
            file_name=export_file_name(session, report, "csv"),
            key=f"csv-{id}",
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
        )
    mount_run_part("ledger", id)


def _graph_tab(session: Session, report: Report) -> None:
    graph_link(session)
    mount_run_canvas(get_backend().sessions.call(lambda to: to.get(session.id)))


def _tab_of(*parts: str) -> Callable[[Session, Report], None]:
    def draw_tab(session: Session, report: Report) -> None:
        for part in parts:
            mount_run_part(part, session.id)

    return draw_tab


TABS: dict[str, Callable[[Session, Report], None]] = {
    later("Evidence"): _evidence_tab,
    later("Site map"): _tab_of("site_map"),
    later("Ranking"): _tab_of("arms", "draws"),
    later("Browser"): _tab_of("browser"),
    later("Spend"): _tab_of("spend"),
    later("Flow"): _graph_tab,
}
