"""The style sheets of the pages: what Streamlit's theme cannot express."""

from pathlib import Path

import streamlit as st

FOLDER = Path(__file__).parent / "style_sheets"


def apply_styles(name: str = "page") -> None:
    """Add a style sheet to the page: that of all pages, or that of one."""
    st.html(FOLDER / f"{name}.css")
