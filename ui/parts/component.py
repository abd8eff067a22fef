"""Mounts a component that draws a run from its stream."""

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from ui.parts.code import loader, text
from ui.server.backend import get_backend as here

FIGURES = frozenset({"arms", "browser", "compare", "diff", "draws", "history", "sitemap", "spend"})
"""Components that look like figures, beside what all share."""


@cache
def _renderer(name: str) -> Callable[..., Any]:
    return st.components.v2.component(f"forager_{name}", js=loader(), css=style(name))


def style(name: str) -> str:
    """Its CSS, behind what all share, or all figures."""
    names = ("shared", "figures", name) if name in FIGURES else ("shared", name)
    return "\n".join(text(f"{each}.css") for each in names)


def of_run(name: str, session: str, key: str = "", **more: Any) -> Any:
    """Mount a component of a session; `on_…_change` are its callbacks, all else is its data."""
    run = {"session": session, "token": here().token, "handbook": here().handbook}
    return alone(name, key or f"{name}-{session}", **run, **more)


def alone(name: str, key: str, **more: Any) -> Any:
    """Mount a component that draws its data and follows no run."""
    callbacks = {each: value for each, value in more.items() if each.startswith("on_")}
    data = {each: value for each, value in more.items() if each not in callbacks}
    return _renderer(name)(key=key, data=data, **callbacks)
