"""A session as a file, made when it is asked for."""

from functools import partial

import streamlit as st

from graphs.reports.exports import FORMATS
from ui.screens.formats import OFFERED, exported


def exporting(id: str) -> None:
    """The formats to choose from."""
    with st.popover("Export", icon=":material/download:", type="tertiary"):
        for format in FORMATS:
            st.download_button(
                OFFERED[format][0],
                data=partial(exported, id, format),
                file_name=f"{id}.{format}",
                key=f"export-{format}-{id}",
                on_click="ignore",
                type="tertiary",
            )
