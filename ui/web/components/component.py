"""Mounts the components of the front end."""

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from ui.server.assets import asset_address, read_asset
from ui.server.backend import get_backend
from ui.web.words import page_language

PREFIX = "forager_"
# One text for all parts: a browser takes long to make an address of each text that it is sent.
PARTS = """
const {{ parts }} = await import(`${{location.origin}}{address}`);
export default (component) => parts[component.name.replace("{prefix}", "")](component);
"""
MODULE = """
const {{ mount }} = await import(`${{location.origin}}{address}`);
export default mount;
"""
DRAWN = """
const {{ {name} }} = await import(`${{location.origin}}{address}`);
export default {name};
"""


def mount_part(name: str, key: str, **more: Any) -> Any:
    """Mount a part: `on_…_change` are its callbacks, the rest is its data."""
    return _mount(_part(name), key, more)


def mount_run_part(name: str, session: str, key: str = "", **more: Any) -> Any:
    """Mount a part that follows the run of a session."""
    run = {"session": session, "token": page_token(), "sites": get_backend().own_sites}
    return mount_part(name, key or f"{name}-{session}", **run, **more)


def page_token() -> str:
    """The API token of this page's browser."""
    office = get_backend()
    return office.visitors.page_token(st.context.cookies, office.token)


def mount_canvas(key: str, **more: Any) -> Any:
    """Mount the canvas."""
    return _mount(_canvas(), key, more)


def mount_code(key: str, **more: Any) -> Any:
    """Mount the editor of a text."""
    return _mount(_code(), key, more)


def mount_template_cards(key: str, **more: Any) -> Any:
    """Mount graphs to begin with, drawn as on the canvas."""
    return _mount(_drawn_part("template_cards"), key, more)


def mount_graph_pictures(key: str, **more: Any) -> Any:
    """Mount buttons that save a graph as a picture, drawn as on the canvas."""
    return _mount(_drawn_part("graph_pictures"), key, more)


def _mount(renderer: Callable[..., Any], key: str, more: dict[str, Any]) -> Any:
    callbacks = {name: value for name, value in more.items() if name.startswith("on_")}
    data = {name: value for name, value in more.items() if name not in callbacks}
    return renderer(key=key, data={"language": page_language(), **data}, **callbacks)


@cache
def _part(name: str) -> Callable[..., Any]:
    script = PARTS.format(address=asset_address("parts.js"), prefix=PREFIX)
    return st.components.v2.component(f"{PREFIX}{name}", js=script)


@cache
def _canvas() -> Callable[..., Any]:
    script = MODULE.format(address=asset_address("canvas.js"))
    style = read_asset("canvas.css")
    return st.components.v2.component(f"{PREFIX}canvas", js=script, css=style)


@cache
def _code() -> Callable[..., Any]:
    script = MODULE.format(address=asset_address("code.js"))
    return st.components.v2.component(f"{PREFIX}code", js=script)


@cache
def _drawn_part(name: str) -> Callable[..., Any]:
    """A part that lays out graphs, as the canvas does."""
    script = DRAWN.format(name=name, address=asset_address("canvas.js"))
    return st.components.v2.component(f"{PREFIX}{name}", js=script)
