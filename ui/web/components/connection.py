"""Says in every page when the server does not answer, and connects the page again."""

import time

import streamlit as st

from ui.server.backend import get_backend
from ui.web.components.component import mount_part, page_token


def watch_connection(running: int) -> None:
    """Mount it, with how many sessions run, which the navigation shows.

    The script runs again once the server is back, as Streamlit does not see to it.
    """
    with st.container(key="connection"):
        mount_part(
            "connection",
            "connection-watch",
            server=get_backend().opened,
            drawn=time.time(),
            token=page_token(),
            running=running,
            on_back_change=lambda: None,
        )
