"""Instructions on a step that a session recorded: what would be sent, and two of them compared."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import streamlit as st

from forager.errors import ForagerError
from graphs.reports.trace import NodeRun
from graphs.sessions.debugging.node_trial import PromptPreview
from graphs.sessions.inspection import NodeWork
from graphs.sessions.listing import ListedLine, find_sessions
from graphs.sessions.model_choice import OFFLINE
from graphs.sessions.service import Sessions
from graphs.spec.spec import GraphSpec
from ui.server.backend import get_backend
from ui.web.components.code_editor import code_editor
from ui.web.markdown import escape_markdown
from ui.web.words import local_number, local_time, say, say_count, say_told

MOST_SESSIONS: Final = 20
HEIGHT: Final = 300
PREVIEW, TRIED, SHOWN = "prompt-preview", "prompt-trial", "prompt-shown-first"
MOST_LOOKED_AT: Final = 5
BARREN: Final = frozenset({"nothing", "none", "failed", "exhausted", "empty", "stop"})
"""Routes of a step that had little to work on."""


class PromptTrial(NamedTuple):
    """A node in the drawing (`place`), as it is drawn, and with the instructions as typed."""

    place: str
    task: str
    drawn: GraphSpec
    typed: GraphSpec
    graphs: tuple[str, ...]
    before: str


def recorded_step(trial: PromptTrial) -> None:
    """Choose a step, look at the prompt for it, or have both instructions answered."""
    sessions = [
        each for each in find_sessions(get_backend().settings) if each.line.graph in trial.graphs
    ][:MOST_SESSIONS]
    if not sessions:
        st.caption(say("No session of this method yet. Run it, and its steps can be chosen here."))
        return
    left, right = st.columns([3, 2])
    chosen = left.selectbox(
        say("Session"),
        sessions,
        index=_richest_session(trial.place, sessions),
        format_func=_name_session,
        key=f"step-session-{trial.place}",
    )
    runs = _find_runs(chosen.line.id, trial.place)
    if not runs:
        st.caption(say("This node did not run there."))
        return
    ran = right.selectbox(
        say("Step"),
        runs,
        index=_richest_run(runs),
        format_func=lambda each: f"{runs.index(each) + 1} · {each.message or each.route}",
        key=f"step-run-{trial.place}-{chosen.line.id}",
    )
    key = f"{trial.place}-{trial.task}-{chosen.line.id}-{ran.seq}"
    asks_model = chosen.line.model not in ("", OFFLINE)
    with st.container(horizontal=True):
        previews = st.button(say("Show the prompt"), icon=":material/visibility:")
        compares = st.button(
            say("Ask with both"),
            icon=":material/balance:",
            disabled=not asks_model or trial.drawn == trial.typed,
            help=_why_not(trial, asks_model=asks_model),
        )
    try:
        if previews:
            st.session_state[PREVIEW] = (key, _preview(trial, chosen.line.id, ran.seq))
            st.session_state[SHOWN] = PREVIEW
        if compares:
            with st.spinner(say("Asking the model")):
                st.session_state[TRIED] = (key, _ask_with_both(trial, chosen.line.id, ran.seq))
            st.session_state[SHOWN] = TRIED
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
        return
    parts = {PREVIEW: _show_prompts, TRIED: _show_both}
    for name in sorted(parts, key=lambda each: each != st.session_state.get(SHOWN)):
        if found := _kept(name, key):
            parts[name](trial, found)


def _why_not(trial: PromptTrial, *, asks_model: bool) -> str | None:
    if not asks_model:
        return say("That session has no model, and the built-in rules read no instructions.")
    return say("Change the instructions first.") if trial.drawn == trial.typed else None


def _name_session(each: ListedLine) -> str:
    line = each.line
    return f"{line.title or line.first_question or line.question} · {local_time(line.created)}"


def _find_runs(id: str, place: str) -> list[NodeRun]:
    trace = get_backend().sessions.call(lambda sessions: sessions.inspection.trace(id))
    return [ran for ran in trace if ran.node == place and ran.ended is not None]


def _has_material(ran: NodeRun) -> bool:
    """Did the node have something to work on there, as far as its outcome tells?"""
    return ran.status == "done" and ran.route not in BARREN and not ran.message.startswith("0 ")


def _richest_run(runs: Sequence[NodeRun]) -> int:
    """The place of the first run with material, or the first."""
    return next((place for place, ran in enumerate(runs) if _has_material(ran)), 0)


def _richest_session(place: str, sessions: Sequence[ListedLine]) -> int:
    """The place of the newest session where the node had material; the newest if there is none."""
    key = f"step-richest-{place}-{sessions[0].line.id}"
    if key not in st.session_state:
        rich = (
            number
            for number, each in enumerate(sessions[:MOST_LOOKED_AT])
            if any(map(_has_material, _find_runs(each.line.id, place)))
        )
        st.session_state[key] = next(rich, 0)
    number: int = st.session_state[key]
    return number


def _preview(trial: PromptTrial, id: str, at: int) -> tuple[PromptPreview, ...]:
    found = get_backend().sessions.call(
        lambda sessions: sessions.node_trials.preview(id, trial.place, trial.typed, at)
    )
    return tuple(each for each in found if each.task == trial.task)


def _ask_with_both(trial: PromptTrial, id: str, at: int) -> tuple[NodeWork, NodeWork]:
    async def ask(sessions: Sessions) -> tuple[NodeWork, NodeWork]:
        one, other = await asyncio.gather(
            *(
                sessions.node_trials.try_node(id, trial.place, graph, at)
                for graph in (trial.drawn, trial.typed)
            )
        )
        return one.tried, other.tried

    return get_backend().sessions.call(ask)


def _kept(name: str, key: str) -> Any:
    """What was found for this step, if that was the last one."""
    of, found = st.session_state.get(name, ("", None))
    return found if of == key else None


def _show_prompts(trial: PromptTrial, prompts: tuple[PromptPreview, ...]) -> None:
    if not prompts:
        st.caption(say("At this step the node did not ask for it."))
    for number, prompt in enumerate(prompts):
        st.caption(
            say(
                "{told} tokens of instructions and rules, {given} tokens of inputs",
                told=local_number(prompt.told),
                given=local_number(prompt.given),
            )
        )
        code_editor(
            f"preview-{trial.place}-{trial.task}-{number}",
            f"{prompt.system}\n\n{prompt.user}",
            say("The prompt as it would be sent"),
            lambda _: None,
            kind="prompt",
            height=HEIGHT,
            readonly=True,
        )


def _show_both(trial: PromptTrial, works: tuple[NodeWork, NodeWork]) -> None:
    titles = say(trial.before), say("As typed")
    for column, title, work in zip(st.columns(2), titles, works, strict=True):
        with column:
            st.markdown(f"**{title}**")
            facts = (
                work.route,
                say_count(work.tokens, "{n} token", "{n} tokens"),
                say("{n} s", n=local_number(work.seconds or 0.0, 1)),
            )
            st.caption(" · ".join(filter(None, facts)))
            st.text(say_told(work.message))
            for asked in work.asked:
                if asked.task == trial.task:
                    st.code(asked.reply or "\n".join(asked.said), language="json", wrap_lines=True)
