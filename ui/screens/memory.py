"""The page on memory."""

import streamlit as st


def page() -> None:
    """The page."""
    st.title("Memory", anchor=False)
