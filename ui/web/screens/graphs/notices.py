"""Notices above the board: drafts of the graph, and what another tab changed."""

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import streamlit as st

from forager.errors import ForagerError, NoGraphError
from graphs.spec.diff import Difference, compare_specs
from graphs.spec.drafts import Draft
from graphs.spec.library import Version
from graphs.spec.spec import load_graph, preset_names
from ui.web.screens.graphs.editor_actions import catch_faults, open_graph
from ui.web.screens.graphs.editor_state import StaleSave, editor_state
from ui.web.screens.graphs.graph_list import describe_age
from ui.web.screens.graphs.open_graph import (
    OpenGraph,
    graph_drafts,
    graph_library,
    list_leaving,
)
from ui.web.screens.graphs.save_dialog import describe_origin
from ui.web.screens.graphs.version_list import count_differences
from ui.web.words import say, say_count, say_told

REFRESH_SECONDS = 3.0
MOST_DRAFTS: Final = 2
MOST_CHANGES: Final = 2


def draft_notice(now: OpenGraph) -> None:
    """The unsaved drafts of a saved graph, each to be opened or dropped."""
    if now.kind != "saved":
        return
    drafts = [each for each in graph_drafts().list() if each.name == now.name]
    for draft in drafts[:MOST_DRAFTS]:
        with _row(f"graph-draft-{draft.id}"):
            st.badge(say("Not saved"), icon=":material/contrast:", color="orange")
            _draft_row(draft)
    _tell_more(len(drafts) - MOST_DRAFTS)
    _undo_row(now)


def copies_notice(now: OpenGraph) -> None:
    """The newest changed copy of a preset, in the panel: above the board it would push that."""
    if now.kind != "preset":
        return
    leaving = {each.id for each in list_leaving()}
    drafts = [
        each
        for each in graph_drafts().list()
        if each.origin == now.name and not each.base and each.id not in leaving
    ]
    for draft in drafts[:1]:
        with _row(f"graph-draft-{draft.id}"):
            _draft_row(draft)
    _tell_more(len(drafts) - 1)
    _undo_row(now)


def _draft_row(draft: Draft) -> None:
    st.text(_describe_draft(draft))
    st.button(
        say("Open the draft"),
        key=f"open-draft-{draft.id}",
        on_click=open_graph,
        args=(draft.name, draft.id),
    )
    st.button(
        say("Drop it"),
        type="tertiary",
        key=f"drop-draft-{draft.id}",
        on_click=_drop,
        args=(draft.id,),
    )


def _tell_more(more: int) -> None:
    if more > 0:
        st.caption(
            say_count(
                more, "{n} more is in the list of methods.", "{n} more are in the list of methods."
            )
        )


def _describe_draft(draft: Draft) -> str:
    """From which version it is, how old, and what is different in it."""
    when = describe_age(time.time() - draft.time)
    about = say("A draft of this method, changed {time}", time=when)
    if not draft.base and draft.origin in preset_names():
        found = compare_specs(load_graph(draft.origin), draft.spec)
        return f"{about}: {_describe_changes([each for each in found if each.at])}"
    if draft.base:
        about = say("A draft from version {number}, changed {time}", number=draft.base, time=when)
        with suppress(ForagerError):
            base = graph_library().get(draft.name, draft.base).spec
            return f"{about}: {_describe_changes(compare_specs(base, draft.spec))}"
    return about


def _describe_changes(found: Sequence[Difference]) -> str:
    """The first changes in words, so that drafts can be told apart."""
    told = [": ".join(filter(None, (each.at, say_told(each.message)))) for each in found]
    rest = ["…"] if len(told) > MOST_CHANGES else []
    return "; ".join([*told[:MOST_CHANGES], *rest]) or count_differences(found)


def _undo_row(now: OpenGraph) -> None:
    taken = [each for each in editor_state().taken if now.name in (each.row.name, each.row.origin)]
    if not taken:
        return
    with _row("graph-draft-dropped"):
        st.text(say_count(len(taken), "{n} draft was deleted.", "{n} drafts were deleted."))
        st.button(say("Undo"), icon=":material/undo:", key="undo-drop", on_click=_put_back)


def _drop(id: str) -> None:
    with catch_faults(), suppress(NoGraphError):  # dropped in another tab
        editor_state().taken = (graph_drafts().take(id),)


def _put_back() -> None:
    with catch_faults():
        for each in editor_state().taken:
            graph_drafts().put_back(each)
        editor_state().taken = ()


@st.fragment(run_every=REFRESH_SECONDS)
def other_tab_notice(now: OpenGraph) -> None:
    """A notice with a button, so that nothing changes under a person's hands."""
    with suppress(ForagerError):  # it was deleted, which is said when it is saved
        if now.draft and graph_drafts().get(now.draft.id).revision != now.draft.revision:
            if _notice(say("This draft was changed in another tab."), say("Show it")):
                st.rerun()
        elif newer := _newer_version(now):
            text = say(
                "Version {number} of {graph} was saved in another tab{about}.",
                number=newer.number,
                graph=newer.name,
                about=describe_origin(newer),
            )
            label = say("Compare with mine") if now.is_changed else say("Show it")
            if _notice(text, label):
                _take_up(now, newer)
                st.rerun()


def _newer_version(now: OpenGraph) -> Version | None:
    """The newest version, if it is newer than that of the tab, and not told of yet."""
    state = editor_state()
    if not now.base or (state.stale and now.draft and state.stale.draft == now.draft.id):
        return None
    newest = graph_library().get(now.name)
    return newest if newest.number > max(now.base, state.kept_after) else None


def _row(key: str) -> "st.delta_generator.DeltaGenerator":
    return st.container(key=key, horizontal=True, vertical_alignment="center")


def _notice(text: str, label: str) -> bool:
    """Draw it; was the button pressed?"""
    with _row("graph-elsewhere"):
        st.badge(say("Changed elsewhere"), icon=":material/sync:", color="blue")
        st.text(text)
        return st.button(label, key="graph-elsewhere-show")


def _take_up(now: OpenGraph, newer: Version) -> None:
    state = editor_state()
    if now.draft and now.is_changed:
        state.stale = StaleSave(now.draft.id, now.name, state.note, newer.number)
    elif now.draft:
        open_graph(now.name)
