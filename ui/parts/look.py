"""The look of the pages: CSS beside what Streamlit's theme can say."""

from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent


def dress(name: str = "look") -> None:
    """Lay styles over the page: those of all, or those that only one page has."""
    st.html(HERE / f"{name}.css")
