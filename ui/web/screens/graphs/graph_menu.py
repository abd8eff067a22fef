"""What can be done with a graph as a whole: export, copy, rename, delete, discard changes."""

import asyncio
import base64
from collections.abc import Mapping
from functools import partial
from typing import Final

import streamlit as st

from forager.errors import ForagerError
from forager.settings import Settings
from graphs.exchange.carried_yaml import png_chunk, svg_metadata
from graphs.exchange.graph_files import FORMATS, export_graph
from graphs.spec.yaml_writer import write_graph
from ui.server.backend import get_backend
from ui.web.components.canvas_edit import describe_drawing
from ui.web.components.component import mount_graph_pictures
from ui.web.components.confirmation import confirm_loss
from ui.web.markdown import escape_markdown
from ui.web.screens.graphs.editor_actions import catch_faults, open_graph
from ui.web.screens.graphs.editor_state import editor_state
from ui.web.screens.graphs.open_graph import OpenGraph, graph_drafts, graph_library
from ui.web.words import dialog, later, say, say_told

WHAT_FOR: Final[Mapping[str, str]] = {
    "yaml": later("The graph as text, with its comments."),
    "python": later("A program that builds the graph with LangGraph and asks it a question."),
    "mermaid": later("A flowchart for Markdown."),
    "svg": later("A drawing for web pages and documents."),
    "png": later("A picture."),
}
"""What each format is for. Each can be imported again."""
PICTURES: Final = ("svg", "png")
"""The formats that the browser makes."""


def graph_menu(now: OpenGraph) -> None:
    """The menu."""
    with st.popover(say("More"), icon=":material/more_vert:", key="graph-more"):
        _export_buttons(now)
        icon = ":material/content_copy:"
        st.button(say("Make a copy"), icon=icon, type="tertiary", on_click=_copy_graph, args=(now,))
        if now.base and st.button(say("Rename…"), icon=":material/edit:", type="tertiary"):
            _rename_dialog(now)
        if now.base and st.button(say("Delete…"), icon=":material/delete:", type="tertiary"):
            _delete_dialog(now)
        if now.draft and now.is_changed:
            st.button(
                say("Discard changes…"),
                icon=":material/close:",
                type="tertiary",
                on_click=_request_discard,
            )
    state = editor_state()
    if now.draft and state.discard_requested:
        state.discard_requested = False
        _discard_dialog(now)


def _export_buttons(now: OpenGraph) -> None:
    """A button for each format; a file is made when its button is pressed."""
    settings = get_backend().settings
    lacking = {"python": say("Mend the errors first.") if now.has_errors else ""}
    st.caption(say("Export"))
    with st.container(horizontal=True, gap="small", key="graph-export"):
        for name, format in FORMATS.items():
            if name in PICTURES:
                continue
            st.download_button(
                format.name,
                data=partial(_export, now, name, settings),
                file_name=f"{now.name}.{format.ending}",
                mime=format.media_type,
                help=lacking.get(name) or say(WHAT_FOR[name]),
                disabled=bool(lacking.get(name)),
                on_click="ignore",
            )
        _picture_buttons(now)


def _picture_buttons(now: OpenGraph) -> None:
    """Buttons for drawings, which the browser makes as the canvas draws."""
    yaml = now.text or write_graph(now.whole)
    mount_graph_pictures(
        "graph-pictures",
        **describe_drawing(now.whole, now.types),
        name=now.name,
        metadata=svg_metadata(yaml),
        chunk=base64.b64encode(png_chunk(yaml)).decode(),
        formats=[{"name": FORMATS[name].name, "use": say(WHAT_FOR[name])} for name in PICTURES],
    )


def _export(now: OpenGraph, format: str, settings: Settings) -> bytes:
    return asyncio.run(export_graph(now.whole, format, now.types, settings, now.text))


def _copy_graph(now: OpenGraph) -> None:
    with catch_faults():
        drafts = graph_drafts()
        origin = f"{now.name}@{now.base}" if now.base else now.origin or now.name
        draft = drafts.begin(drafts.unused_name(f"{now.name}-copy"), now.text, origin=origin)
        open_graph(draft.name, draft.id)


def _request_discard() -> None:
    editor_state().discard_requested = True


@dialog(later("Rename this graph"))
def _rename_dialog(now: OpenGraph) -> None:
    """Ask for a name; all versions take it."""
    with st.form("rename-graph", border=False):
        name = st.text_input(say("Name"), now.name, max_chars=64)
        pressed = st.form_submit_button(say("Rename"), type="primary")
    if now.is_changed:
        st.caption(say("Changes that are not saved stay in the draft."))
    if not pressed or name == now.name:
        return
    try:
        version = graph_library().rename(now.name, name)
        if now.draft:
            graph_drafts().rebase(now.draft.id, version)
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
        return
    open_graph(version.name, now.draft.id if now.draft else "")
    st.rerun()


@dialog(later("Delete this graph?"))
def _delete_dialog(now: OpenGraph) -> None:
    """Ask for confirmation."""
    st.text(
        say(
            "{name}, with all its versions. Sessions that ran it keep their own copy.",
            name=now.name,
        )
    )
    if confirm_loss(say("Delete for good")):
        try:
            graph_library().delete(now.name)
            if now.draft:
                graph_drafts().delete(now.draft.id)
        except ForagerError as error:
            st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
            return
        open_graph()
        st.rerun()


@dialog(later("Discard the changes?"))
def _discard_dialog(now: OpenGraph) -> None:
    """Ask for confirmation."""
    st.text(
        say("Everything that is not saved is lost. This cannot be undone. Saved versions stay.")
    )
    if confirm_loss(say("Discard")) and now.draft:
        graph_drafts().delete(now.draft.id)
        open_graph(now.name if now.base else "")
        st.rerun()
