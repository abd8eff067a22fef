"""The models: which answers, each role's own, keys, and whether they can be asked."""

import asyncio

import streamlit as st

from forager.errors import ForagerError
from graphs.sessions.model_choice import OFFLINE
from graphs.system.model_probe import Tried, try_models
from ui.parts.plain import escaped
from ui.screens.settings.fields import form
from ui.server.backend import get_backend as here

ABOUT = (
    "One line: a model for all roles as PROVIDER:NAME, and behind it each role that has another, "
    "as in openai:gpt-5-mini critic=openai:gpt-5. Empty, or offline, needs no key and quotes only."
)
PLAIN = {
    "model": ("Models", ABOUT),
    "base_url": ("Endpoint", "OpenAI-compatible, up to /v1; empty: its own."),
}
KEYS = {"openai_api_key": "OpenAI key", "api_key": "Key for another endpoint"}


def models() -> None:
    """The form, and a button that asks each model for one word."""
    form("models", PLAIN, KEYS)
    _test()


def _test() -> None:
    line = here().settings.model or OFFLINE
    st.divider()
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = st.button("Test it", icon=":material/bolt:", help="One small call to each model.")
        st.text(line)
    if not pressed:
        return
    for name, single in _each(line).items():
        with st.spinner(f"Asking {escaped(single)}"):
            try:
                tried = asyncio.run(try_models(single, here().settings))
            except ForagerError as error:
                st.error(f"{escaped(name)}: {escaped(str(error))}", icon=":material/cancel:")
            else:
                st.success(f"{escaped(name)}: {_took(tried)}", icon=":material/check_circle:")


def _each(line: str) -> dict[str, str]:
    """Each model of a line by itself, under the name of its role."""
    found: dict[str, str] = {}
    for word in line.split():
        role, equals, own = word.partition("=")
        alone = bool(equals) and ":" not in role and "," not in role
        found[role if alone else "All roles"] = own if alone else word
    return found


def _took(tried: Tried) -> str:
    if tried.line == OFFLINE:
        return "built in, needs nobody."
    price = f"\\${tried.usd:.6f}" if tried.usd else "price not known here"
    return f"replied in {tried.seconds:.1f} s, {tried.tokens} tokens, {price}."
