"""Graphs that come from elsewhere: an empty one, a copy, a file."""

import streamlit as st

from forager.errors import ForagerError
from graphs.spec.spec import parse
from ui.parts.plain import escaped
from ui.screens.graphs.opened import drafts, go, library, said

EMPTY = "name: my-graph\nnodes: {}\nedges: []\n"


def begin_empty() -> None:
    """A draft with nothing in it."""
    with said():
        draft = drafts().begin(drafts().free("my-graph"), EMPTY)
        go(draft.name, draft.id)


@st.dialog("Import a graph")
def take_in() -> None:
    """From a file, or as it is written."""
    file = st.file_uploader("A graph in YAML or JSON", type=["yaml", "yml", "json"])
    typed = st.text_area("Or its text", height=160, placeholder="name: …")
    st.caption("It becomes a draft. It may have faults, and runs nothing by itself.")
    if not st.button("Import it", type="primary", disabled=file is None and not typed.strip()):
        return
    try:
        text = file.getvalue().decode("utf-8") if file else typed
        spec = parse(text, file.name if file else "the text", library().find)
        draft = drafts().begin(drafts().free(spec.name), text)
    except ForagerError as error:
        st.error(escaped(str(error)), icon=":material/cancel:")
        return
    except UnicodeDecodeError:
        st.error("The file holds no text in UTF-8.", icon=":material/cancel:")
        return
    go(draft.name, draft.id)
    st.rerun()
