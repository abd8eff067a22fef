"""A session continued in the graph that is open: the last one that ran it, from its last step."""

from typing import Final

import streamlit as st

from forager.errors import ForagerError
from graphs.sessions.service import ForkChange, HistoryPoint, ListedLine, Session, Sessions
from graphs.spec.spec import END
from ui.server.backend import get_backend
from ui.web.components.dialog import dialog
from ui.web.markdown import escape_markdown
from ui.web.screens.graphs.draft_run.draft_actions import draft_runs, halts_of
from ui.web.screens.graphs.editor_state import editor_state
from ui.web.screens.graphs.open_graph import OpenGraph
from ui.web.screens.sessions.fork_form import choose_target, pending_nodes
from ui.web.words import later, local_time, say, say_told

MOST_SESSIONS: Final = 50


@dialog(later("Continue a session here"))
def continue_dialog(now: OpenGraph) -> None:
    """Choose a session and a step, and fork it there, with the graph as it is drawn."""
    sessions = {each.line.id: each for each in _list_sessions(now)}
    if not sessions:
        st.caption(say("There is no session yet. Run the method, and it can be continued here."))
        return
    id = st.selectbox(
        say("Session"),
        list(sessions),
        format_func=lambda id: _describe_session(sessions[id]),
        key="continued-session",
    )
    try:
        session, step = _find_session(id), _choose_step(id)
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
        return
    if step is None:
        st.caption(say("This session has no step from which it could be continued."))
        return
    pending = pending_nodes(session, None, step, now.whole)
    if pending is None:
        return
    targets = {each.node: choose_target(each, f"here-{id}-{step.number}") for each in pending}
    st.caption(
        say(
            "A new session continues in {graph}. This one stays as it is.",
            graph=escape_markdown(now.name),
        )
    )
    if st.button(say("Fork and run"), type="primary", icon=":material/fork_right:"):
        mapping = {node: target for node, target in targets.items() if target != node}
        _fork_session(now, id, step, ForkChange(graph=now.whole, mapping=mapping))


def _list_sessions(now: OpenGraph) -> list[ListedLine]:
    """The newest sessions; first those that ran this graph, then those of the one it is from."""
    found = get_backend().sessions.call(lambda sessions: sessions.listing.search())
    origin = now.origin.partition("@")[0]
    nearest = sorted(
        found, key=lambda each: (each.line.graph != now.name, each.line.graph != origin)
    )
    return nearest[:MOST_SESSIONS]


def _describe_session(each: ListedLine) -> str:
    line = each.line
    name = line.title or line.first_question or line.question
    return f"{name} · {line.graph} · {local_time(line.created)}"


def _find_session(id: str) -> Session:
    return get_backend().sessions.call(lambda sessions: sessions.get(id))


def _choose_step(id: str) -> HistoryPoint | None:
    """A step with something left to do; the one that is suggested is chosen at first."""

    async def find(sessions: Sessions) -> tuple[tuple[HistoryPoint, ...], HistoryPoint | None]:
        return await sessions.history.checkpoints(id), await sessions.forks.suggest_step(id)

    points, suggested = get_backend().sessions.call(find)
    if suggested is None:
        return None
    steps = {each.number: each for each in reversed(points) if each.next != (END,)}
    number = st.selectbox(
        say("Step"),
        list(steps),
        index=list(steps).index(suggested.number),
        format_func=lambda number: _describe_step(steps[number]),
        key=f"continued-step-{id}",
    )
    return steps[number]


def _describe_step(step: HistoryPoint) -> str:
    ran = ", ".join(map(say_told, dict.fromkeys(step.ran))) or say("start")
    onward = ", ".join(dict.fromkeys(step.next))
    return f"{step.number} · {ran} · " + say("Next: {nodes}", nodes=onward)


def _fork_session(now: OpenGraph, id: str, step: HistoryPoint, change: ForkChange) -> None:
    """Fork it, and show the fork on the drawing."""
    try:
        new = get_backend().sessions.call(
            lambda sessions: sessions.forks.fork(id, step.number, change)
        )
        get_backend().run(new, halts_of(now, step=False))
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
        return
    state = editor_state()
    state.runs[now.name], state.side_hidden = new, False
    draft_runs().open = True
    st.rerun()
