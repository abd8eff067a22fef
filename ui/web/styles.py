"""The style sheets of the pages: what Streamlit's theme cannot express."""

from pathlib import Path

import streamlit as st

from forager.settings import ThemeName

FOLDER = Path(__file__).parent / "style_sheets"


def apply_styles(name: str = "page") -> None:
    """Add a style sheet to the page: that of all pages, or that of one."""
    st.html(FOLDER / f"{name}.css")


def apply_colour_scheme(theme: ThemeName) -> None:
    """Have our own colours follow the theme of the settings, not the browser."""
    if theme != "system":
        st.html(f"<style>:root, .stApp {{ color-scheme: {theme} !important; }}</style>")
