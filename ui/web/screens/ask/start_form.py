"""The form that starts a run, and questions to try."""

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st
from pydantic import JsonValue
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

from forager.domain.parameters import ParameterValue
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import (
    AddressError,
    ForagerError,
    GraphError,
    QuestionError,
)
from graphs.sessions.model_choice import (
    AUTO,
    OFFLINE,
    ModelOffer,
    default_line,
    find_model,
    has_no_model,
    list_offers,
    max_cost,
    settle_models,
)
from graphs.spec.library import open_library
from graphs.spec.plugins import load_registry
from graphs.system.site_check import SiteFault, find_site_fault
from ui.server.backend import get_backend
from ui.server.examples.example_sites import QUESTIONS
from ui.web.components.canvas_edit import describe_graph
from ui.web.components.component import mount_canvas, mount_part
from ui.web.graph_names import (
    DEFAULT_GRAPH,
    describe_graph_use,
    list_graph_names,
    name_graph,
)
from ui.web.markdown import escape_markdown
from ui.web.page_links import refer_to_page
from ui.web.screens.ask.ask_state import AskState, ask_state
from ui.web.screens.ask.budget_form import (
    RoundLimits,
    choose_preset,
    describe_budget,
    limit_fields,
    usual_preset,
)
from ui.web.screens.ask.graph_values import fill_values, find_round_limits, value_fields
from ui.web.screens.ask.site_repair import allow_host, describe_fault, repair_button, replace_site
from ui.web.tab_state import go_to, widget_value
from ui.web.words import later, local_dollars, say, say_count, say_told

FORM_FIELDS = ("question", "sites")
DRAWING_HEIGHT = 360
FOLD = "choices-fold"
FOLDED = later("Change method, model or limits")


class RunRequest(NamedTuple):
    """A run to start: what to ask, with which graph and which model."""

    question: Question
    graph: str
    model: str
    values: Mapping[str, ParameterValue]
    """Those of the graph's parameters that differ from its defaults."""


def start_form() -> RunRequest | None:
    """The form; a fault is shown beside the field that it is about.

    Returns the run that was asked for, if one was; it stays asked for until `start_run`.
    """
    state = ask_state()
    _fill_in(state)
    with st.container(key="start"):
        st.title(say("Ask a question across pages and sites"), anchor=False)
        st.markdown(
            say(
                "Forager maps the site, reads the pages most likely to hold the answer, and quotes "
                "every claim word for word."
            )
        )
        if state.editing:
            _editing_line(state.editing)
        with st.container(key="card"):
            _question_fields()
        _show_faults(*FORM_FIELDS)
        offers = {offer.line: offer for offer in list_offers(get_backend().settings)}
        with st.container(key="note"):
            line = st.container(key="cost", horizontal=True, vertical_alignment="center")
            with _choices_fold(offers):
                graph, model, preset = _run_choices(offers)
                values = value_fields(graph)
                rounds = find_round_limits(graph, values)
                with st.container(key="limits"):
                    budget = limit_fields(preset, offline=model == OFFLINE, rounds=rounds)
            with line:
                _show_choices(graph, model, preset)
                _show_cost(model, budget, rounds, keyless=has_no_model(get_backend().settings))
            _show_passed_over()
        allow_host()
        _example_buttons(model)
        _focus_question(state)
    if (number := state.example) is not None:
        asked = QUESTIONS[number]
        sites = (get_backend().examples[asked.site],)
        question = Question(text=asked.text, sites=sites, budget=budget)
        return RunRequest(question, graph, model, values)
    if not state.start_requested:
        return None
    question = Question(text=st.session_state["question"], sites=state.sites, budget=budget)
    return RunRequest(question, graph, model, values)


def _focus_question(state: AskState) -> None:
    """Let whoever asked for an empty form type at once."""
    turn = state.emptied if state.focus_requested else 0
    with st.container(key="question-focus"):
        mount_part("first_focus", "question-field", selector=".st-key-question textarea", turn=turn)
    state.focus_requested = False


