"""A session's own graph on the canvas, as its run goes through it, and what each node did."""

import streamlit as st

from forager.errors import ForagerError
from forager.settings import Settings
from graphs.sessions.service import Session
from graphs.spec.library import open_library
from graphs.spec.plugins import registry
from graphs.spec.spec import GraphSpec, graph_of
from ui.canvas.edit import told
from ui.canvas.mounting import code, watched
from ui.server.backend import get_backend as here

HEIGHT = 520


def watching(session: Session) -> None:
    """Mount the canvas, read-only, with the way of the session's present turn on it."""
    office = here()
    spec = _placed(session, office.settings)
    shown = {
        **told(spec, 0, registry(office.settings), ()),
        "readonly": True,
        "diff": None,
        "selected": [],
        "watch": {"session": session.id, "token": office.token},
        "height": HEIGHT,
    }
    key = f"watch-{session.id}"
    with st.container(key=f"canvas-of-{key}", gap=None):
        code()(key=f"{key}-code")
        watched()(key=key, data=shown)


def _placed(session: Session, settings: Settings) -> GraphSpec:
    """The graph that the session began with, laid out as where it was taken from, if it is that."""
    pinned = graph_of(session)
    try:
        known = open_library(settings).named(session.graph)
    except ForagerError:
        return pinned  # it has another name by now, or is gone
    return known if known.hash == pinned.hash else pinned
