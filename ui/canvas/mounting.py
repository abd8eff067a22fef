"""The components of the canvas: its large text that never changes, and what gets the data."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

HERE = Path(__file__).parent
Component = Callable[..., Any]


@cache
def code() -> Component:
    """Hands the canvas's text to those that draw with it; sent to a browser once."""
    return st.components.v2.component("forager_canvas_code", js=_text("canvas.js"))


@cache
def drawn() -> Component:
    """A graph that may be changed."""
    define = st.components.v2.component
    return define("forager_canvas", js=_text("mount.js"), css=_text("canvas.css"))


@cache
def watched() -> Component:
    """A graph with a run on it."""
    shared = (HERE.parent / "parts" / "shared.js").read_text(encoding="utf-8")
    return st.components.v2.component(
        "forager_watch", js=f"{shared}\n{_text('watch.js')}", css=_text("canvas.css")
    )


def _text(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")
