"""A page with nothing but a canvas; the address says which graph, and how it is shown."""

import streamlit as st

from graphs.check import check
from graphs.spec import GraphSpec, load, presets
from ui.canvas import Document, canvas
from ui.parts.look import dress

st.set_page_config(layout="wide")
dress()
asked = st.query_params
name = asked.get("graph", "mango")
empty = GraphSpec(name="empty", nodes={}, edges=())
if "document" not in st.session_state:
    st.session_state["document"] = Document(load(name) if name in presets() else empty)
document: Document = st.session_state["document"]


def select(names: tuple[str, ...]) -> None:
    st.session_state["chosen"] = names


canvas(
    document.spec,
    document.revision,
    "canvas",
    findings=check(document.spec),
    readonly="readonly" in asked,
    selected=st.session_state.get("chosen", ()),
    on_edit=document.take,
    on_selected=select,
    on_undo=document.undo,
    on_redo=document.redo,
)
st.code(document.spec.model_dump_json(indent=1), language="json")
