"""The form that forks a session from one of its steps."""

from typing import Final

import streamlit as st

from forager.errors import ForagerError, GraphError, SessionError
from forager.spend import Budget
from graphs.costs import OFFLINE, offered
from graphs.models import settle
from graphs.moving import refuse_move
from graphs.own import registry
from graphs.sessions import Otherwise, Point, Session
from graphs.spec import GraphSpec, load, presets
from ui.server.office import here

PINNED: Final = ""
MOST_PAGES: Final = 10_000


def fork_form(session: Session, turn: int | None, at: Point) -> None:
    """A new session that goes on from the step, changed as the form says."""
    graphs, others = fitting(session, at)
    with st.form(f"fork-{session.id}-{at.number}", border=False):
        st.markdown(f"##### Fork from step {at.number}")
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
        graph = st.selectbox(
            "Graph",
            [PINNED, *graphs],
            format_func=lambda name: name or f"{session.graph}, as pinned",
        )
        with st.expander("Sites"):
            sites = st.multiselect("Read too", [], accept_new_options=True)
            forbid = st.multiselect("Do not read", [], accept_new_options=True)
        if others:
            with st.expander("Graphs that cannot go on here"):
                for name, why in others.items():
                    st.text(f"{name}: {why}")
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
        )
        _fork(session, turn, at, change)


def fitting(session: Session, at: Point) -> tuple[list[str], dict[str, str]]:
    """The graphs that can go on after a step, and why each of the others cannot."""
    old = GraphSpec.model_validate_json(session.graph_body)
    types = registry(here().settings)
    good: list[str] = []
    bad: dict[str, str] = {}
    for name in presets():
        new = load(name)
        if new.hash == old.hash:
            continue
        try:
            refuse_move(old, new, at.next, types)
        except (SessionError, GraphError) as error:
            bad[name] = error.what.partition(": ")[2] or error.what
        else:
            good.append(name)
    return good, bad


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
