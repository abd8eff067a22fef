"""The page on bench."""

import streamlit as st


def page() -> None:
    """The page."""
    st.title("Bench", anchor=False)
