"""The form that forks a session from one of its steps."""

from typing import Final

import streamlit as st

from forager.domain.spend import Budget
from forager.errors import ForagerError
from graphs.sessions.migrate import Pending
from graphs.sessions.model_choice import OFFLINE, offered, settle
from graphs.sessions.service import Otherwise, Point, Session
from ui.screens.graph_names import graph_names
from ui.server.backend import get_backend as here

PINNED: Final = ""
MOST_PAGES: Final = 10_000


def fork_form(session: Session, turn: int | None, at: Point) -> None:
    """A new session that goes on from the step, changed as the form says."""
    st.markdown(f"##### Fork from step {at.number}")
    graph = st.selectbox(
        "Graph",
        [PINNED, *graph_names()],
        format_func=lambda name: name or f"{session.graph}, as pinned",
        key=f"fork-graph-{session.id}-{at.number}",
        accept_new_options=True,
    )
    pending = _pending(session, turn, at, graph) if graph else ()
    if pending is None:
        return
    with st.form(f"fork-{session.id}-{at.number}", border=False):
        mapping = {each.node: goes_on(each, f"{at.number}-{graph}") for each in pending}
        hint = st.text_input("Hint", placeholder="Where to look, or what to make of it")
        left, right = st.columns(2)
        budget = session.question.budget
        pages = left.number_input("Pages", 1, MOST_PAGES, value=budget.pages)
        models = dict.fromkeys((session.model, *(each.line for each in offered(here().settings))))
        model = right.selectbox(
            "Model",
            list(models),
            accept_new_options=True,
            format_func=lambda line: "Offline" if line == OFFLINE else line,
        )
        with st.expander("Sites"):
            sites = st.multiselect("Read too", [], accept_new_options=True)
            forbid = st.multiselect("Do not read", [], accept_new_options=True)
        pressed = st.form_submit_button(
            "Fork and run", type="primary", icon=":material/fork_right:"
        )
    if pressed:
        change = Otherwise(
            hint=hint,
            sites=tuple(sites),
            forbid=tuple(forbid),
            budget=Budget(pages=pages) if pages != budget.pages else None,
            model=model or "",
            graph=graph or PINNED,
            mapping={node: to for node, to in mapping.items() if to != node},
        )
        _fork(session, turn, at, change)


def _pending(
    session: Session, turn: int | None, at: Point, graph: str
) -> tuple[Pending, ...] | None:
    """What is to run next, as the graph takes it; None where it cannot, and why is said."""
    try:
        move = here().desk.call(
            lambda sessions: sessions.moving(session.id, graph, None, at.number, turn=turn)
        )
    except ForagerError as error:
        st.text(str(error))
        return None
    if move.differences:
        with st.expander(f"What differs in {graph}"):
            for change in move.differences:
                st.text(str(change))
    for each in move.pending:
        if not each.choices:
            st.text(f"{graph} cannot go on here: {each.reason}")
            return None
    return move.pending


def goes_on(pending: Pending, place: str) -> str:
    """Where a node that is to run next goes on: as it is where it can, or as it is chosen."""
    if not pending.reason and not pending.note:
        return pending.node
    told = pending.reason or pending.note.partition(": ")[0]
    st.text(told[0].upper() + told[1:])
    return st.selectbox(
        f"{pending.node} goes on at", pending.choices, key=f"goes-on-{pending.node}-{place}"
    )


def _fork(session: Session, turn: int | None, at: Point, change: Otherwise) -> None:
    office = here()
    try:
        if change.model and change.model != session.model:
            line = settle(change.model, office.settings, change.budget or session.question.budget)
            change = change.model_copy(update={"model": line})
        new = office.desk.call(
            lambda sessions: sessions.fork(session.id, at.number, change, turn=turn)
        )
    except ForagerError as error:
        st.text(str(error))
        return
    office.run(new)
    st.query_params["session"] = new
    st.rerun()
