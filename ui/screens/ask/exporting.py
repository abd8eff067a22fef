"""A session as a file, made when it is asked for."""

from functools import partial

import streamlit as st

from graphs.exports import FORMATS
from ui.server.office import here

NAMES = {"md": "Markdown", "html": "Web page", "pdf": "PDF", "csv": "Table (CSV)", "json": "JSON"}


def exporting(id: str) -> None:
    """The formats to choose from."""
    with st.popover("Export", icon=":material/download:", type="tertiary"):
        for format in FORMATS:
            st.download_button(
                NAMES.get(format, format),
                data=partial(exported, id, format),
                file_name=f"{id}.{format}",
                key=f"export-{format}-{id}",
                on_click="ignore",
                type="tertiary",
            )


def exported(id: str, format: str) -> bytes:
    """A session as a document."""
    return here().desk.call(lambda sessions: sessions.export(id, format))
