"""A page with nothing but a canvas and the document that it changes, as text.

The address says which graph is shown and how: `readonly`, `diff`, `mend` (a finding with a fix),
and `gate`, a file without which no edit is answered.
"""

from pathlib import Path
from threading import Event
from typing import ClassVar

import streamlit as st

from graphs.check.checker import Finding, check
from graphs.spec.edit import Fix, apply
from graphs.spec.spec import END, GraphSpec, NodeSpec, load, presets
from ui.canvas import Document, Edit, canvas, listen
from ui.parts.look import dress


class Show:
    """What the address asks for."""

    DIFF: ClassVar = {"recall": "~", "reflect": "+", "critic": "-", "select.arm -> recall": "+"}

    def __init__(self) -> None:
        self.asked = st.query_params
        self.name = self.asked.get("graph", "empty")

    def graph(self) -> GraphSpec:
        """A preset, no nodes, or sixty in a row."""
        if self.name in presets():
            return load(self.name)
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
        found = check(spec)
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
dress()
show = Show()
if "document" not in st.session_state:
    st.session_state["document"] = Document(show.graph())
document: Document = st.session_state["document"]
listen("canvas")


def take(edit: Edit) -> None:
    show.wait()
    st.session_state["taken"] = document.take(edit)


def select(names: tuple[str, ...]) -> None:
    st.session_state["chosen"] = names


def tell(what: str) -> None:
    st.session_state["told"] = what


def mend(at: str, label: str) -> None:
    tell(f"fix {at}: {label}")
    for found in show.findings(document.spec):
        if found.at == at and found.fix and found.fix.label == label:
            document.change(apply(document.spec, found.fix))


canvas(
    document.spec,
    document.revision,
    "canvas",
    findings=show.findings(document.spec),
    readonly="readonly" in show.asked,
    diff=show.DIFF if "diff" in show.asked else None,
    selected=st.session_state.get("chosen", ()),
    on_edit=take,
    on_selected=select,
    on_fix=mend,
    on_open=lambda name: tell(f"open {name}"),
    on_fold=lambda names: tell(f"fold {' '.join(names)}"),
    on_unfold=lambda name: tell(f"unfold {name}"),
    on_undo=document.undo,
    on_redo=document.redo,
    on_save=lambda: tell("save"),
)
st.text(" ".join(st.session_state.get("chosen", ())) or "none")
st.text(st.session_state.get("told", "nothing"))
st.text(document.revision)
st.text(document.spec.model_dump_json())
