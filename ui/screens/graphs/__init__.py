"""The graphs that runs follow: a list to choose from, and the editor of the one chosen."""

import streamlit as st

from forager.errors import ForagerError
from ui.parts.look import dress
from ui.parts.plain import escaped
from ui.screens.graphs.address import tell
from ui.screens.graphs.editing import editing
from ui.screens.graphs.opened import go, hear, opened
from ui.screens.graphs.shelf import shelf


def page() -> None:
    """The graph that the address names, or the list."""
    dress("editor")
    try:
        hear()
        now = opened()
        if now:
            _ = now.spec
    except ForagerError as error:
        _missing(error)
        return
    if now:
        tell()
        editing(now)
    else:
        shelf()


def _missing(error: ForagerError) -> None:
    st.title("There is no such graph", anchor=False)
    st.markdown(escaped(str(error)))
    st.button("All graphs", icon=":material/arrow_back:", on_click=go)
