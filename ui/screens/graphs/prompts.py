"""What a node tells its models: as it is shipped, or in words of this graph."""

import streamlit as st

from forager.node_type import NodeType
from graphs.spec.edit import prompted
from graphs.spec.spec import GraphSpec
from ui.parts.component import alone
from ui.parts.words import compared
from ui.screens.graphs.opened import change


def prompts(spec: GraphSpec, node: str, kind: NodeType) -> None:
    """A line for each task that the node asks; each opens its instructions."""
    shipped = kind.prompts
    own = spec.nodes[node].prompts
    if not shipped and not own:
        st.markdown(":small[:gray[Prompt] none, asks no model]")
        return
    st.subheader("Prompts", anchor=False)
    for task in dict.fromkeys([*shipped, *own]):
        told = "changed" if task in own else "as shipped"
        if st.button(
            f"{task} :gray[{told}]",
            key=f"prompt-{node}-{task}",
            type="tertiary",
            icon=":material/edit_note:",
        ):
            _edit(node, task, own.get(task, ""), shipped.get(task, ""))


@st.dialog("Instructions", width="large")
def _edit(node: str, task: str, own: str, shipped: str) -> None:
    st.markdown(f"What **{node}** tells the model when it asks **{task}**, in this graph alone.")
    told = st.text_area("Instructions", own or shipped, height=260, key=f"told-{node}-{task}")
    with st.container(horizontal=True):
        use = st.button("Use these", type="primary", disabled=not told.strip())
        back = st.button("As shipped", disabled=task not in ("",) and not own)
    if use or back:
        text = told if use else ""
        change(lambda spec: prompted(spec, node, task, text, shipped))
        st.session_state.pop(f"told-{node}-{task}", None)
        st.rerun()
    if told == shipped:
        st.caption("These are the instructions that are shipped.")
        return
    st.caption("What is new is underlined; what is gone from those that are shipped is struck.")
    before, after = compared(shipped, told)
    alone(
        "prompt",
        f"prompt-diff-{node}-{task}",
        before=[piece._asdict() for piece in before],
        after=[piece._asdict() for piece in after],
    )
