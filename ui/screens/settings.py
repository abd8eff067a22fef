"""The page on settings."""

import streamlit as st


def page() -> None:
    """The page."""
    st.title("Settings", anchor=False)
