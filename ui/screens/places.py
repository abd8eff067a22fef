"""Links from one page to another, which do not know each other."""

import streamlit as st


def ask_page() -> st.Page:
    """Where a run is watched, or a question asked."""
    return st.Page(_elsewhere, title="Ask", url_path="ask", default=True)


def sessions_page() -> st.Page:
    """Where all sessions are."""
    return st.Page(_elsewhere, title="Sessions", url_path="sessions")


def _elsewhere() -> None:
    """Pages are known by their address; what draws them is registered by the bar."""
