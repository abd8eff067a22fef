"""The page on graphs."""

import streamlit as st


def page() -> None:
    """The page."""
    st.title("Graphs", anchor=False)
