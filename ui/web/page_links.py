"""References to pages, for links from one to another."""

from typing import Final, Literal

import streamlit as st

from ui.web.words import later, say

TRIAL: Final = "trial"
"""Marks the address of a session that a trial may have kept in its own folder."""
Name = Literal["ask", "bench", "methods", "sessions", "settings"]
TITLES: Final[dict[Name, str]] = {
    "ask": later("Ask"),
    "bench": later("Bench"),
    "methods": later("Methods"),
    "sessions": later("Sessions"),
    "settings": later("Settings"),
}


def refer_to_page(name: Name) -> st.Page:
    """A page by its address; the app registers the code that draws it."""
    return st.Page(_draw_nothing, title=say(TITLES[name]), url_path=name, default=name == "ask")


def _draw_nothing() -> None:
    """Stands for the code of the page."""
