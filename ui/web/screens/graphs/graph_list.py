"""The list of graphs: unsaved drafts, one's own, and the presets."""

import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, partial
from typing import Any, Final

import streamlit as st

from forager.errors import ForagerError, NoGraphError
from graphs.exchange.graph_files import ENDINGS, read_exported
from graphs.spec.drafts import Draft, damaged_draft
from graphs.spec.library import Version, damaged_graph, list_templates
from graphs.spec.plugins import load_registry
from graphs.spec.spec import GraphSpec, load_graph, parse_graph, preset_names
from ui.server.backend import get_backend
from ui.web.components.component import mount_part, mount_template_cards
from ui.web.components.dialog import dialog
from ui.web.graph_names import (
    DEFAULT_GRAPH,
    PATTERNS,
    describe_graph_use,
    describe_plainly,
    name_graph,
)
from ui.web.markdown import escape_markdown
from ui.web.screens.graphs.editor_actions import catch_faults, open_graph
from ui.web.screens.graphs.editor_state import editor_state
from ui.web.screens.graphs.open_graph import graph_drafts, graph_library, list_leaving
from ui.web.tab_state import widget_value
from ui.web.words import later, local_time, say, say_count, say_told

Choice = dict[str, str]
LEAVING_SECONDS: Final = 3600.0
"""For so long a draft that is in no list any more can be changed in a tab that has it open."""
DRAFT = "draft "
NEW_NAME = "my-graph"
NEW_GRAPH, EMPTY_ID = "new-graph", "empty"
EMPTY = f"name: {NEW_NAME}\nnodes: {{}}\nedges: []\n"


def graph_list() -> None:
    """Choose a graph; the address names it then."""
    with st.container(key="shelf-of-graphs"):
        with st.container(horizontal=True, vertical_alignment="center", key="top"):
            st.title(say("Methods"), anchor=False)
            if st.button(say("Import"), icon=":material/upload:"):
                _import_dialog()
            icon = ":material/add:"
            if st.button(say("New method"), icon=icon, type="primary"):
                _new_graph_dialog()
        st.caption(say("A run follows a method: nodes that each do one thing, joined by routes."))
        _draft_list()
        for id in graph_drafts().list_damaged():
            _damaged_entry(damaged_draft(), later("Discard"), partial(graph_drafts().delete, id))
        saved = [_saved_choice(each) for each in graph_library().list()]
        _choice_list("saved", say("Your methods"), saved)
        for name in graph_library().list_damaged():
            _damaged_entry(
                damaged_graph(name), later("Delete"), partial(graph_library().delete, name)
            )
        shipped = [_preset_choice(each) for each in _load_presets()]
        _choice_list("presets", say("Shipped with Forager"), shipped)


def _draft_list() -> None:
    """The drafts with their age; those that are again what their preset is leave."""
    leaving = list_leaving()
    for each in leaving:
        if time.time() - each.time > LEAVING_SECONDS:
            graph_drafts().delete(each.id)
    gone = {each.id for each in leaving}
    drafts = [each for each in graph_drafts().list() if each.id not in gone]
    _choice_list("drafts", say("Not saved yet"), [_draft_choice(each) for each in drafts])
    if len(drafts) > 1:
        st.button(
            say("Delete {n} drafts", n=len(drafts)),
            icon=":material/delete:",
            type="tertiary",
            key="delete-drafts",
            on_click=_take_drafts,
            args=([each.id for each in drafts],),
        )
    if taken := editor_state().taken:
        with st.container(key="undo-drafts", horizontal=True, vertical_alignment="center"):
            st.text(say_count(len(taken), "{n} draft was deleted.", "{n} drafts were deleted."))
            st.button(say("Undo"), icon=":material/undo:", key="undo-delete", on_click=_put_back)


def _take_removed(key: str) -> None:
    """Delete the draft whose button was pressed."""
    _, _, draft = str(widget_value(key)["removed"]).partition(f" {DRAFT}")
    if draft:
        _take_drafts([draft])


def _take_drafts(ids: Sequence[str]) -> None:
    """Delete drafts, and remember them for an undo; one that went meanwhile is left out."""
    taken = []
    with catch_faults():
        for id in ids:
            with suppress(NoGraphError):
                taken.append(graph_drafts().take(id))
    editor_state().taken = tuple(taken)


def _put_back() -> None:
    with catch_faults():
        for each in editor_state().taken:
            graph_drafts().put_back(each)
        editor_state().taken = ()


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
        on_removed_change=lambda: _take_removed(key),
    )


def _damaged_entry(error: ForagerError, label: str, delete: partial[None]) -> None:
    """What cannot be read, with a button that deletes it."""
    st.warning(escape_markdown(say_told(error.what)), icon=":material/warning:")
    st.button(say(label), key=f"{label} {delete.args}", on_click=_delete_damaged, args=(delete,))


def _delete_damaged(delete: partial[None]) -> None:
    with catch_faults():
        delete()


def _open_chosen(key: str) -> None:
    chosen = str(widget_value(key)["chosen"])
    name, _, draft = chosen.partition(f" {DRAFT}")
    open_graph(name, draft)


