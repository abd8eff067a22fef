"""The form that begins a run."""

import re
from collections.abc import Mapping

import streamlit as st

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import AddressError, ForagerError, GraphError, QuestionError
from graphs.sessions.model_choice import OFFLINE, Offer, most, offered
from graphs.spec.library import open_library
from ui.parts.plain import escaped
from ui.screens import settings as settings_page
from ui.screens.ask import budgets
from ui.screens.ask.beginning import begin
from ui.screens.ask.examples import examples
from ui.screens.graph_names import graph_names
from ui.server.backend import get_backend as here

GRAPH = "forager"
SITES = "sites"
BETWEEN = re.compile(r"[\s,]+")


def start() -> None:
    """The form; what is wrong with it stands beside what it is about."""
    if wanted := st.query_params.pop("graph", None):
        st.session_state["graph"] = wanted
    with st.container(key="start"):
        st.title("Ask a question that no single page answers", anchor=False)
        st.markdown(
            "Forager maps the site, spends a fixed number of page visits where the answer most "
            "likely lies, and cites every claim word for word."
        )
        with st.container(key="card"):
            _question()
        _fault("question", "sites")
        offers = {offer.line: offer for offer in offered(here().settings)}
        graph, model, measure = _choices(offers)
        with st.container(key="note"):
            line = st.container()
            with st.expander("All limits", key="limits", type="compact"):
                budget = budgets.limits(measure)
            with line:
                _cost(model, budget, keyless=len(offers) == 1)
        if st.session_state.pop("go", False):
            _begin(graph, model, budget)
        examples()


def _question() -> None:
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
            "Sites to look on",
            key="sites",
            placeholder="Addresses; empty: the web",
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
            on_click=lambda: st.session_state.update(go=True),
        )


def _choices(offers: Mapping[str, Offer]) -> tuple[str, str, str]:
    """The graph, the model and the measure of the budget that are chosen."""
    names = graph_names()
    with st.container(key="choices"):
        left, middle, right = st.columns((1, 1, 1.35))
        with left:
            graph = st.selectbox(
                "Graph",
                names,
                index=names.index(GRAPH),
                key="graph",
                accept_new_options=True,
                persist_state="session",
            )
            st.caption(escaped(_about(graph) if graph else ""))
            _fault("graph")
        with middle:
            model = st.selectbox(
                "Model",
                tuple(offers),
                key="model",
                accept_new_options=True,
                format_func=lambda line: "Offline" if line == OFFLINE else line,
                persist_state="session",
            )
            st.caption(escaped(_said(offers.get(model))))
            _fault("model")
        with right:
            measure = budgets.measure()
    return graph or GRAPH, model or OFFLINE, measure


def _about(graph: str) -> str:
    try:
        return open_library(here().settings).named(graph).description
    except ForagerError:
        return ""


def _said(offer: Offer | None) -> str:
    return offer.about.replace("$", "USD ") if offer else "As you wrote it"


def _cost(model: str, budget: Budget, *, keyless: bool) -> None:
    """What the run will cost, and the way to a model where there is none but the built-in."""
    office = here()
    try:
        cost = most(model, office.settings, budget)
    except ForagerError:
        cost = None
    allowed = budgets.in_words(budget, offline=model == OFFLINE)
    if model == OFFLINE:
        said = f"This run will cost **$0.00**: {allowed}"
    elif cost is None:
        said = f"What {escaped(model)} costs is not known here: {allowed}"
    else:
        said = f"This run will cost **at most ${cost:,.2f}**: {allowed}"
    with st.container(key="cost", horizontal=True, vertical_alignment="center"):
        st.markdown(said.replace("$", r"\$"))
        if keyless:
            page = st.Page(settings_page.page, title="Settings", url_path="settings")
            st.page_link(page, label="Add a model key", icon=":material/key:")


def _fault(*names: str) -> None:
    """What is wrong with a field, and how to mend it, until the next try."""
    faults = st.session_state.get("faults", {})
    for name in names:
        if text := faults.get(name):
            with st.container(key=f"fault-{name}"):
                st.error(escaped(text), icon=":material/cancel:")


def _begin(graph: str, model: str, budget: Budget) -> None:
    """Start what the form says; its faults are shown by the run of the script that follows."""
    sites = tuple(filter(None, BETWEEN.split(st.session_state["sites"])))
    question = Question(text=st.session_state["question"], sites=sites, budget=budget)
    faults: dict[str, str] = {}
    try:
        begin(question, graph, model)
    except QuestionError as error:
        faults["sites" if SITES in error.what else "question"] = str(error)
    except AddressError as error:
        faults["sites"] = str(error)
    except GraphError as error:
        faults["graph"] = str(error)
    except ForagerError as error:
        faults["model"] = str(error)
    st.session_state["faults"] = faults
    st.rerun()
