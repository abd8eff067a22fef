"""A graph as a drawing."""

import re

import streamlit as st

from graphs.spec.mermaid import mermaid
from graphs.spec.spec import GraphSpec

SMALL = re.compile(r"</?small>")
"""Streamlit shows it as it is written."""


def drawn(spec: GraphSpec) -> None:
    """The drawing; who cannot see it has its edges in words."""
    st.mermaid_chart(
        SMALL.sub("", mermaid(spec)), alt=f"{spec.name}: {'; '.join(map(str, spec.edges))}"
    )
