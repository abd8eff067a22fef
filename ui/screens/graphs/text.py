"""The graph as YAML, beside the line of what is wrong with it."""

import streamlit as st

from forager.errors import GraphError
from graphs.spec.spec import lines
from ui.screens.graphs.findings import findings
from ui.screens.graphs.opened import Opened, drafts, held, said
from ui.screens.graphs.shown import changed, keyed

HEIGHT = 560


def text(now: Opened) -> None:
    """A field with the text; comments are kept, whatever is changed elsewhere."""
    typed = now.draft.typed if now.draft else ""
    shown = typed or now.text
    key = keyed("graph-yaml", shown)
    st.text_area(
        "YAML",
        shown,
        key=key,
        height=HEIGHT,
        on_change=changed(key, _write),
        help="It is taken as soon as you leave the field, or press Ctrl+Enter.",
    )
    if typed:
        st.caption("It cannot be read as it stands. The canvas shows what it was before.")
    findings(now, _lines(now))


def _lines(now: Opened) -> dict[str, int]:
    try:
        return lines(now.text)
    except GraphError:
        return {}


def _write(text: str) -> None:
    with said():
        drafts().write(held(), text)
