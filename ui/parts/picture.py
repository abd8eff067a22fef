"""A graph as a drawing."""

import streamlit as st

from graphs.draw import mermaid
from graphs.spec import GraphSpec


def drawn(spec: GraphSpec) -> None:
    """The drawing; who cannot see it has its edges in words."""
    st.mermaid_chart(mermaid(spec), alt=f"{spec.name}: {'; '.join(map(str, spec.edges))}")
