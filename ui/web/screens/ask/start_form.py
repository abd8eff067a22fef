"""The form that starts a run, and questions to try."""

import re
from collections.abc import Mapping

import streamlit as st

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import (
    AddressError,
    ForagerError,
    GraphError,
    PrivateAddressError,
    QuestionError,
)
from graphs.sessions.model_choice import OFFLINE, ModelOffer, list_offers, max_cost, settle_models
from graphs.spec.library import open_library
from ui.server.backend import get_backend
from ui.server.handbook.demo_questions import GRAPH as EXAMPLE_GRAPH
from ui.server.handbook.demo_questions import QUESTIONS, DemoQuestion
from ui.web.graph_names import list_graph_names
from ui.web.markdown import escape_markdown
from ui.web.page_links import refer_to_page
from ui.web.screens.ask.ask_state import AskState, ask_state
from ui.web.screens.ask.budget_form import choose_preset, describe_budget, limit_fields
from ui.web.screens.settings.setting_fields import allow_private_hosts, is_fixed

GRAPH = "forager"
FORM_FIELDS = ("question", "sites")
SEPARATORS = re.compile(r"[\s,]+")
EXAMPLES = (
    *QUESTIONS,
    DemoQuestion("a table", "Which exit codes are there, and what does each of them mean?"),
)
"""Questions about the handbook, which need no key and no network."""
EXAMPLE_BUDGET = Budget(seconds=120)


def start_form() -> None:
    """The form; a fault is shown beside the field that it is about."""
    _fill_in(ask_state())
    with st.container(key="start"):
        st.title("Ask a question that no single page answers", anchor=False)
        st.markdown(
            "Forager maps the site, spends a fixed number of page visits where the answer most "
            "likely lies, and cites every claim word for word."
        )
        with st.container(key="card"):
            _question_fields()
        _show_faults(*FORM_FIELDS)
        offers = {offer.line: offer for offer in list_offers(get_backend().settings)}
        graph, model, preset = _run_choices(offers)
        with st.container(key="note"):
            line = st.container()
            with st.expander("All limits", key="limits", type="compact"):
                budget = limit_fields(preset)
            with line:
                _show_cost(model, budget, keyless=len(offers) == 1)
        state = ask_state()
        if host := state.take("allowed_host"):
            state.start_requested = True
            allow_private_hosts((*get_backend().settings.allow_private, host))
        if state.start_requested:
            state.start_requested = False
            _start_typed(graph, model, budget)
        _example_buttons()


def _fill_in(state: AskState) -> None:
    """What the address or a session that is asked again says, before the fields are drawn."""
    if wanted := st.query_params.pop("graph", None):
        st.session_state["graph"] = wanted
    st.session_state.setdefault("graph", GRAPH)
    if session := state.edited:
        state.edited = None
        state.faults = {}
        st.session_state["question"] = session.question.text
        st.session_state["sites"] = " ".join(session.question.sites)
        st.session_state["graph"] = session.graph
        st.session_state["model"] = session.model


def _question_fields() -> None:
    st.text_area(
        "Question",
        key="question",
        placeholder="What do you want to know?",
        height=84,
        label_visibility="collapsed",
        persist_state="session",
    )
    with st.container(key="where", horizontal=True, vertical_alignment="center"):
        st.text_input(
            "Sites",
            key="sites",
            placeholder="e.g. docs.example.org, wiki.example.org (leave empty to search the web)",
            label_visibility="collapsed",
            persist_state="session",
        )
        st.button(
            "Start",
            key="begin",
            type="primary",
            icon=":material/arrow_upward:",
            icon_position="right",
            shortcut="Ctrl+Enter",
            on_click=_request_start,
        )


def _request_start() -> None:
    ask_state().start_requested = True


def _run_choices(offers: Mapping[str, ModelOffer]) -> tuple[str, str, str]:
    """The graph, the model and the budget preset that are chosen."""
    names = list_graph_names()
    with st.container(key="choices"):
        left, middle, right = st.columns((1, 1, 1.35))
        with left:
            graph = st.selectbox(
                "Graph",
                names,
                key="graph",
                accept_new_options=True,
                persist_state="session",
            )
            st.caption(escape_markdown(_describe_graph(graph) if graph else ""))
            _show_faults("graph")
        with middle:
            model = st.selectbox(
                "Model",
                tuple(offers),
                key="model",
                accept_new_options=True,
                format_func=lambda line: "Offline" if line == OFFLINE else line,
                persist_state="session",
            )
            st.caption(escape_markdown(_describe_offer(offers.get(model))))
            _show_faults("model")
        with right:
            preset = choose_preset()
    return graph or GRAPH, model or OFFLINE, preset


