"""The page on sessions."""

import streamlit as st


def page() -> None:
    """The page."""
    st.title("Sessions", anchor=False)
