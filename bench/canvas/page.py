"""A Streamlit page with a canvas; `?nodes=N` in its URL sets the number of nodes."""

import streamlit as st

from graphs.check.checker import find_faults
from graphs.spec.spec import END, Edge, GraphSpec, NodeSpec
from ui.web.components.canvas import canvas
from ui.web.components.canvas_document import CanvasDocument
from ui.web.components.canvas_inbox import receive_messages
from ui.web.styles import apply_styles

BACK = 7
"""How many nodes back each `insufficient` edge leads."""


def build_crowded_graph(count: int) -> GraphSpec:
    """Build a row of critics, each with an edge to the next and one back."""
    names = [f"critic_{number}" for number in range(count)]
    edges = [Edge(source="start", target=names[0])]
    for at, name in enumerate(names):
        after = names[at + 1] if at + 1 < count else END
        edges.append(Edge(source=name, route="sufficient", target=after))
        edges.append(Edge(source=name, route="insufficient", target=names[max(0, at - BACK)]))
    nodes = {name: NodeSpec(type="critic") for name in names}
    return GraphSpec(name="crowd", nodes=nodes, edges=tuple(edges))


st.set_page_config(layout="wide")
apply_styles()
if "document" not in st.session_state:
    st.session_state["document"] = CanvasDocument(
        build_crowded_graph(int(st.query_params.get("nodes", "60")))
    )
document: CanvasDocument = st.session_state["document"]
receive_messages("canvas")
canvas(
    document.spec,
    document.revision,
    "canvas",
    findings=find_faults(document.spec),
    on_edit=document.take_edit,
)
st.text(document.revision)
