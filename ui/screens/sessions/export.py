"""A session as a file to keep: every format."""

from functools import partial

import streamlit as st

from graphs.sessions.service import Report, Session
from ui.screens.formats import OFFERED, exported


def export(session: Session, report: Report) -> None:
    """A button for each format; the file is made when it is pressed."""
    for form, (name, what, mime) in OFFERED.items():
        with st.container(horizontal=True, vertical_alignment="center", key=f"export-{form}"):
            st.download_button(
                name,
                partial(exported, session.id, form),
                f"{session.id}.{form}",
                mime,
                key=f"download-{form}-{session.id}",
                icon=":material/download:",
                on_click="ignore",
                width=160,
            )
            st.caption(what)
