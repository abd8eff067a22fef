"""The instructions of a node for a task: edited at full size, beside what they are given."""

from typing import Final

import streamlit as st

from forager.prompts.token_count import count_tokens
from graphs.reports.trace import NODE_SEPARATOR
from graphs.spec.edit import with_graph_at, with_prompt
from ui.web.components.code_editor import code_editor
from ui.web.components.component import mount_part
from ui.web.components.dialog import dialog
from ui.web.components.word_diff import diff_words
from ui.web.screens.graphs.editor_actions import change_graph
from ui.web.screens.graphs.forms.recorded_step import PromptTrial, recorded_step
from ui.web.screens.graphs.open_graph import find_open_graph
from ui.web.words import later, say, say_count

HEIGHT: Final = 460
TYPED: Final = "typed-prompt"
AS_DRAWN, AS_SHIPPED = later("As in the method"), later("As shipped")


def begin_prompt(node: str, task: str) -> None:
    """Forget what was typed when the dialog was open before."""
    st.session_state.pop(f"{TYPED}-{node}-{task}", None)


@dialog(later("Instructions"), width="large")
def prompt_dialog(node: str, task: str, own: str, shipped: str) -> None:
    """Edit what the node tells the model when it gives it a task."""
    st.markdown(
        say(
            "What **{node}** tells the model when it asks **{task}**, in this method only.",
            node=node,
            task=task,
        )
    )
    kept = f"{TYPED}-{node}-{task}"
    text: str = st.session_state.get(kept, own or shipped)
    with st.container(key="prompt-dialog"):
        written, beside = st.columns(2, gap="medium")
    with written:
        code_editor(
            f"prompt-of-{node}-{task}",
            text,
            say("Instructions"),
            lambda typed: st.session_state.update({kept: typed}),
            kind="prompt",
            height=HEIGHT,
            focused=True,
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            use = st.button(say("Use these"), type="primary", disabled=not text.strip())
            reset = st.button(say("As shipped"), disabled=not own)
            st.caption(say_count(count_tokens(text), "{n} token", "{n} tokens"))
    if use or reset:
        change_graph(lambda spec: with_prompt(spec, node, task, text if use else "", shipped))
        begin_prompt(node, task)
        st.rerun()
    difference, step = beside.tabs([say("Difference"), say("On a recorded step")])
    with difference:
        _difference(node, task, text, shipped)
    if now := find_open_graph():
        drawn = with_prompt(now.spec, node, task, own, shipped)
        typed = with_prompt(now.spec, node, task, text, shipped)
        trial = PromptTrial(
            place=NODE_SEPARATOR.join((*now.path, node)),
            task=task,
            drawn=with_graph_at(now.whole, now.path, drawn),
            typed=with_graph_at(now.whole, now.path, typed),
            graphs=tuple(filter(None, (now.name, now.origin))),
            before=AS_DRAWN if own else AS_SHIPPED,
        )
        with step:
            recorded_step(trial)


def _difference(node: str, task: str, text: str, shipped: str) -> None:
    """The text beside what is shipped."""
    if text == shipped:
        st.caption(say("These are the instructions that are shipped."))
        return
    st.caption(say("New words are underlined; words that were removed are struck out."))
    before, after = diff_words(shipped, text)
    mount_part(
        "prompt_diff",
        f"prompt-diff-{node}-{task}",
        before=[piece._asdict() for piece in before],
        after=[piece._asdict() for piece in after],
    )
