"""Ask a question and watch its answer come to be."""

import streamlit as st

from ui.parts.look import dress
from ui.screens.ask.run import run
from ui.screens.ask.start import start


def page() -> None:
    """The start form, or the run that the address names."""
    dress("ask")
    form = st.empty()  # a place of its own: nothing of it is left to fade under a run
    if id := st.query_params.get("session"):
        run(id)
    else:
        with form.container():
            start()
