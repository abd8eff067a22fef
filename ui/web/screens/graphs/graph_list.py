"""The list of graphs: unsaved drafts, one's own, and the presets."""

from collections.abc import Sequence
from functools import cache, partial

import streamlit as st

from forager.errors import ForagerError
from graphs.reports.events import format_count
from graphs.spec.drafts import Draft, damaged_draft
from graphs.spec.library import Version, damaged_graph
from graphs.spec.spec import GraphSpec, load_graph, parse_graph, preset_names
from ui.web.components.component import mount_part
from ui.web.labels import format_time
from ui.web.markdown import escape_markdown
from ui.web.screens.graphs.editor_actions import catch_faults, open_graph
from ui.web.screens.graphs.open_graph import graph_drafts, graph_library
from ui.web.tab_state import widget_value

Choice = dict[str, str]
DRAFT = "draft "
NEW_NAME = "my-graph"
EMPTY = f"name: {NEW_NAME}\nnodes: {{}}\nedges: []\n"


def graph_list() -> None:
    """Choose a graph; the address names it then."""
    with st.container(key="shelf-of-graphs"):
        with st.container(horizontal=True, vertical_alignment="center", key="top"):
            st.title("Methods", anchor=False)
            if st.button("Import", icon=":material/upload:"):
                _import_dialog()
            icon = ":material/add:"
            st.button("New graph", icon=icon, type="primary", on_click=_begin_empty)
        st.caption("A run follows a graph: nodes that each do one thing, joined by routes.")
        drafts = [_draft_choice(each) for each in graph_drafts().list()]
        _choice_list("drafts", "Not saved yet", drafts)
        for id in graph_drafts().list_damaged():
            _damaged_entry(damaged_draft(), "Discard", partial(graph_drafts().delete, id))
        saved = [_saved_choice(each) for each in graph_library().list()]
        _choice_list("saved", "Your graphs", saved)
        for name in graph_library().list_damaged():
            _damaged_entry(damaged_graph(name), "Delete", partial(graph_library().delete, name))
        shipped = [_preset_choice(each) for each in _load_presets()]
        _choice_list("presets", "Shipped with Forager", shipped)


def _choice_list(name: str, title: str, choices: Sequence[Choice]) -> None:
    if not choices:
        return
    st.header(title, anchor=False)
    key = f"graphs-{name}"
    mount_part(
        "choice_list",
        key,
        field="graph",
        label=title,
        chosen="",
        picks=choices,
        on_chosen_change=lambda: _open_chosen(key),
    )


def _damaged_entry(error: ForagerError, label: str, delete: partial[None]) -> None:
    """What cannot be read, with a button that deletes it."""
    st.warning(escape_markdown(error.what), icon=":material/warning:")
    st.button(label, key=f"{label} {delete.args}", on_click=_delete_damaged, args=(delete,))


def _delete_damaged(delete: partial[None]) -> None:
    with catch_faults():
        delete()


def _open_chosen(key: str) -> None:
    chosen = str(widget_value(key)["chosen"])
    name, _, draft = chosen.partition(f" {DRAFT}")
    open_graph(name, draft)


def _draft_choice(draft: Draft) -> Choice:
    of = f"copy of {draft.origin}, " if draft.origin and not draft.base else ""
    about = f"from version {draft.base}, " if draft.base else of
    return {
        "id": f"{draft.name} {DRAFT}{draft.id}",
        "href": f"?graph={draft.name}&draft={draft.id}",
        "title": draft.name,
        "text": f"{about}changed {format_time(draft.time)}",
        "aside": format_count(len(draft.spec.nodes), "node"),
    }


def _saved_choice(version: Version) -> Choice:
    note = f": {version.note}" if version.note else ""
    text = f"version {version.number}, {format_time(version.time)}{note}"
    return {
        "id": version.name,
        "title": version.name,
        "text": version.spec.description or text,
        "aside": f"v{version.number}",
    }


def _preset_choice(spec: GraphSpec) -> Choice:
    aside = format_count(len(spec.nodes), "node")
    return {"id": spec.name, "title": spec.name, "text": spec.description, "aside": aside}


@cache
def _load_presets() -> tuple[GraphSpec, ...]:
    return tuple(load_graph(name) for name in preset_names())


def _begin_empty() -> None:
    """Open a draft with nothing in it."""
    with catch_faults():
        drafts = graph_drafts()
        draft = drafts.begin(drafts.unused_name(NEW_NAME), EMPTY)
        open_graph(draft.name, draft.id)


@st.dialog("Import a graph")
def _import_dialog() -> None:
    """Ask for a file or a text, which becomes a draft."""
    file = st.file_uploader("A graph in YAML or JSON", type=["yaml", "yml", "json"])
    typed = st.text_area("Or its text", height=160, placeholder="name: …")
    st.caption("It becomes a draft, which may have errors. Importing starts no run.")
    if not st.button("Import it", type="primary", disabled=file is None and not typed.strip()):
        return
    try:
        text = file.getvalue().decode("utf-8") if file else typed
        spec = parse_graph(text, file.name if file else "the text", graph_library().find)
        drafts = graph_drafts()
        draft = drafts.begin(drafts.unused_name(spec.name), text)
    except ForagerError as error:
        st.error(escape_markdown(str(error)), icon=":material/cancel:")
        return
    except UnicodeDecodeError:
        st.error("The file is not text in UTF-8.", icon=":material/cancel:")
        return
    open_graph(draft.name, draft.id)
    st.rerun()
