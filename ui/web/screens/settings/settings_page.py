"""The page Settings: models and their keys, search, storage, privacy, and this machine."""

from typing import get_args

import streamlit as st

from forager.settings import BudgetName
from graphs.sessions.model_choice import OFFLINE
from ui.server.backend import get_backend
from ui.web.components.component import mount_part
from ui.web.login_page import is_logged_in, login_settings
from ui.web.markdown import escape_markdown
from ui.web.screens.ask.budget_form import PRESETS
from ui.web.screens.settings.machine_settings import machine_settings, storage_settings
from ui.web.screens.settings.provider_settings import model_settings, search_settings
from ui.web.screens.settings.setting_fields import (
    allow_private_hosts,
    confirm_save,
    settings_form,
    text_setting,
)
from ui.web.styles import apply_styles
from ui.web.tab_state import follow_address, go_to, widget_value


def page() -> None:
    """The parts on the left; on the right the one that the address names."""
    follow_address()
    apply_styles("columns")
    parts = PARTS | ({"login": LOGIN} if is_logged_in() else {})
    confirm_save()
    named = st.query_params.get("part", "")
    part = named if named in parts else "models"
    with st.container(key="two"):
        with st.container(key="left"):
            st.title("Settings", anchor=False)
            mount_part(
                "choice_list",
                "parts",
                field="part",
                label="Parts of the settings",
                chosen=part,
                picks=[
                    {"id": id, "title": title, "text": text}
                    for id, (title, text, _) in parts.items()
                ],
                on_chosen_change=_open_part,
            )
        with st.container(key="right"):
            title, _, draw_part = parts[part]
            st.header(title, anchor=False)
            draw_part()


def _open_part() -> None:
    go_to(part=widget_value("parts")["chosen"])


def _privacy_settings() -> None:
    """Who learns about a question, and the private hosts that are allowed."""
    settings = get_backend().settings
    line = settings.model or OFFLINE
    search = ", ".join(settings.search)
    model = (
        "Nothing is sent: the built-in rules call no model."
        if line == OFFLINE
        else f"The question and passages of pages are sent to {line}."
    )
    facts = {
        "Sites": "Pages are requested under the name "
        f"“{settings.user_agent}”, as robots.txt allows and at a polite rate.",
        "Models": model,
        "Search": f"Words of the question are sent to {search}, unless it names a site.",
        "Memory": "Stays in the data folder."
        if not settings.chroma_url
        else f"Stored at {settings.chroma_url}.",
        "Embeddings": "Computed on this machine."
        if not settings.embedding_url
        else f"Computed at {settings.embedding_url}.",
        "Telemetry": "None: that of Streamlit, Chroma and onnxruntime is turned off.",
        "Quotes": "Shown as text. Nothing of a page is loaded or run.",
    }
    st.table({name: escape_markdown(fact) for name, fact in facts.items()})
    with st.form("privacy", border=False):
        hosts = text_setting(
            "allow_private",
            "Private hosts that may be read",
            "Separated by commas. Other hosts with private or loopback addresses are refused.",
        )
        if st.form_submit_button("Save", type="primary") and hosts is not None:
            names = [name.strip() for name in hosts.split(",") if name.strip()]
            allow_private_hosts(names)


def _general_settings() -> None:
    """How pages look, and what the start page begins with."""
    choices = {"theme": ("Theme", THEMES), "default_budget": ("Default budget", BUDGETS)}
    settings_form("general", {}, choices=choices)


THEMES = {"system": "As the browser", "light": "Light", "dark": "Dark"}
BUDGETS = {
    name: f"{name.capitalize()} ({PRESETS[name.capitalize()].about})"
    for name in get_args(BudgetName)
}
PARTS = {
    "models": ("Models", "The model that answers, and its keys.", model_settings),
    "search": ("Web search", "Search providers.", search_settings),
    "storage": ("Storage", "Where data is kept, and for how long.", storage_settings),
    "privacy": ("Privacy", "What is sent from this machine.", _privacy_settings),
    "general": ("General", "Theme and default budget.", _general_settings),
    "machine": ("This machine", "Checks of browser, disk and packages.", machine_settings),
}
LOGIN = ("Login", "Your account, and logging out.", login_settings)
