"""Links from one page to another, which do not know each other."""

import streamlit as st


def ask_page() -> st.Page:
    """Where a run is watched, or a question asked."""
    return st.Page(_elsewhere, title="Ask", url_path="ask", default=True)


def _elsewhere() -> None:
    """Pages are known by their address; what draws them is registered by the bar."""
