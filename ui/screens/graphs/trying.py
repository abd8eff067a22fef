"""The dialog that asks two graphs the same questions and lays the figures side by side."""

from typing import Final

import streamlit as st

from forager.domain.spend import Budget
from forager.errors import ForagerError
from graphs.experiments.trial import Named, Trial, checked, chosen, read, result_file, typed
from graphs.sessions.model_choice import OFFLINE, offered, settle
from ui.screens.graph_names import graph_names
from ui.server.backend import get_backend as here
from ui.server.graph_trials import TrialStatus as Stand

MOST_PAGES: Final = 10_000
EVERY: Final = 1.0
GOING: Final = "trial"
COLUMNS: Final = {
    "graph": "Graph",
    "questions": "Questions",
    "right": "Right, %",
    "loads": "Page loads",
    "fetched": "Fetched",
    "calls": "Calls",
    "tokens": "Tokens",
    "usd": "US dollars",
    "seconds": "Seconds",
}


@st.dialog("Try two versions", width="large")
def try_dialog(graph: str | Named, other: str = "") -> None:
    """Choose two, ask, and see what they made of it; it goes on when the dialog is closed.

    A graph that is not saved has its name and itself.
    """
    if st.session_state.get(GOING):
        _watched()
        return
    names = graph_names()
    left, right = st.columns(2)
    own = graph if isinstance(graph, str) else graph[0]
    offers = dict.fromkeys((own, *names))
    first = left.selectbox("Graph", list(offers), accept_new_options=True)
    against = list(dict.fromkeys(each for each in (other, *names) if each and each != own))
    second = right.selectbox("Against", against, accept_new_options=True)
    with st.form("try", border=False):
        said = st.text_area("Questions", placeholder="One on each line")
        sites = st.text_input("Sites", placeholder="https://docs.example/ https://more.example/")
        filed = st.file_uploader("Or a file of questions with answers", type=["jsonl"])
        pages, model = _limits()
        pressed = st.form_submit_button("Try both", type="primary", icon=":material/balance:")
    if not pressed:
        return
    try:
        asked = [typed(line, sites.split()) for line in said.splitlines() if line.strip()]
        from_file = read(filed.getvalue().decode("utf-8", "replace")) if filed else ()
        settings, budget = here().settings, Budget(pages=pages)
        trial = Trial(
            records=checked((*from_file, *asked), {}),
            graphs=chosen(settings, graph if first == own else first or "", second or ""),
            model=settle(model, settings, budget),
            sites={},
            budget=budget,
            out=result_file(settings),
        )
        st.session_state[GOING] = here().trials.begin(trial, settings, here().closing)
    except ForagerError as error:
        st.error(str(error))
        return
    st.rerun(scope="fragment")


def _limits() -> tuple[int, str]:
    left, right = st.columns(2)
    pages = left.number_input("Pages for each question", 1, MOST_PAGES, value=20)
    lines = dict.fromkeys(each.line for each in offered(here().settings))
    model = right.selectbox(
        "Model", list(lines), format_func=lambda line: "Offline" if line == OFFLINE else line
    )
    return int(pages), model or OFFLINE


@st.fragment(run_every=EVERY)
def _watched() -> None:
    """How far it has come."""
    name, office = st.session_state[GOING], here()
    try:
        now = office.trials.now(name, office.settings)
    except ForagerError as error:
        st.error(str(error))
        return
    if now.going:
        st.progress(now.asked / now.of, text=f"{now.asked} of {now.of} asked")
    if now.error:
        st.error(now.error)
    _told(now)
    with st.container(horizontal=True):
        if now.going and st.button("Stop", icon=":material/stop:"):
            office.trials.stop(name)
        st.page_link(
            st.Page(_elsewhere, title="Bench", url_path="bench"),
            label="Every question",
            icon=":material/table:",
            query_params={"file": name},
        )
        if not now.going and st.button("Try others", icon=":material/refresh:"):
            del st.session_state[GOING]
            st.rerun(scope="app")


def _told(now: Stand) -> None:
    rows = []
    for each in now.graphs:
        cells = each.model_dump()
        cells["right"] = None if each.right is None else round(100 * each.right)
        rounded = {
            key: round(cell, 4) if isinstance(cell, float) else cell for key, cell in cells.items()
        }
        rows.append({title: rounded[key] for key, title in COLUMNS.items()})
    if rows:
        st.dataframe(rows, hide_index=True)
    for id, graph in now.apart.items():
        st.text(f"{id}: only {graph} is right")


def _rounded(cell: str | float | None) -> str | float | None:
    return round(cell, 4) if isinstance(cell, float) else cell


def _elsewhere() -> None:
    """The page is known by its address."""
