"""Two sessions side by side."""

import streamlit as st

from forager.errors import SessionError
from graphs.sessions.service import Line
from ui.parts.comparing import compare
from ui.screens.memory.items import when
from ui.screens.sessions.browse import lines


def beside(one: str, other: str) -> None:
    """The comparison, and the way to another one."""
    known = {each.line.id: each.line for each in lines()}
    with st.container(key="beside"):
        with st.container(horizontal=True, vertical_alignment="center", key="crumbs"):
            # A link to the page itself would leave `with` in the address.
            st.button(
                "Sessions", icon=":material/arrow_back:", type="tertiary", on_click=_one_alone
            )
            st.caption("Compare")
        left, right = st.columns(2)
        with left:
            _choose("session", "A", one, known)
        with right:
            _choose("with", "B", other, known)
        try:
            compare(one, other)
        except SessionError as error:
            st.text(str(error))


def _one_alone() -> None:
    del st.query_params["with"]


def _choose(name: str, label: str, id: str, known: dict[str, Line]) -> None:
    ids = list(known)
    chosen = st.selectbox(
        label,
        ids,
        index=ids.index(id) if id in known else None,
        format_func=lambda each: named(known[each]),
        key=f"{name}-{id}",
    )
    if chosen and chosen != id:
        st.query_params[name] = chosen
        st.rerun()


def named(line: Line) -> str:
    """A session in one line: what tells it from others of the same question."""
    fork = f" · fork of step {line.forked_step}" if line.forked_from else ""
    return f"{line.graph}{fork} · {when(line.created)} · {line.name}"