def _editing_line(id: str) -> None:
    """Says that the question was asked before, with the way back to its answer."""
    with st.container(key="editing", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":material/edit: {say('Editing a question that was asked before')}")
        st.button(
            say("Back to its answer"),
            key="stop-editing",
            type="tertiary",
            on_click=go_to,
            kwargs={"session": id},
        )


def clear_form() -> None:
    """Empty the fields of the question."""
    state = ask_state()
    state.faults = {}
    state.forget_start()
    state.editing = ""
    state.fill_sites(())
    st.session_state["question"] = ""


def _fill_in(state: AskState) -> None:
    """What the address or a session that is asked again says, before the fields are drawn."""
    if wanted := st.query_params.pop("graph", None):
        st.session_state["graph"] = wanted
    st.session_state.setdefault("graph", DEFAULT_GRAPH)
    if session := state.edited:
        state.faults = {}
        st.session_state["question"] = session.question.text
        state.fill_sites(session.question.sites)
        st.session_state["graph"] = session.graph
        fill_values(session)
        st.session_state["model"] = session.model
        state.edited = None  # at last: a newer run, which may end this one above, fills it in then


def _question_fields() -> None:
    st.text_area(
        say("Question"),
        key="question",
        placeholder=say("What do you want to know?"),
        height="content",
        label_visibility="collapsed",
        persist_state="session",
        on_change=_forget_question_fault,
    )
    with st.container(key="where", horizontal=True, vertical_alignment="top"):
        _site_chips()
        st.button(
            say("Start"),
            key="begin",
            type="primary",
            icon=":material/arrow_upward:",
            icon_position="right",
            shortcut="Ctrl+Enter",
            on_click=_request_start,
        )


def _site_chips() -> None:
    state = ask_state()
    key = f"sites-{state.sites_version}"

    def keep_sites() -> None:
        """Take the change over before anything else, also where it comes with a change of page."""
        if (chosen := widget_value(key)["sites"]) is not None:
            state.sites = tuple(chosen)

    mount_part(
        "site_chips",
        key,
        sites=list(state.sites),
        names=get_backend().own_sites,
        focus="question",
        on_sites_change=keep_sites,
    )


def _forget_question_fault() -> None:
    ask_state().faults.pop("question", None)


def _request_start() -> None:
    ask_state().start_requested = True


def _choices_fold(offers: Mapping[str, ModelOffer]) -> ExpanderContainer:
    """Holds method, model and limits: shut until it is used, or one of them is not as usual."""
    state = ask_state()
    usual = {"graph": DEFAULT_GRAPH, "model": next(iter(offers)), "measure": usual_preset()}
    differs = any(widget_value(key, value) not in (None, value) for key, value in usual.items())
    if (state.choices_open is None and differs) or state.faults.keys() & {"graph", "model"}:
        state.choices_open = True
    st.session_state[FOLD] = bool(state.choices_open)
    return st.expander(say(FOLDED), key=FOLD, type="compact", on_change=_keep_fold)


def _keep_fold() -> None:
    ask_state().choices_open = bool(widget_value(FOLD))


def _show_choices(graph: str, model: str, preset: str) -> None:
    """What the run will use, in one line."""
    named = say("Built-in rules") if model == OFFLINE else model
    st.markdown(f"**{escape_markdown(' · '.join((name_graph(graph), named, say(preset))))}**")


def _run_choices(offers: Mapping[str, ModelOffer]) -> tuple[str, str, str]:
    """The graph, the model and the budget preset that are chosen."""
    with st.container(key="choices"):
        left, middle, right = st.columns((1, 1, 1.35))
        with left:
            graph = _method_menu()
            _show_faults("graph")
        with middle:
            model = st.selectbox(
                say("Model"),
                tuple(offers),
                key="model",
                accept_new_options=True,
                format_func=lambda line: say("Built-in rules") if line == OFFLINE else line,
                persist_state="session",
            )
            st.caption(escape_markdown(_describe_offer(offers.get(model))))
            _show_faults("model")
        with right:
            preset = choose_preset()
    return graph, model or OFFLINE, preset


