"""A session as a file to keep: every format."""

from collections.abc import Callable
from typing import Final

import streamlit as st

from graphs.sessions import Report, Session
from ui.server.office import here

FORMATS: Final = {
    "md": (
        "Markdown",
        "The answer with its quotes, for notes and for repositories.",
        "text/markdown",
    ),
    "html": ("Web page", "One page that needs nothing else, to be sent or printed.", "text/html"),
    "pdf": ("PDF", "The same, printed by the browser on this machine.", "application/pdf"),
    "csv": ("Table", "The answer's table, or else every quote, for a spreadsheet.", "text/csv"),
    "json": ("JSON", "All that is told of the session, for programs.", "application/json"),
    "zip": (
        "Whole session",
        "With every step and page, to be imported elsewhere: shown, forked and resumed there.",
        "application/zip",
    ),
}


def export(session: Session, report: Report) -> None:
    """A button for each format; the file is made when it is pressed."""
    for form, (name, what, mime) in FORMATS.items():
        with st.container(horizontal=True, vertical_alignment="center", key=f"export-{form}"):
            st.download_button(
                name,
                _made(session.id, form),
                f"{session.id}.{form}",
                mime,
                key=f"download-{form}-{session.id}",
                icon=":material/download:",
                on_click="ignore",
                width=160,
            )
            st.caption(what)


def _made(id: str, form: str) -> Callable[[], bytes]:
    return lambda: here().desk.call(lambda sessions: sessions.export(id, form))
