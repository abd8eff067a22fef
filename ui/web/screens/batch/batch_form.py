"""The form of a new batch: the file is checked, and shown, before anything is asked."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

import streamlit as st

from forager.domain.spend import Budget
from forager.errors import ForagerError
from graphs.runtime.validation import site_address
from graphs.sessions.model_choice import OFFLINE, list_offers, max_cost, settle_models
from graphs.spec.library import open_library
from graphs.system.batch.batch_rows import COLUMNS, BatchRow, parse_file
from graphs.system.batch.batch_run import BatchOptions
from graphs.system.batch.batch_shelf import MOST_BYTES
from graphs.system.site_check import SiteFault, find_fault_of
from ui.server.backend import get_backend
from ui.web.graph_names import DEFAULT_GRAPH, list_graph_names, name_graph
from ui.web.markdown import escape_markdown
from ui.web.screens.ask.ask_state import ask_state
from ui.web.screens.ask.site_repair import allow_host, describe_fault, repair_button
from ui.web.words import later, local_dollars, local_number, say, say_count, say_told

MOST_AT_ONCE: Final = 50
MOST_PAGES: Final = 100_000
EXAMPLE: Final = '{"question": "…", "sites": ["https://…"]}'
FILE_HELP: Final = later(
    "CSV with a column question, or one JSON object per line: {example}. Further columns: {more}."
)
TEMPLATE: Final = """question,sites
How high is it?,https://docs.example/
Who wrote it?,https://docs.example/ https://more.example/
"""
START: Final = "batch-start"
MOST_LOOKED_UP: Final = 50
"""The hosts of so many sites are looked up before a batch starts."""
SHOWN: Final = 3
"""So many questions of a file are shown before it is started."""


def batch_form() -> str:
    """Choose a file and how it is asked, and start; the id of the batch then, else empty."""
    more = ", ".join(name for name in COLUMNS if name != "question")
    file = st.file_uploader(
        say("Questions"),
        type=["csv", "jsonl", "json", "txt"],
        help=say(FILE_HELP, example=EXAMPLE, more=more),
        key="batch-file",
    )
    if file is None:
        st.caption(say("CSV or JSON lines, at most {n} MB.", n=MOST_BYTES // 1_000_000))
        _offer_template()
        return ""
    try:
        rows, skipped = parse_file(file.name, file.getvalue(), MOST_BYTES)
    except ForagerError as error:
        _show_error(error)
        return ""
    _preview(rows, skipped)
    sites = st.text_input(
        say("Sites"),
        key="batch-sites",
        placeholder="https://docs.example/ https://more.example/",
        help=say("Front pages, for rows that name none. Without any, the web is searched."),
    )
    left, right = st.columns(2)
    names = list(dict.fromkeys((DEFAULT_GRAPH, *list_graph_names())))
    graph = left.selectbox(
        say("Method"), names, format_func=name_graph, accept_new_options=True, key="batch-graph"
    )
    lines = list(dict.fromkeys(each.line for each in list_offers(get_backend().settings)))
    model = right.selectbox(
        say("Model"),
        lines,
        format_func=lambda line: say("Built-in rules") if line == OFFLINE else line,
        accept_new_options=True,
        key="batch-model",
    )
    budget, at_once = _limits(offline=model == OFFLINE)
    _show_cost(model or OFFLINE, budget, len(rows))
    allow_host()
    started = st.button(say("Start"), type="primary", icon=":material/play_arrow:")
    if not (started or st.session_state.pop(START, False)):
        return ""
    chosen = tuple(sites.split()), graph or DEFAULT_GRAPH, model or OFFLINE
    try:
        if fault := _find_private(rows, chosen):
            st.error(escape_markdown(describe_fault(fault)), icon=":material/cancel:")
            repair_button(
                fault, later("Allow {host} and start"), _allow_and_start, _allow_and_start
            )
            return ""
        return start_batch(file.name, file.getvalue(), chosen, budget, at_once)
    except ForagerError as error:
        _show_error(error)
        return ""


def _find_private(
    rows: Sequence[BatchRow], chosen: tuple[Sequence[str], str, str]
) -> SiteFault | None:
    """The private hosts among the sites of the rows, if there are any; other faults are theirs."""
    common, _, model = chosen
    named = (site_address(site) for row in rows for site in row.sites or common)
    roots = dict.fromkeys(urlsplit(site)._replace(path="/").geturl() for site in named)
    sites = list(roots)[:MOST_LOOKED_UP]
    fault = get_backend().sessions.call(lambda to: find_fault_of(to, sites, model))
    return fault if fault and fault.private else None


def _allow_and_start(fault: SiteFault) -> None:
    ask_state().allowed_hosts = fault.private
    st.session_state[START] = True


def start_batch(
    name: str, data: bytes, chosen: tuple[Sequence[str], str, str], budget: Budget, at_once: int
) -> str:
    """Keep the questions and start to answer them with sites, graph and model; the batch's id.

    Raises UsageError and GraphError before anything is kept, and StoreError.
    """
    office = get_backend()
    sites, graph, model = chosen
    options = BatchOptions(
        graph=open_library(office.settings).resolve_named(graph),
        model=settle_models(model, office.settings, budget),
        budget=budget,
        sites=tuple(sites),
        at_once=at_once,
    )
    id = office.batches.add(name, data)
    office.batches.start(id, options)
    return id


def _offer_template() -> None:
    st.download_button(
        say("Template as CSV"),
        data=TEMPLATE,
        file_name="questions.csv",
        key="batch-template",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
    )


def _preview(rows: Sequence[BatchRow], skipped: int) -> None:
    """How many questions there are, and the first of them, and how many rows have none."""
    st.caption(say_count(len(rows), "{n} question, such as:", "{n} questions, such as:"))
    for row in rows[:SHOWN]:
        st.text(" · ".join((f"{row.id}. {row.question}", *row.sites)))
    if skipped:
        st.caption(say_count(skipped, "{n} empty row was skipped.", "{n} empty rows were skipped."))
    if own := sum(bool(row.sites) for row in rows):
        st.caption(say_count(own, "{n} row names its own sites.", "{n} rows name their own sites."))
    if without := sum(not row.sites for row in rows):
        st.caption(
            say_count(
                without,
                "{n} row names no site: it reads those below.",
                "{n} rows name no site: they read those below.",
            )
        )


def _limits(*, offline: bool) -> tuple[Budget, int]:
    """The limits of each question, and how many are asked at once."""
    columns = st.columns(2 if offline else 3)
    pages = columns[0].number_input(
        say("Pages per question"), 1, MOST_PAGES, value=200, key="batch-pages"
    )
    dollars = None
    if not offline:
        dollars = columns[1].number_input(
            say("US dollars per question"),
            min_value=0.01,
            value=None,
            placeholder=say("no limit"),
            format="%g",
            key="batch-usd",
        )
    at_once = columns[-1].number_input(
        say("Questions at once"), 1, MOST_AT_ONCE, value=4, key="batch-at-once"
    )
    return Budget(pages=int(pages), usd=dollars), int(at_once)


def _show_cost(model: str, budget: Budget, rows: int) -> None:
    """The most that all rows can cost."""
    try:
        cost = max_cost(model, get_backend().settings, budget)
    except ForagerError:
        cost = None
    if cost == 0:
        return
    many = local_number(rows)
    if cost is None:
        text = say("No limit in dollars is set for these {n} questions.", n=many)
    else:
        text = say(
            "At most {dollars} for {n} questions.", dollars=local_dollars(cost * rows), n=many
        )
    st.caption(text.replace("$", r"\$"))


def _show_error(error: ForagerError) -> None:
    st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