def _describe_graph(graph: str) -> str:
    try:
        return open_library(get_backend().settings).resolve_named(graph).description
    except ForagerError:
        return ""


def _describe_offer(offer: ModelOffer | None) -> str:
    return offer.about.replace("$", "USD ") if offer else "As typed"


def _show_cost(model: str, budget: Budget, *, keyless: bool) -> None:
    """The most that the run can cost; a link to the settings if no model has a key."""
    office = get_backend()
    try:
        cost = max_cost(model, office.settings, budget)
    except ForagerError:
        cost = None
    limits = describe_budget(budget, offline=model == OFFLINE)
    if model == OFFLINE:
        text = f"This run will cost **$0.00**: {limits}"
    elif cost is None:
        text = f"The price of {escape_markdown(model)} is not known: {limits}"
    else:
        text = f"This run will cost **at most ${cost:,.2f}**: {limits}"
    with st.container(key="cost", horizontal=True, vertical_alignment="center"):
        st.markdown(text.replace("$", r"\$"))
        if keyless:
            st.page_link(refer_to_page("settings"), label="Add a model key", icon=":material/key:")


def _show_faults(*fields: str) -> None:
    """What is wrong with these fields, and how to mend it, until the next try."""
    faults = ask_state().faults
    for name in fields:
        if text := faults.get(name):
            with st.container(key=f"fault-{name}"):
                st.error(escape_markdown(text), icon=":material/cancel:")
            if name == "sites" and (host := ask_state().refused_host):
                _allow_button(host)


def _allow_button(host: str) -> None:
    st.button(
        f"Allow {escape_markdown(host)} and start",
        key="allow",
        icon=":material/lock_open:",
        on_click=_allow_host,
        args=(host,),
    )


def _allow_host(host: str) -> None:
    ask_state().allowed_host = host


def _start_typed(graph: str, model: str, budget: Budget) -> None:
    """Start what the form says, or keep its faults for the run of the script that follows."""
    sites = tuple(filter(None, SEPARATORS.split(st.session_state["sites"])))
    question = Question(text=st.session_state["question"], sites=sites, budget=budget)
    faults: dict[str, str] = {}
    state = ask_state()
    state.refused_host = ""
    try:
        _start_run(question, graph, model)
    except QuestionError as error:
        faults["sites" if "sites" in error.what else "question"] = str(error)
    except PrivateAddressError as error:
        fixed = is_fixed("allow_private")
        faults["sites"] = str(error) if fixed else error.what
        state.refused_host = "" if fixed else error.host
    except AddressError as error:
        faults["sites"] = str(error)
    except GraphError as error:
        faults["graph"] = str(error)
    except ForagerError as error:
        faults["model"] = str(error)
    state.faults = faults
    st.rerun()


def _start_run(question: Question, graph: str, model: str) -> None:
    """Start a run here, to be opened when the script runs next. Raises ForagerError."""
    office = get_backend()
    line = settle_models(model, office.settings, question.budget)
    id = office.sessions.call(lambda sessions: sessions.start(question, graph, line))
    office.run(id)
    ask_state().started = id


def _example_buttons() -> None:
    with st.container(key="examples"):
        st.markdown(
            "**Or try one of these** &nbsp; :small[:gray[takes under a minute, needs no key]]"
        )
        columns = st.columns(2, gap="medium")
        for place, asked in enumerate(EXAMPLES):
            with columns[place % 2], st.container(key=f"example-{place}"):
                st.button(
                    f"{escape_markdown(asked.text)} :small[Handbook · {asked.needs}]",
                    key=f"ask-{place}",
                    type="tertiary",
                    on_click=_start_example,
                    args=(asked,),
                    width="stretch",
                )


def _start_example(asked: DemoQuestion) -> None:
    question = Question(text=asked.text, sites=(get_backend().handbook,), budget=EXAMPLE_BUDGET)
    _start_run(question, EXAMPLE_GRAPH, OFFLINE)
