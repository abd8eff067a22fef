"""Models and their keys, search, storage, privacy, and what was found on this machine."""

import streamlit as st

from ui.parts.component import alone
from ui.parts.look import dress
from ui.screens.login import inside, login
from ui.screens.settings.fields import saved
from ui.screens.settings.machine import machine
from ui.screens.settings.models import models
from ui.screens.settings.privacy import privacy
from ui.screens.settings.search import search
from ui.screens.settings.storage import storage

PARTS = {
    "models": ("Models", "Which model answers, and the keys.", models),
    "search": ("Web search", "Who is asked where to look.", search),
    "storage": ("Storage", "Where all is kept, and for how long.", storage),
    "privacy": ("Privacy", "What leaves this machine.", privacy),
    "machine": ("This machine", "What was found on it, and what is missing.", machine),
}
LOGIN = ("Login", "Who you are here, and the way out.", login)


def page() -> None:
    """The parts on the left, the one that the address names on the right."""
    dress("two")
    parts = PARTS | ({"login": LOGIN} if inside() else {})
    saved()
    named = st.query_params.get("part", "")
    part = named if named in parts else "models"
    with st.container(key="two"):
        with st.container(key="left"):
            st.title("Settings", anchor=False)
            alone(
                "picks",
                "parts",
                field="part",
                label="Parts of the settings",
                chosen=part,
                picks=[
                    {"id": id, "title": title, "text": text}
                    for id, (title, text, _) in parts.items()
                ],
                on_chosen_change=_choose,
            )
        with st.container(key="right"):
            title, _, show = parts[part]
            st.subheader(title, anchor=False)
            show()


def _choose() -> None:
    st.query_params["part"] = st.session_state["parts"]["chosen"]
