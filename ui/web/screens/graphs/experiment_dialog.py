"""The dialog that asks two graphs the same questions and compares the results."""

from typing import Final

import streamlit as st

from forager.domain.parameters import Parameter
from forager.domain.spend import Budget
from forager.errors import ForagerError
from graphs.experiments.trial import (
    NamedGraph,
    Trial,
    check_questions,
    choose_graphs,
    kept_runs,
    new_result_file,
    parse_questions,
    typed_question,
)
from graphs.sessions.model_choice import OFFLINE, list_offers, settle_models
from graphs.spec.edit import with_values
from graphs.spec.library import open_library
from ui.server.backend import get_backend
from ui.web.components.dialog import dialog
from ui.web.graph_names import list_graph_names, name_graph
from ui.web.page_links import refer_to_page
from ui.web.screens.ask.graph_values import (
    draw_values,
    find_parameters,
    read_values,
    settable,
)
from ui.web.screens.bench.result_tables import comparison_tables
from ui.web.screens.graphs.editor_state import editor_state
from ui.web.words import later, say, say_told

MOST_PAGES: Final = 10_000
REFRESH_SECONDS: Final = 1.0


@dialog(later("Try two versions"), width="large")
def experiment_dialog(graph: str | NamedGraph, other: str = "") -> None:
    """Choose two graphs, ask, and watch the results; it continues when the dialog is closed.

    A graph that is not saved is given with its name. A tab that was opened since sees the trial
    that the graph was last in.
    """
    own = _name_of(graph)
    state = editor_state()
    if not state.experiment and not state.tries_others:
        state.experiment = get_backend().trials.newest_with(own)
    if state.experiment:
        _show_progress()
        return
    first, second = _graph_fields(graph, other)
    with st.form("try", border=False):
        questions = st.text_area(say("Questions"), placeholder=say("One per line"))
        sites = st.text_input(
            say("Sites"), placeholder="https://docs.example/ https://more.example/"
        )
        file = st.file_uploader(say("Or a file of questions with answers"), type=["jsonl"])
        pages, model = _limit_fields()
        pressed = st.form_submit_button(say("Try both"), type="primary", icon=":material/balance:")
    if not pressed:
        return
    try:
        asked = [
            typed_question(line, sites.split()) for line in questions.splitlines() if line.strip()
        ]
        from_file = parse_questions(file.getvalue().decode("utf-8", "replace")) if file else ()
        settings, budget = get_backend().settings, Budget(pages=pages)
        trial = Trial(
            records=check_questions((*from_file, *asked), {}),
            graphs=choose_graphs(settings, _with_values(first, 1), _with_values(second, 2)),
            model=settle_models(model, settings, budget),
            sites={},
            budget=budget,
            out=new_result_file(settings),
        )
        office = get_backend()
        office.refuse_beyond_limits()
        editor_state().experiment = office.trials.begin(
            trial, settings, office.closing, office.allowance
        )
    except ForagerError as error:
        st.error(say_told(str(error)))
        return
    st.rerun(scope="fragment")


def _graph_fields(graph: str | NamedGraph, other: str) -> tuple[str | NamedGraph, str | NamedGraph]:
    """The two graphs, and below each a field for each of its parameters.

    A graph with parameters can be tried against itself, with other values.
    """
    own, names = _name_of(graph), list_graph_names()
    others = [each for each in (other, *names) if each and each != own]
    choices = [[own, *names], [*others, own] if _parameters_of(graph) else others]
    chosen: list[str | NamedGraph] = []
    labels = say("Method"), say("Against")
    for number, column in enumerate(st.columns(2)):
        with column:
            name = st.selectbox(
                labels[number],
                list(dict.fromkeys(choices[number])),
                accept_new_options=True,
                format_func=name_graph,
            )
            chosen.append(graph if name == own else name or "")
            draw_values(
                _name_of(chosen[number]), _parameters_of(chosen[number]), place=f"try-{number + 1}-"
            )
    return chosen[0], chosen[1]


def _name_of(graph: str | NamedGraph) -> str:
    return graph if isinstance(graph, str) else graph[0]


def _parameters_of(graph: str | NamedGraph) -> dict[str, Parameter]:
    return find_parameters(graph) if isinstance(graph, str) else settable(graph[1])


def _with_values(graph: str | NamedGraph, number: int) -> str | NamedGraph:
    """The graph with the values in its fields; the name of its column says which differ."""
    name = _name_of(graph)
    values = read_values(name, _parameters_of(graph), place=f"try-{number}-")
    if not values:
        return graph
    library = open_library(get_backend().settings)
    spec = library.resolve_named(graph) if isinstance(graph, str) else graph[1]
    told = ", ".join(f"{each}={value}" for each, value in values.items())
    return f"{name} ({told})", with_values(spec, values)


def _limit_fields() -> tuple[int, str]:
    left, right = st.columns(2)
    pages = left.number_input(say("Pages per question"), 1, MOST_PAGES, value=20)
    lines = dict.fromkeys(each.line for each in list_offers(get_backend().settings))
    model = right.selectbox(
        say("Model"),
        list(lines),
        format_func=lambda line: say("Built-in rules") if line == OFFLINE else line,
    )
    return int(pages), model or OFFLINE


@st.fragment(run_every=REFRESH_SECONDS)
def _show_progress() -> None:
    """How many questions were asked, and the results so far."""
    name, office = editor_state().experiment, get_backend()
    try:
        now = office.trials.now(name, office.settings)
    except ForagerError as error:
        st.error(say_told(str(error)))
        return
    if now.going:
        st.progress(
            now.asked / now.of, text=say("{asked} of {of} asked", asked=now.asked, of=now.of)
        )
    if now.error:
        st.error(say_told(now.error))
    if rows := office.trials.rows(name, office.settings):
        comparison_tables(rows, kept_runs(office.settings))
    for id, graph in now.apart.items():
        st.text(say("{id}: only {graph} is right", id=id, graph=name_graph(graph)))
    with st.container(horizontal=True):
        if now.going and st.button(say("Stop"), icon=":material/stop:"):
            office.trials.stop(name)
        st.page_link(
            refer_to_page("bench"),
            label=say("Every question"),
            icon=":material/table:",
            query_params={"file": name},
        )
        if not now.going and st.button(say("Try others"), icon=":material/refresh:"):
            editor_state().experiment = ""
            editor_state().tries_others = True
            st.rerun(scope="app")
