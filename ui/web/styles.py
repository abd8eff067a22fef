"""The style sheets of the pages: what Streamlit's theme cannot express."""

from functools import cache
from pathlib import Path

import streamlit as st

from forager.settings import ThemeName

FOLDER = Path(__file__).parent / "style_sheets"


def apply_styles(name: str = "page") -> None:
    """Add a style sheet to the page: that of all pages, or that of one."""
    st.html(f"<style>{_read_styles(name)}</style>")


@cache
def _read_styles(name: str) -> str:
    return (FOLDER / f"{name}.css").read_text(encoding="utf-8")


def apply_colour_scheme(theme: ThemeName) -> None:
    """Have our own colours follow the theme of the settings, not the browser."""
    if theme != "system":
        st.html(f"<style>:root, .stApp {{ color-scheme: {theme} !important; }}</style>")
