"""The address of the editor: graph, draft, graph inside; ahead of what the browser says.

A browser that says something before it heard of a change of the address says the old one with it.
So a change is remembered until the browser says it, too.
"""

import time
from dataclasses import dataclass, field
from typing import Final, Literal

import streamlit as st

KEY: Final = "graph-address"
UNTOLD_SECONDS: Final = 20.0
"""So long a browser may go on with the old address."""
Name = Literal["graph", "draft", "inside"]


@dataclass
class Untold:
    """What the browser may not know yet of the address of a graph."""

    graph: str = ""
    parts: dict[Name, str] = field(default_factory=dict)
    until: float = 0.0


def part(name: Name) -> str:
    """What the address says, or empty."""
    ahead = _untold().parts.get(name)
    return str(st.query_params.get(name, "")) if ahead is None else ahead


def put(name: Name, value: str) -> None:
    """From now on the address says this; the browser is told as the page is drawn."""
    untold = _untold()
    untold.graph = str(st.query_params.get("graph", ""))
    untold.parts[name] = value
    untold.until = time.monotonic() + UNTOLD_SECONDS


def arrive() -> None:
    """A run of the script begins: does the browser know, or has it gone elsewhere?"""
    untold = _untold()
    known = all(st.query_params.get(name, "") == value for name, value in untold.parts.items())
    elsewhere = untold.graph != st.query_params.get("graph", "")
    if known or elsewhere or time.monotonic() > untold.until:
        untold.parts = {}


def tell() -> None:
    """Tell the browser."""
    for name, value in _untold().parts.items():
        if value:
            st.query_params[name] = value
        else:
            st.query_params.pop(name, None)


def go(graph: str = "", draft: str = "") -> None:
    """To a graph, or to the list where none is named."""
    _untold().parts = {}
    st.query_params.clear()
    if graph:
        st.query_params["graph"] = graph
    if draft:
        st.query_params["draft"] = draft


def _untold() -> Untold:
    untold: Untold = st.session_state.setdefault(KEY, Untold())
    return untold