def _method_menu() -> str:
    """The graph that is chosen, from a menu that says what each is good for and draws it."""
    graph: str = st.session_state["graph"]
    with st.container(key="method"):
        st.markdown(say("Method"))
        menu = st.popover(_label_method(graph), key="methods", width="stretch", on_change="rerun")
        with menu:
            _method_list(drawn=bool(menu.open))
        st.caption(escape_markdown(describe_graph_use(graph)))
    return graph


@st.fragment
def _method_list(*, drawn: bool) -> None:
    """Runs by itself: with another label the menu would be another one, and closed."""
    names = list_graph_names()
    if (chosen := st.session_state["graph"]) not in names:  # a version, or a graph that is gone
        names = (chosen, *names)
    with st.container(key="method-list"):
        graph = st.radio(
            say("Method"),
            names,
            key="graph",
            format_func=_label_method,
            captions=[escape_markdown(describe_graph_use(name)) for name in names],
            label_visibility="collapsed",
            persist_state="session",
        )
        if drawn and graph:
            _draw_graph(graph)


def _label_method(name: str) -> str:
    """The name of a method, as it has it on every page."""
    return escape_markdown(name_graph(name))


def _draw_graph(name: str) -> None:
    settings = get_backend().settings
    try:
        spec = open_library(settings).resolve_named(name)
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))))
        return
    mount_canvas(
        f"drawing-{name}",
        **describe_graph(spec, 0, load_registry(settings), ()),
        readonly=True,
        diff=None,
        selected=[],
        watch=None,
        height=DRAWING_HEIGHT,
    )


def _describe_offer(offer: ModelOffer | None) -> str:
    return say_told(offer.about).replace("$", "USD ") if offer else say("As typed")


def _show_cost(model: str, budget: Budget, rounds: RoundLimits, *, keyless: bool) -> None:
    """The most that the run can cost; a link to the settings if no model has a key."""
    office = get_backend()
    try:
        cost = max_cost(model, office.settings, budget)
    except ForagerError:
        cost = None
    limits = describe_budget(budget, offline=model == OFFLINE)
    limits = f"{limits} {_describe_rounds(budget, rounds, offline=model == OFFLINE)}".strip()
    if model == OFFLINE:
        nothing = local_dollars(0)
        text = say("This run will cost **{dollars}**: {limits}", dollars=nothing, limits=limits)
    elif cost is None:
        name = escape_markdown(model)
        text = say("The price of {model} is not known: {limits}", model=name, limits=limits)
    else:
        dollars = local_dollars(cost)
        text = say(
            "This run will cost **at most {dollars}**: {limits}", dollars=dollars, limits=limits
        )
    st.markdown(text.replace("$", r"\$"))
    if keyless:
        st.page_link(refer_to_page("settings"), label=say("Add a model key"), icon=":material/key:")


def _describe_rounds(budget: Budget, rounds: RoundLimits, *, offline: bool) -> str:
    """How many of the best-ranked pages are visited, in one sentence; empty if there is no limit.

    A question that sets the number itself is not held to the smaller one without a model.
    """
    if offline and rounds.offline and budget.rounds is None:
        return say(
            "{n} rounds, and one more for each further sub-question; a site of at most {whole} "
            "pages is read whole.",
            n=rounds.offline,
            whole=rounds.whole,
        )
    found = [each for each in (rounds.most, budget.rounds) if each is not None]
    return say_count(min(found), "At most {n} round.", "At most {n} rounds.") if found else ""


def _show_passed_over() -> None:
    """Why an endpoint of the settings is not the model that comes by itself, if it failed."""
    settings = get_backend().settings
    if default_line(settings) == AUTO and (fault := find_model(settings).passed_over):
        with st.container(key="passed-over", horizontal=True, vertical_alignment="center"):
            told = escape_markdown(say_told(fault))
            why = say("Your endpoint is not used unless you choose it: {fault}", fault=told)
            st.markdown(f":material/warning: {why}", width="content")
            label, part = say("Mend it in Settings"), {"part": "models"}
            st.page_link(refer_to_page("settings"), label=label, query_params=part)


