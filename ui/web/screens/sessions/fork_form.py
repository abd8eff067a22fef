"""The form that forks a session from one of its steps."""

from typing import Final

import streamlit as st

from forager.domain.spend import Budget
from forager.errors import ForagerError
from graphs.sessions.migrate import PendingNode
from graphs.sessions.model_choice import OFFLINE, list_offers, settle_models
from graphs.sessions.service import ForkChange, HistoryPoint, Session
from graphs.spec.spec import GraphSpec, preset_names
from ui.server.backend import get_backend
from ui.web.graph_names import list_graph_names, name_graph
from ui.web.page_links import refer_to_page
from ui.web.words import say, say_told

PINNED: Final = ""
MOST_PAGES: Final = 10_000


def fork_form(
    session: Session, turn: int | None, step: HistoryPoint, choice: int | None = None
) -> None:
    """A new session that continues from the step, with what the form changes.

    The last page was chosen after the step `choice`: until there, a hint counts for certain.
    """
    st.markdown("##### " + say("Fork from step {number}", number=step.number))
    graph = st.selectbox(
        say("Method"),
        [PINNED, *sorted(list_graph_names(), key=lambda name: name in preset_names())],
        format_func=lambda name: (
            name_graph(name)
            if name
            else say("{graph}, as in this session", graph=name_graph(session.graph))
        ),
        key=f"fork-graph-{session.id}-{step.number}",
        accept_new_options=True,
    )
    pending = pending_nodes(session, turn, step, graph) if graph else ()
    if pending is None:
        return
    # One form for all steps: a click on it counts while it is drawn anew for another.
    with st.form(f"fork-{session.id}", border=False):
        mapping = {each.node: choose_target(each, f"{step.number}-{graph}") for each in pending}
        late = choice if choice and step.number > choice else None
        change = _changes(session, graph or PINNED, mapping, late)
        pressed = st.form_submit_button(
            say("Fork and run"), type="primary", icon=":material/fork_right:"
        )
    if pressed:
        _fork_session(session, turn, step, change)


def _changes(session: Session, graph: str, mapping: dict[str, str], late: int | None) -> ForkChange:
    """The changes that the form describes; a hint may be `late` for the choice after a step."""
    with st.container():  # always there: the field below would lose what is typed if it moved
        if late:
            st.caption(
                say(
                    "The last page was chosen after step {number}. From a later step, a hint "
                    "counts only if another page is chosen.",
                    number=late,
                )
            )
    hint = st.text_input(say("Hint"), placeholder=say("Where to look, or what to make of it"))
    left, right = st.columns(2)
    budget = session.question.budget
    pages = left.number_input(
        say("Pages"), 1, MOST_PAGES, value=budget.pages, placeholder=say("no limit")
    )
    models = dict.fromkeys(
        (session.model, *(each.line for each in list_offers(get_backend().settings)))
    )
    model = right.selectbox(
        say("Model"),
        list(models),
        accept_new_options=True,
        format_func=lambda line: say("Built-in rules") if line == OFFLINE else line,
    )
    with st.expander(say("Sites")):
        sites = st.multiselect(say("Also read"), [], accept_new_options=True)
        forbid = st.multiselect(say("Do not read"), [], accept_new_options=True)
    return ForkChange(
        hint=hint,
        sites=tuple(sites),
        forbid=tuple(forbid),
        budget=Budget(pages=pages) if pages != budget.pages else None,
        model=model or "",
        graph=graph,
        mapping={node: target for node, target in mapping.items() if target != node},
    )


def pending_nodes(
    session: Session, turn: int | None, step: HistoryPoint, graph: str | GraphSpec
) -> tuple[PendingNode, ...] | None:
    """The nodes that are to run next, in the other graph; None if it cannot continue, with why."""
    name = graph if isinstance(graph, str) else graph.name
    try:
        move = get_backend().sessions.call(
            lambda sessions: sessions.forks.plan_move(
                session.id, graph, None, step.number, turn=turn
            )
        )
    except ForagerError as error:
        st.text(say_told(str(error)))
        return None
    if move.differences:
        with st.expander(say("Differences in {graph}", graph=name)):
            for change in move.differences:
                st.text(str(change))
    for each in move.pending:
        if not each.choices:
            st.text(say("{graph} cannot continue here: {reason}", graph=name, reason=each.reason))
            return None
    return move.pending


def choose_target(pending: PendingNode, place: str) -> str:
    """The node where a pending one continues: itself if it can, else the one that is chosen."""
    if not pending.reason and not pending.note:
        return pending.node
    text = pending.reason or pending.note.partition(": ")[0]
    st.text(text[0].upper() + text[1:])
    return st.selectbox(
        say("{node} continues at", node=pending.node),
        pending.choices,
        key=f"goes-on-{pending.node}-{place}",
    )


def _fork_session(
    session: Session, turn: int | None, step: HistoryPoint, change: ForkChange
) -> None:
    office = get_backend()
    try:
        if change.model and change.model != session.model:
            line = settle_models(
                change.model, office.settings, change.budget or session.question.budget
            )
            change = change.model_copy(update={"model": line})
        new = office.sessions.call(
            lambda sessions: sessions.forks.fork(session.id, step.number, change, turn=turn)
        )
    except ForagerError as error:
        st.text(say_told(str(error)))
        return
    office.run(new)
    st.switch_page(refer_to_page("ask"), query_params={"session": new})
