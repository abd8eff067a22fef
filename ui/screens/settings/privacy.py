"""What leaves this machine, and what may be asked from it."""

import streamlit as st

from graphs.sessions.model_choice import OFFLINE
from ui.parts.plain import escaped
from ui.screens.settings.fields import save, text
from ui.server.backend import get_backend as here


def privacy() -> None:
    """Who hears of a question, in words, and the hosts that are permitted."""
    settings = here().settings
    line = settings.model or OFFLINE
    search = ", ".join(settings.search)
    model = (
        "Nobody: the built-in rules ask no model."
        if line == OFFLINE
        else f"The question and passages of pages go to {line}."
    )
    facts = {
        "Sites": "Each site is asked for its pages, under the name "
        f"“{settings.user_agent}”, as its robots.txt permits and never in a hurry.",
        "Models": model,
        "Search": f"Words of the question go to {search}, if it names no site.",
        "Memory": "Stays in the data folder."
        if not settings.chroma_url
        else f"Goes to {settings.chroma_url}.",
        "Texts compared": "On this machine."
        if not settings.embedding_url
        else f"At {settings.embedding_url}.",
        "Telemetry": "None: Streamlit's and Chroma's are turned off.",
        "Pages shown": "Quotes are shown as text. Nothing of a page is loaded or run.",
    }
    st.table({name: escaped(fact) for name, fact in facts.items()})
    with st.form("privacy", border=False):
        hosts = text(
            "allow_private",
            "Private hosts that may be asked",
            "With commas. All others on private and loopback addresses are refused.",
        )
        if st.form_submit_button("Save", type="primary") and hosts is not None:
            names = [name.strip() for name in hosts.split(",") if name.strip()]
            save({"allow_private": _listed(names)})


def _listed(names: list[str]) -> str:
    """As the environment would say it."""
    inner = ", ".join(f'"{name}"' for name in names if name.isascii() and '"' not in name)
    return f"[{inner}]" if inner else ""