def _draft_choice(draft: Draft) -> Choice:
    when = describe_age(time.time() - draft.time)
    about = say("changed {time}", time=when)
    if draft.base:
        about = say("from version {number}, changed {time}", number=draft.base, time=when)
    elif draft.origin:
        about = say("copy of {graph}, changed {time}", graph=draft.origin, time=when)
    return {
        "id": f"{draft.name} {DRAFT}{draft.id}",
        "href": f"?graph={draft.name}&draft={draft.id}",
        "title": draft.name,
        "text": about,
        "aside": say_count(len(draft.spec.nodes), "{n} node", "{n} nodes"),
        "remove": say("Delete"),
    }


def describe_age(seconds: float) -> str:
    """How long ago something was, in its largest unit."""
    minutes, hours, days = (int(seconds // unit) for unit in (60, 3600, 86400))
    if days > 0:
        return say_count(days, "{n} day ago", "{n} days ago")
    if hours > 0:
        return say_count(hours, "{n} hour ago", "{n} hours ago")
    return (
        say_count(minutes, "{n} minute ago", "{n} minutes ago") if minutes > 0 else say("just now")
    )


def _saved_choice(version: Version) -> Choice:
    note = f": {version.note}" if version.note else ""
    when = local_time(version.time)
    text = say("version {number}, {time}", number=version.number, time=when) + note
    return {
        "id": version.name,
        "title": version.name,
        "text": describe_plainly(version.spec.description) or text,
        "aside": f"v{version.number}",
    }


def _preset_choice(spec: GraphSpec) -> Choice:
    nodes = say_count(len(spec.nodes), "{n} node", "{n} nodes")
    return {
        "id": spec.name,
        "title": name_graph(spec.name),
        "text": describe_graph_use(spec.name),
        "aside": " · ".join(
            (
                *([say("default")] if spec.name == DEFAULT_GRAPH else ()),
                nodes,
            )
        ),
    }


@cache
def _load_presets() -> tuple[GraphSpec, ...]:
    return tuple(load_graph(name) for name in preset_names())


@dialog(later("New method"), width="large")
def _new_graph_dialog() -> None:
    """Choose what to begin with: nothing, a pattern or a preset."""
    empty = _template_card("", say("Empty"), say("Begin with an empty canvas."), None)
    patterns, presets = [], []
    for template in list_templates():
        if template.is_preset:
            title = name_graph(template.name)
            use = describe_graph_use(template.name)
            presets.append(_template_card(template.name, title, use, template.spec))
        else:
            title, use = map(say, PATTERNS[template.name])
            patterns.append(_template_card(template.name, title, use, template.spec))
    mount_template_cards(
        NEW_GRAPH,
        shelves=[
            {"title": "", "cards": [empty]},
            {"title": say("Patterns"), "cards": patterns},
            {"title": say("Shipped with Forager"), "cards": presets},
        ],
        on_chosen_change=_begin_chosen,
    )
    if editor_state().address.leaving:
        st.rerun()


def _template_card(name: str, title: str, use: str, spec: GraphSpec | None) -> dict[str, Any]:
    nodes = say_count(len(spec.nodes), "{n} node", "{n} nodes") if spec else ""
    body = spec.model_dump(mode="json", include={"nodes", "edges"}) if spec else {}
    return {
        "id": name or EMPTY_ID,
        "title": title,
        "use": use,
        "aside": nodes,
        "spec": {"nodes": {}, "edges": [], **body},
    }


def _begin_chosen() -> None:
    """Open a draft of what was chosen."""
    chosen = str(widget_value(NEW_GRAPH)["chosen"])
    with catch_faults():
        drafts = graph_drafts()
        template = next((each for each in list_templates() if each.name == chosen), None)
        if template is None:
            draft = drafts.begin(drafts.unused_name(NEW_NAME), EMPTY)
        else:
            name = drafts.unused_name(f"my-{template.name}")
            origin = template.name if template.is_preset else ""
            draft = drafts.begin(name, template.text, origin=origin, asked=True)
        open_graph(draft.name, draft.id)


@dialog(later("Import a method"))
def _import_dialog() -> None:
    """Ask for a file or a text, which becomes a draft."""
    file = st.file_uploader(say("A method in YAML or JSON, or an exported one"), type=ENDINGS)
    typed = st.text_area(say("Or its text"), height=160, placeholder="name: …")
    st.caption(say("It becomes a draft, which may have errors. Importing starts no run."))
    if not st.button(say("Import it"), type="primary", disabled=file is None and not typed.strip()):
        return
    try:
        text = _read_file(file.name, file.getvalue()) if file else typed
        spec = parse_graph(text, file.name if file else "the text", graph_library().find)
        drafts = graph_drafts()
        draft = drafts.begin(drafts.unused_name(spec.name), text)
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
        return
    except UnicodeDecodeError:
        st.error(say("The file is not text in UTF-8."), icon=":material/cancel:")
        return
    open_graph(draft.name, draft.id)
    st.rerun()


def _read_file(name: str, body: bytes) -> str:
    """The text of a graph's file. Raises GraphError, and UnicodeDecodeError for other files."""
    return read_exported(body, name, load_registry(get_backend().settings)) or body.decode("utf-8")
