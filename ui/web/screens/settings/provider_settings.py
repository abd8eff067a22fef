"""Settings of the models and of the search providers, and tests of their connections."""

import asyncio
import time
from typing import get_args

import streamlit as st

from forager.errors import ForagerError
from forager.settings import Provider
from graphs.sessions.model_choice import OFFLINE
from graphs.system.model_probe import ProbeResult, describe_profile, probe_models
from graphs.system.search import search_web
from ui.server.backend import get_backend
from ui.web.markdown import escape_markdown
from ui.web.screens.settings.setting_fields import settings_form

MODEL_LINE = (
    "One line: PROVIDER:NAME for all roles, followed by the roles that use another model, as in "
    "openai:gpt-5-mini critic=openai:gpt-5. If empty or “offline”, no key is needed: quotes only."
)
MODEL_TEXTS = {
    "model": ("Models", MODEL_LINE),
    "base_url": ("Endpoint", "OpenAI-compatible, up to /v1. If empty, the provider's own."),
}
MODEL_KEYS = {"openai_api_key": "OpenAI key", "api_key": "Key for the endpoint"}
SEARCH_ORDER = (
    f"In the order in which they are tried, separated by commas: {', '.join(get_args(Provider))}."
)
SEARCH_TEXTS = {
    "search": ("Providers", SEARCH_ORDER),
    "searxng_url": ("Address of a SearXNG instance", ""),
    "google_engine": ("Google: id of the search engine (cx)", ""),
}
SEARCH_KEYS = {
    "tavily_key": "Tavily key",
    "serper_key": "Serper key",
    "brave_key": "Brave key",
    "google_key": "Google key",
}
TEST_QUERY = "open source software"


def model_settings() -> None:
    """The form, and a button that asks each model two small questions."""
    settings_form("models", MODEL_TEXTS, MODEL_KEYS)
    line = get_backend().settings.model or OFFLINE
    if not _test_button(line, "Two small questions to each model."):
        return
    for name, single in _split_roles(line).items():
        with st.spinner(f"Asking {escape_markdown(single)}"):
            try:
                tried = asyncio.run(probe_models(single, get_backend().settings))
            except ForagerError as error:
                _show_error(name, error)
            else:
                st.success(_describe_reply(name, tried), icon=":material/check_circle:")


def search_settings() -> None:
    """The form, and a button that makes one search with each provider."""
    settings_form("search", SEARCH_TEXTS, SEARCH_KEYS)
    names = get_backend().settings.search
    if _test_button(", ".join(names), "One search with each provider."):
        for name in names:
            _test_provider(name)


def _test_button(subject: str, help: str) -> bool:
    st.divider()
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = st.button("Test connection", icon=":material/bolt:", help=help)
        st.text(subject)
    return pressed


def _show_error(name: str, error: ForagerError) -> None:
    text = f"{escape_markdown(name)}: {escape_markdown(str(error))}"
    st.error(text, icon=":material/cancel:")


def _split_roles(line: str) -> dict[str, str]:
    """Each model of a line by itself, under the name of its role."""
    found: dict[str, str] = {}
    for word in line.split():
        role, equals, own = word.partition("=")
        named = bool(equals) and ":" not in role and "," not in role
        found[role if named else "All roles"] = own if named else word
    return found


def _describe_reply(name: str, tried: ProbeResult) -> str:
    if tried.line == OFFLINE:
        return "Offline model is ready."
    price = f"\\${tried.usd:.6f}" if tried.usd else "price not known"
    took = f"replied in {tried.seconds:.1f} s, {tried.tokens} tokens, {price}."
    return f"{escape_markdown(name)}: {took} {describe_profile(tried)}"


def _test_provider(name: str) -> None:
    with st.spinner(f"Searching with {escape_markdown(name)}"):
        began = time.monotonic()
        try:
            found = asyncio.run(search_web(get_backend().settings, TEST_QUERY, 3, providers=[name]))
        except ForagerError as error:
            _show_error(name, error)
            return
    took = time.monotonic() - began
    count = len(found.results)
    if count:
        text = f"{escape_markdown(name)}: {count} results in {took:.1f} s."
        st.success(text, icon=":material/check_circle:")
        return
    reason = escape_markdown(" ".join(found.notes)) or "it found nothing"
    st.warning(f"{escape_markdown(name)}: {reason}", icon=":material/warning:")
