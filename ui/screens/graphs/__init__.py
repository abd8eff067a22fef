"""The graphs that ship with Forager: what each does, how it is wired, and what the checker says."""

from functools import cache
from typing import Final

import streamlit as st

from graphs.check import Finding, check
from graphs.events import plural
from graphs.exports.body import yaml_text
from graphs.spec import GraphSpec, load, presets
from ui.parts.component import alone
from ui.parts.look import dress
from ui.parts.picture import drawn
from ui.screens.places import ask_page

OWN: Final = "forager"


def page() -> None:
    """The list, and beside it the graph that the address names."""
    chosen = st.query_params.get("graph", OWN)
    dress("two")
    specs = _presets()
    name = chosen if chosen in specs else OWN
    with st.container(key="two"):
        with st.container(key="left"):
            st.title("Graphs", anchor=False)
            st.caption("A run follows a graph: nodes that each do one thing, and routes between.")
            alone(
                "picks",
                "graphs",
                field="graph",
                label="Graphs",
                chosen=name,
                picks=[_pick(each) for each in specs.values()],
                on_chosen_change=_choose,
            )
        with st.container(key="right"):
            _graph(specs[name])


@cache
def _presets() -> dict[str, GraphSpec]:
    return {name: load(name) for name in presets()}


def _pick(spec: GraphSpec) -> dict[str, str]:
    aside = plural(len(spec.nodes), "node")
    return {"id": spec.name, "title": spec.name, "text": spec.description, "aside": aside}


def _choose() -> None:
    st.query_params["graph"] = st.session_state["graphs"]["chosen"]


def _graph(spec: GraphSpec) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(spec.name, anchor=False)
        st.page_link(
            ask_page(),
            label="Use it",
            icon=":material/play_arrow:",
            query_params={"graph": spec.name},
        )
    st.text(spec.description)
    _findings(check(spec))
    drawing, table, text = st.tabs(
        ["Drawing", "Nodes and routes", "YAML"], key="as", on_change="rerun"
    )
    if drawing.open:
        with drawing:
            drawn(spec)
    if table.open:
        with table:
            _tables(spec)
    if text.open:
        with text:
            st.code(yaml_text(spec), language="yaml", wrap_lines=True)


def _findings(findings: tuple[Finding, ...]) -> None:
    if not findings:
        st.badge("Checked: no faults", icon=":material/check_circle:", color="green")
    for finding in findings:
        if finding.severity == "error":
            st.badge("Error", icon=":material/cancel:", color="red")
        else:
            st.badge("Warning", icon=":material/warning:", color="orange")
        st.text(str(finding))


def _tables(spec: GraphSpec) -> None:
    nodes = [
        {"node": name, "type": node.type, "parameters": ", ".join(_params(node.params))}
        for name, node in spec.nodes.items()
    ]
    st.dataframe(nodes, hide_index=True, row_height=34)
    edges = [
        {"from": edge.source, "route": edge.route, "to": edge.target, "for each arm": edge.fan}
        for edge in spec.edges
    ]
    st.dataframe(edges, hide_index=True)


def _params(params: object) -> list[str]:
    return (
        [f"{name}: {value}" for name, value in params.items()] if isinstance(params, dict) else []
    )
