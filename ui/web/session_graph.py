"""The graph of a session: its name and version, what became of it since, and a link to it."""

import streamlit as st

from forager.errors import ForagerError
from graphs.sessions.service import Session
from graphs.spec.drafts import open_drafts
from graphs.spec.edit import with_values
from graphs.spec.library import open_library
from graphs.spec.spec import GraphSpec, graph_of, preset_names
from ui.server.backend import get_backend, may
from ui.web.graph_names import name_graph
from ui.web.markdown import escape_markdown
from ui.web.page_links import refer_to_page
from ui.web.words import say


def graph_link(session: Session) -> None:
    """A link to the graph of a session in the editor; text where it is in no list.

    A version that is not the newest is compared there with the graph as it is now.
    """
    icon, name = ":material/account_tree:", name_version(session)
    ran, newest = _version_numbers(session)
    if not may("editor"):
        address = {}
    elif draft := _find_draft(session):
        address = {"graph": session.graph, "draft": draft}
    elif session.graph in _known_names():
        address = {"graph": session.graph}
        if ran < newest:
            name = say("{version}, the newest is v{newest}", version=name, newest=newest)
            address |= {"version": str(ran)} if ran else {}
    else:
        address = {}
    if not address:
        st.caption(escape_markdown(name))
        return
    link = escape_markdown(name)
    st.page_link(refer_to_page("methods"), label=link, icon=icon, query_params=address)


def name_version(session: Session) -> str:
    """The graph's name, with its version number if it is a saved one; else that it is none."""
    if _is_hash_of(session, session.graph) and session.graph in preset_names():
        return name_graph(session.graph)
    number, _ = _version_numbers(session)
    if number:
        return f"{name_graph(session.graph)} v{number}"
    return say("{graph}, a draft that was never saved", graph=name_graph(session.graph))


def _version_numbers(session: Session) -> tuple[int, int]:
    """The number of the saved version that ran, and that of the newest; 0 if there is none."""
    try:
        versions = open_library(get_backend().settings).list_versions(session.graph)
    except ForagerError:
        return 0, 0
    hash = session.graph_hash
    ran = next((each.number for each in versions if _pinned_hash(each.spec, session) == hash), 0)
    return ran, max((each.number for each in versions), default=0)


def compare_today(session: Session) -> str:
    """That the graph of this name is another one today; empty if it is the same."""
    try:
        today = open_library(get_backend().settings).resolve_named(session.graph)
    except ForagerError:
        return say("a method of your own.")
    if _pinned_hash(today, session) == session.graph_hash:
        return ""
    name = name_graph(session.graph)
    return say("{graph} is different today. The session keeps its own.", graph=name)


def _find_draft(session: Session) -> str:
    """The draft that has the very graph of the session, unless a saved one has it; or empty."""
    if _is_hash_of(session, session.graph):
        return ""
    settings = get_backend().settings
    try:
        drafts = open_drafts(settings, open_library(settings)).list()
    except ForagerError:
        return ""
    own = (each for each in drafts if each.name == session.graph)
    return next(
        (each.id for each in own if _pinned_hash(each.spec, session) == session.graph_hash), ""
    )


def _known_names() -> tuple[str, ...]:
    try:
        return open_library(get_backend().settings).list_names()
    except ForagerError:
        return preset_names()


def _is_hash_of(session: Session, name: str) -> bool:
    """Whether the graph of this name is that of the session today."""
    try:
        found = open_library(get_backend().settings).resolve_named(name)
    except ForagerError:
        return False
    return _pinned_hash(found, session) == session.graph_hash


def _pinned_hash(spec: GraphSpec, session: Session) -> str:
    """The hash of a graph with the parameters' values that the session was started with."""
    pinned = graph_of(session).parameters
    known = {name: own.default for name, own in pinned.items() if name in spec.parameters}
    try:
        return with_values(spec, known).hash
    except ForagerError:
        return spec.hash
