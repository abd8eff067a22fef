"""Runs a question set with two graphs from the page, and shows how far it has come."""

from typing import Final

import streamlit as st

from forager.domain.spend import Budget
from forager.errors import ForagerError
from graphs.experiments.trial import (
    Trial,
    TypedQuestion,
    check_questions,
    choose_graphs,
    new_result_file,
    parse_questions,
    typed_question,
)
from graphs.sessions.model_choice import OFFLINE, list_offers, settle_models
from ui.server.backend import get_backend
from ui.server.examples.example_sites import QUESTIONS
from ui.server.handbook.handbook_site import permit_sites
from ui.web.graph_names import DEFAULT_GRAPH, list_graph_names, name_graph
from ui.web.markdown import escape_markdown
from ui.web.words import later, say, say_told

SECOND: Final = "webwalker"
MOST_PAGES: Final = 10_000
REFRESH_SECONDS: Final = 1.0
EXAMPLE: Final = '{"question": "…", "sites": ["https://…"], "answer": "…"}'
FILE_HELP: Final = later(
    "One JSON object per line: {example}. Without an answer, a question is asked but not graded."
)


def run_form() -> str:
    """Choose questions and two graphs, and start; the name of the result file then, else empty."""
    names = list(dict.fromkeys((DEFAULT_GRAPH, SECOND, *list_graph_names())))
    with st.form("run-set", border=False):
        file = st.file_uploader(
            say("Questions"), type=["jsonl"], help=say(FILE_HELP, example=EXAMPLE)
        )
        st.caption(say("Without a file: {n} questions on the example sites.", n=len(QUESTIONS)))
        left, right = st.columns(2)
        one = left.selectbox(
            say("Method A"), names, format_func=name_graph, accept_new_options=True
        )
        other = right.selectbox(
            say("Method B"), names, index=1, format_func=name_graph, accept_new_options=True
        )
        lines = list(dict.fromkeys(each.line for each in list_offers(get_backend().settings)))
        model = left.selectbox(
            say("Model"),
            lines,
            format_func=lambda line: say("Built-in rules") if line == OFFLINE else line,
        )
        pages = right.number_input(say("Pages per question"), 1, MOST_PAGES, value=20)
        if not st.form_submit_button(say("Run"), type="primary", icon=":material/play_arrow:"):
            return ""
    try:
        asked = parse_questions(file.getvalue().decode("utf-8", "replace")) if file else ()
        return start_run(asked or example_set(), (one or "", other or ""), model, int(pages))
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
        return ""


def example_set() -> tuple[TypedQuestion, ...]:
    """The questions on the sites that ship with Forager, with their answers."""
    roots = get_backend().examples
    return tuple(typed_question(each.text, [roots[each.site]], each.answer) for each in QUESTIONS)


def start_run(
    questions: tuple[TypedQuestion, ...], graphs: tuple[str, str], model: str, pages: int
) -> str:
    """Begin to ask both graphs; the name of the result file.

    Raises UsageError, also while another set runs, and GraphError.
    """
    office = get_backend()
    settings, budget = permit_sites(office.settings, office.own_sites), Budget(pages=pages)
    trial = Trial(
        records=check_questions(questions, {}),
        graphs=choose_graphs(settings, *graphs),
        model=settle_models(model, settings, budget),
        sites={},
        budget=budget,
        out=new_result_file(settings),
    )
    office.refuse_beyond_limits()
    return office.trials.begin(trial, settings, office.closing, office.allowance)


def is_running(name: str) -> bool:
    """Is the question set of this result file being asked here?"""
    office = get_backend()
    try:
        return bool(name) and office.trials.now(name, office.settings).going
    except ForagerError:
        return False


def count_asked(name: str) -> str:
    """How many of its questions were asked, in words."""
    office = get_backend()
    now = office.trials.now(name, office.settings)
    return say("{asked} of {of} answers", asked=now.asked, of=now.of)


@st.fragment(run_every=REFRESH_SECONDS)
def run_progress(name: str, shown: int) -> None:
    """How many questions were asked; the page is redrawn when there are more than are shown."""
    office = get_backend()
    now = office.trials.now(name, office.settings)
    if now.error:
        st.error(escape_markdown(say_told(now.error)), icon=":material/cancel:")
    if not now.going or now.asked > shown:
        st.rerun(scope="app")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(now.asked / now.of, text=count_asked(name))
        if st.button(say("Stop"), icon=":material/stop:"):
            office.trials.stop(name)
