"""What can be done with a graph as a whole: export, copy, rename, delete, discard changes."""

import asyncio
import base64
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import streamlit as st

from forager.errors import ForagerError
from forager.settings import Settings
from graphs.exchange.carried_yaml import png_chunk, svg_metadata
from graphs.exchange.graph_files import FORMATS, export_graph
from graphs.spec.yaml_writer import write_graph
from ui.server.backend import get_backend, get_installation
from ui.web.components.canvas_edit import describe_drawing
from ui.web.components.component import mount_graph_pictures
from ui.web.components.confirmation import confirm_loss
from ui.web.components.dialog import dialog
from ui.web.graph_names import copy_name
from ui.web.markdown import escape_markdown
from ui.web.screens.graphs.continue_dialog import continue_dialog
from ui.web.screens.graphs.editor_actions import catch_faults, open_graph
from ui.web.screens.graphs.editor_state import editor_state
from ui.web.screens.graphs.open_graph import OpenGraph, graph_drafts, graph_library
from ui.web.screens.graphs.save_dialog import name_button, name_field
from ui.web.share_form import share_form
from ui.web.words import later, say, say_told

WHAT_FOR: Final[Mapping[str, str]] = {
    "yaml": later("The method as text, with its comments."),
    "python": later("A program that builds the method with LangGraph and asks it a question."),
    "mermaid": later("A flowchart for Markdown."),
    "svg": later("A drawing for web pages and documents."),
    "png": later("A picture."),
}
"""What each format is for. Each can be imported again."""
PICTURES: Final = ("svg", "png")
"""The formats that the browser makes."""


def graph_menu(now: OpenGraph) -> None:
    """The menu. It closes as it opens a dialog, which it would cover otherwise."""
    state = editor_state()
    with (
        st.container(key="graph-more", width="content"),
        st.popover(say("More"), icon=":material/more_vert:", key=f"graph-menu-{state.menu_seat}"),
    ):
        _export_buttons(now)
        _dialog_button(
            say("Continue a session here…"),
            ":material/fork_right:",
            continue_dialog,
            disabled=now.has_errors,
            help=say("Fix the errors first.")
            if now.has_errors
            else say("In a new session, with the method as it is drawn."),
        )
        icon = ":material/content_copy:"
        st.button(say("Make a copy"), icon=icon, type="tertiary", on_click=_copy_graph, args=(now,))
        if now.base and get_installation().people is not None:
            _dialog_button(say("Share…"), ":material/group:", _share_dialog)
        if now.base:
            _dialog_button(say("Rename…"), ":material/edit:", _rename_dialog)
            _dialog_button(say("Delete…"), ":material/delete:", _delete_dialog)
        if now.draft and now.is_changed:
            _dialog_button(say("Discard changes…"), ":material/close:", _discard_dialog)
    if requested := state.dialog_requested:
        state.dialog_requested = None
        requested(now)


@dialog(later("Share this method"))
def _share_dialog(now: OpenGraph) -> None:
    """With whom its newest version is shared."""
    share_form("graph", now.name)


def _dialog_button(label: str, icon: str, opened: Callable[[OpenGraph], None], **more: Any) -> None:
    """A button that has the script open a dialog when it runs next."""

    def request() -> None:
        state = editor_state()
        state.dialog_requested = opened
        state.menu_seat += 1

    st.button(label, icon=icon, type="tertiary", on_click=request, **more)


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
        name = drafts.unused_name(copy_name(now.name))
        draft = drafts.begin(name, now.text, origin=origin, asked=True)
        open_graph(draft.name, draft.id)
        editor_state().menu_seat += 1  # another menu, shut


@dialog(later("Rename this method"))
def _rename_dialog(now: OpenGraph) -> None:
    """Ask for a name; all versions take it."""
    with st.form("rename-graph", border=False):
        name = name_field(now.name)
        pressed = name_button(say("Rename"))
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


@dialog(later("Delete this method?"))
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
