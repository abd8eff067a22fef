"""The parts of the settings for models and for search providers, with a test of the latter."""

import asyncio
import time

import streamlit as st

from forager.errors import ForagerError
from graphs.system.search import search_web
from ui.server.backend import get_backend
from ui.web.markdown import escape_markdown
from ui.web.screens.settings.endpoint_cards import endpoint_cards
from ui.web.screens.settings.model_roles import model_roles
from ui.web.screens.settings.setting_fields import settings_form
from ui.web.words import later, local_number, say, say_count, say_told

SEARCH_ORDER = later("In the order in which they are tried, separated by commas: {providers}.")
SEARCH_TEXTS = {
    "search": (later("Providers"), SEARCH_ORDER),
    "searxng_url": (later("Address of a SearXNG instance"), ""),
    "google_engine": (later("Google: id of the search engine (cx)"), ""),
}
SEARCH_KEYS = {
    "tavily_key": later("Tavily key"),
    "serper_key": later("Serper key"),
    "brave_key": later("Brave key"),
    "google_key": later("Google key"),
}
TEST_QUERY = "open source software"


def model_settings() -> None:
    """The endpoints, and which model each role uses."""
    endpoint_cards()
    st.markdown("### " + say("Which model answers"))
    model_roles()


def search_settings() -> None:
    """The form, and a button that makes one search with each provider."""
    settings_form("search", SEARCH_TEXTS, SEARCH_KEYS)
    names = get_backend().settings.search
    if _test_button(", ".join(names), say("One search with each provider.")):
        for name in names:
            _test_provider(name)


def _test_button(subject: str, help: str) -> bool:
    st.divider()
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = st.button(say("Test connection"), icon=":material/bolt:", help=help)
        st.text(subject)
    return pressed


def _show_error(name: str, error: ForagerError) -> None:
    text = f"{escape_markdown(name)}: {escape_markdown(say_told(str(error)))}"
    st.error(text, icon=":material/cancel:")


def _test_provider(name: str) -> None:
    with st.spinner(say("Searching with {name}", name=escape_markdown(name))):
        began = time.monotonic()
        try:
            found = asyncio.run(search_web(get_backend().settings, TEST_QUERY, 3, providers=[name]))
        except ForagerError as error:
            _show_error(name, error)
            return
    took = time.monotonic() - began
    count = len(found.results)
    if count:
        text = say_count(
            count,
            "{provider}: {n} result in {seconds} s.",
            "{provider}: {n} results in {seconds} s.",
            provider=escape_markdown(name),
            seconds=local_number(took, 1),
        )
        st.success(text, icon=":material/check_circle:")
        return
    reason = escape_markdown(" ".join(found.notes)) or say("it found nothing")
    st.warning(f"{escape_markdown(name)}: {reason}", icon=":material/warning:")
