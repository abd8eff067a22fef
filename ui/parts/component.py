"""Mounts a component that draws a run from its stream."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from ui.server.office import here

HERE = Path(__file__).parent
FIGURES = frozenset({"arms", "browser", "compare", "diff", "draws", "history", "sitemap", "spend"})
"""Components that stand on `figures` beside what all share."""


@cache
def _renderer(name: str) -> Callable[..., Any]:
    code, style = sources(name)
    return st.components.v2.component(f"forager_{name}", js=code, css=style)


def sources(name: str) -> tuple[str, str]:
    """`name`.js and `name`.css, each behind what all share, or all figures."""
    parts = ("shared", "figures", name) if name in FIGURES else ("shared", name)
    code, style = ("\n".join(_text(f"{part}.{kind}") for part in parts) for kind in ("js", "css"))
    return code, style


def _text(name: str) -> str:
    path = HERE / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


def of_run(name: str, session: str, key: str = "", **more: Any) -> Any:
    """Mount a component of a session; `on_…_change` are its callbacks, all else is its data."""
    run = {"session": session, "token": here().token, "handbook": here().handbook}
    return alone(name, key or f"{name}-{session}", **run, **more)


def alone(name: str, key: str, **more: Any) -> Any:
    """Mount a component that draws its data and follows no run."""
    callbacks = {each: value for each, value in more.items() if each.startswith("on_")}
    data = {each: value for each, value in more.items() if each not in callbacks}
    return _renderer(name)(key=key, data=data, **callbacks)
