"""Who is asked where to look, for a question that names no site."""

import asyncio
import time
from typing import get_args

import streamlit as st

from forager.errors import ForagerError
from forager.settings import Provider
from graphs.system.search import searched
from ui.parts.plain import escaped
from ui.screens.settings.fields import form
from ui.server.backend import get_backend as here

ORDER = f"In the order in which they are asked, with commas: {', '.join(get_args(Provider))}."
PLAIN = {
    "search": ("Providers", ORDER),
    "searxng_url": ("Address of a SearXNG instance", ""),
    "google_engine": ("Google: id of the search engine (cx)", ""),
}
KEYS = {
    "tavily_key": "Tavily key",
    "serper_key": "Serper key",
    "brave_key": "Brave key",
    "google_key": "Google key",
}
TRIAL = "open source software"


def search() -> None:
    """The form, and a button that asks each provider for three results."""
    form("search", PLAIN, KEYS)
    st.divider()
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = st.button("Test it", icon=":material/bolt:", help="One search with each.")
        st.text(", ".join(here().settings.search))
    if pressed:
        for name in here().settings.search:
            _test(name)


def _test(name: str) -> None:
    with st.spinner(f"Asking {escaped(name)}"):
        began = time.monotonic()
        try:
            found = asyncio.run(searched(here().settings, TRIAL, 3, providers=[name]))
        except ForagerError as error:
            st.error(f"{escaped(name)}: {escaped(str(error))}", icon=":material/cancel:")
            return
    took = time.monotonic() - began
    count = len(found.results)
    if count:
        st.success(
            f"{escaped(name)}: {count} results in {took:.1f} s.", icon=":material/check_circle:"
        )
        return
    said = escaped(" ".join(found.notes)) or "it found nothing"
    st.warning(f"{escaped(name)}: {said}", icon=":material/warning:")