def _show_faults(*fields: str) -> None:
    """What is wrong with these fields, and how to mend it, until the next try."""
    faults = ask_state().faults
    for name in fields:
        if text := faults.get(name):
            with st.container(key=f"fault-{name}"):
                st.error(escape_markdown(say_told(text)), icon=":material/cancel:")
            if name == "model" and "://" in widget_value("model", ""):
                label, icon = say("Add the address in Settings"), ":material/add_link:"
                part = {"part": "models"}
                st.page_link(refer_to_page("settings"), label=label, icon=icon, query_params=part)
            if name == "sites" and (fault := ask_state().site_fault):
                repair_button(
                    fault, later("Allow {host} and start"), _allow_and_start, _correct_and_start
                )


def _allow_and_start(fault: SiteFault) -> None:
    state = ask_state()
    state.allowed_hosts, state.start_requested = fault.private, True


def _correct_and_start(fault: SiteFault) -> None:
    state = ask_state()
    state.fill_sites(replace_site(state.sites, fault))
    state.start_requested = True


def start_run(wanted: RunRequest) -> None:
    """Start a run, to be opened when the script runs next, or keep the faults of the form."""
    faults: dict[str, str] = {}
    state = ask_state()
    state.forget_start()  # not sooner: nothing from here to the end lets a newer run end this one
    state.site_fault = None
    try:
        state.site_fault = _start(wanted)
    except QuestionError as error:
        faults["sites" if "sites" in error.what else "question"] = str(error)
    except AddressError as error:
        faults["sites"] = str(error)
    except GraphError as error:
        faults["graph"] = str(error)
    except ForagerError as error:
        faults["model"] = str(error)
    if fault := state.site_fault:
        faults["sites"] = describe_fault(fault)
    state.faults = faults
    st.rerun()


def _start(wanted: RunRequest) -> SiteFault | None:
    """Start it, unless one of its sites has a fault, which is returned."""
    office = get_backend()
    question, graph, model, values = wanted
    if fault := office.sessions.call(lambda to: find_site_fault(to, question, model)):
        return fault
    line = settle_models(model, office.settings, question.budget)
    given: dict[str, JsonValue] = dict(values)
    id = office.sessions.call(lambda to: to.start(question, graph, line, values=given))
    office.run(id)
    state = ask_state()
    state.started, state.started_question = id, question.text
    return None


def _example_buttons(model: str) -> None:
    """Questions that are asked with what the form has chosen, as it shows."""
    with st.container(key="examples"):
        title, more = say("Or try one of these"), say("with the method, model and budget above")
        if model == OFFLINE:
            more = say("with the choices above; takes under a minute, needs no key")
        st.markdown(f"**{title}** &nbsp; :small[:gray[{more}]]")
        columns = st.columns(2, gap="medium")
        for place, asked in enumerate(QUESTIONS):
            about = f"{asked.site.title} · {say_told(asked.needs)}"
            with columns[place % 2], st.container(key=f"example-{place}"):
                st.button(
                    f"{escape_markdown(asked.text)} :small[{about}]",
                    key=f"ask-{place}",
                    type="tertiary",
                    on_click=_request_example,
                    args=(place,),
                    width="stretch",
                )
        _own_site_buttons()


def _own_site_buttons() -> None:
    """The sites that ship with Forager, to be asked a question of one's own."""
    with st.container(key="own-sites", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(say("Or ask your own question about"), width="content")
        for place, (root, name) in enumerate(get_backend().own_sites.items()):
            st.button(
                escape_markdown(name),
                key=f"own-site-{place}",
                type="tertiary",
                icon=":material/check:" if root in ask_state().sites else ":material/add:",
                on_click=_toggle_site,
                args=(root,),
            )


def _toggle_site(root: str) -> None:
    state = ask_state()
    others = tuple(site for site in state.sites if site != root)
    state.fill_sites(others if root in state.sites else (*others, root))


def _request_example(number: int) -> None:
    ask_state().example = number
