"""A page with nothing but a canvas and the document that it changes, as text.

The address says which graph is shown and how: `readonly`, `diff`, `mend` (a finding with a fix),
and `gate`, a file without which no edit is answered.
"""

from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import ClassVar

import streamlit as st

from graphs.check.checker import Finding, find_faults
from graphs.spec.edit import Fix, apply_edit
from graphs.spec.spec import END, GraphSpec, NodeSpec, load_graph, preset_names
from ui.web.components.canvas import canvas
from ui.web.components.canvas_document import CanvasDocument
from ui.web.components.canvas_edit import Edit
from ui.web.components.canvas_inbox import receive_messages
from ui.web.styles import apply_styles


class Show:
    """What the address asks for."""

    DIFF: ClassVar = {"recall": "~", "reflect": "+", "critic": "-", "select.arm -> recall": "+"}

    def __init__(self) -> None:
        self.asked = st.query_params.to_dict()
        self.name = self.asked.get("graph", "empty")

    def graph(self) -> GraphSpec:
        """A preset, no nodes, or sixty in a row."""
        if self.name in preset_names():
            return load_graph(self.name)
        count = int(self.asked.get("nodes", "0"))
        nodes = {f"critic_{n}": NodeSpec(type="critic") for n in range(count)}
        names = [*nodes, END]
        edges = [
            f"{name}.{route} -> {names[min(at + step, count)]}"
            for at, name in enumerate(nodes)
            for route, step in (("sufficient", 1), ("insufficient", 4))
        ]
        first = [f"start -> {names[0]}"] if nodes else []
        return GraphSpec.model_validate(
            {"name": self.name, "nodes": nodes, "edges": [*first, *edges]}
        )

    def findings(self, spec: GraphSpec) -> tuple[Finding, ...]:
        """Those of the checker, and with `mend` one that can be mended."""
        found = find_faults(spec)
        if "mend" not in self.asked or "select" not in spec.nodes:
            return found
        fix = Fix(label="Remove select", remove=("select",))
        return (*found, Finding(at="select", message="It is not wanted.", fix=fix))

    def wait(self) -> None:
        """Until the gate is open."""
        gate = self.asked.get("gate")
        while gate and not Path(gate).exists():
            Event().wait(0.02)


st.set_page_config(layout="wide")
apply_styles()
show = Show()


@dataclass
class Received:
    """What the canvas sent, in a plain object: handlers use nothing of Streamlit."""

    document: CanvasDocument
    chosen: tuple[str, ...] = ()
    told: str = "nothing"

    def take(self, edit: Edit) -> None:
        show.wait()
        self.document.take_edit(edit)

    def select(self, names: tuple[str, ...]) -> None:
        self.chosen = names

    def tell(self, what: str) -> None:
        self.told = what

    def mend(self, at: str, label: str) -> None:
        self.tell(f"fix {at}: {label}")
        for found in show.findings(self.document.spec):
            if found.at == at and found.fix and found.fix.label == label:
                self.document.change(apply_edit(self.document.spec, found.fix))


if "received" not in st.session_state:
    st.session_state["received"] = Received(CanvasDocument(show.graph()))
received = st.session_state["received"]
document: CanvasDocument = received.document
receive_messages("canvas")
canvas(
    document.spec,
    document.revision,
    "canvas",
    findings=show.findings(document.spec),
    readonly="readonly" in show.asked,
    diff=show.DIFF if "diff" in show.asked else None,
    selected=received.chosen,
    on_edit=received.take,
    on_selected=received.select,
    on_fix=received.mend,
    on_open=lambda name: received.tell(f"open {name}"),
    on_fold=lambda names: received.tell(f"fold {' '.join(names)}"),
    on_unfold=lambda name: received.tell(f"unfold {name}"),
    on_undo=document.undo,
    on_redo=document.redo,
    on_save=lambda: received.tell("save"),
)
st.text(" ".join(received.chosen) or "none")
st.text(received.told)
st.text(document.revision)
st.text(document.spec.model_dump_json())
