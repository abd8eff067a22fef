"""The look of the pages: CSS beside what Streamlit's theme can say."""

from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent


def dress() -> None:
    """Lay the styles over the page."""
    st.html(HERE / "look.css")
