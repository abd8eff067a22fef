"""The list of graphs: what is not saved, one's own, and the presets."""

from collections.abc import Sequence
from functools import cache

import streamlit as st

from graphs.reports.events import plural
from graphs.spec.drafts import Draft
from graphs.spec.library import Version
from graphs.spec.spec import GraphSpec, load, presets
from ui.parts.component import alone
from ui.screens.graphs.bringing import begin_empty, take_in
from ui.screens.graphs.opened import drafts, go, library
from ui.screens.memory.items import when

Pick = dict[str, str]
DRAFT = "draft "


def shelf() -> None:
    """Choose a graph: the address names it then."""
    with st.container(key="shelf-of-graphs"):
        with st.container(horizontal=True, vertical_alignment="center", key="top"):
            st.title("Graphs", anchor=False)
            if st.button("Import", icon=":material/upload:"):
                take_in()
            st.button("New graph", icon=":material/add:", type="primary", on_click=begin_empty)
        st.caption("A run follows a graph: nodes that each do one thing, and routes between.")
        _picks("drafts", "Not saved yet", [_draft(each) for each in drafts().list()])
        _picks("saved", "Your graphs", [_saved(each) for each in library().list()])
        _picks("presets", "Shipped with Forager", [_preset(each) for each in _presets()])


def _picks(key: str, title: str, picks: Sequence[Pick]) -> None:
    if not picks:
        return
    st.subheader(title, anchor=False)
    alone(
        "picks",
        f"graphs-{key}",
        field="graph",
        label=title,
        chosen="",
        picks=picks,
        on_chosen_change=lambda: _choose(f"graphs-{key}"),
    )


def _choose(key: str) -> None:
    id = str(st.session_state[key]["chosen"])
    name, _, draft = id.partition(f" {DRAFT}")
    go(name, draft)


def _draft(draft: Draft) -> Pick:
    of = f"copy of {draft.origin}, " if draft.origin and not draft.base else ""
    about = f"from version {draft.base}, " if draft.base else of
    return {
        "id": f"{draft.name} {DRAFT}{draft.id}",
        "href": f"?graph={draft.name}&draft={draft.id}",
        "title": draft.name,
        "text": f"{about}changed {when(draft.time)}",
        "aside": plural(len(draft.spec.nodes), "node"),
    }


def _saved(version: Version) -> Pick:
    note = f": {version.note}" if version.note else ""
    told = f"version {version.number}, {when(version.time)}{note}"
    return {
        "id": version.name,
        "title": version.name,
        "text": version.spec.description or told,
        "aside": f"v{version.number}",
    }


def _preset(spec: GraphSpec) -> Pick:
    aside = plural(len(spec.nodes), "node")
    return {"id": spec.name, "title": spec.name, "text": spec.description, "aside": aside}


@cache
def _presets() -> tuple[GraphSpec, ...]:
    return tuple(load(name) for name in presets())
