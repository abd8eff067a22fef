"""The page Settings: models and their keys, search, storage, privacy, and this machine."""

from collections.abc import Callable
from typing import get_args

import streamlit as st

from forager.settings import BudgetName
from graphs.sessions.model_choice import AUTO, OFFLINE, default_line, find_model
from ui.language.catalogue import LANGUAGES
from ui.server.backend import get_backend, get_installation, may
from ui.web.components.component import mount_part
from ui.web.login_page import is_logged_in, login_settings
from ui.web.markdown import escape_markdown
from ui.web.screens.ask.budget_form import PRESETS
from ui.web.screens.people.account_settings import account_settings
from ui.web.screens.settings.machine_settings import machine_settings, storage_settings
from ui.web.screens.settings.provider_settings import model_settings, search_settings
from ui.web.screens.settings.setting_fields import (
    allow_private_hosts,
    confirm_save,
    settings_form,
    text_setting,
)
from ui.web.screens.settings.tool_settings import tool_settings
from ui.web.styles import apply_styles
from ui.web.tab_state import follow_address, go_to, widget_value
from ui.web.words import later, say


def page() -> None:
    """The parts on the left; on the right the one that the address names."""
    follow_address()
    apply_styles("columns")
    parts = _usable_parts()
    confirm_save()
    named = st.query_params.get("part", "")
    part = named if named in parts else next(iter(parts))
    with st.container(key="two"):
        with st.container(key="left"):
            st.title(say("Settings"), anchor=False)
            mount_part(
                "choice_list",
                "parts",
                field="part",
                label=say("Parts of the settings"),
                row=True,
                chosen=part,
                picks=[
                    {"id": id, "title": say(title), "text": say(text)}
                    for id, (title, text, _) in parts.items()
                ],
                on_chosen_change=_open_part,
            )
        with st.container(key="right"):
            title, _, draw_part = parts[part]
            st.header(say(title), anchor=False)
            draw_part()


def _usable_parts() -> dict[str, tuple[str, str, Callable[[], None]]]:
    """The parts for whoever looks at them: those of the machine are for admins."""
    if get_installation().people is None:
        return PARTS | ({"login": LOGIN} if is_logged_in() else {})
    own = {"account": ACCOUNT}
    if may("admin"):
        return PARTS | own
    hidden = {"tools", "machine"} if may("asker") else PARTS.keys() - {"general"}
    return {name: part for name, part in PARTS.items() if name not in hidden} | own


def _open_part() -> None:
    go_to(part=widget_value("parts")["chosen"])


def _privacy_settings() -> None:
    """Who learns about a question, and the private hosts that are allowed."""
    settings = get_backend().settings
    line = default_line(settings)
    line = find_model(settings).line if line == AUTO else line
    search = ", ".join(settings.search)
    model = (
        say("Nothing is sent: the built-in rules call no model.")
        if line == OFFLINE
        else say("The question and passages of pages are sent to {model}.", model=line)
    )
    facts = {
        say("Sites"): say(
            "Pages are requested under the name “{agent}”, as robots.txt allows and at a polite "
            "rate.",
            agent=settings.user_agent,
        ),
        say("Models"): model,
        say("Search"): say(
            "Words of the question are sent to {providers}, unless it names a site.",
            providers=search,
        ),
        say("Sessions"): say("Stored at {address}.", address=settings.database_name)
        if settings.database_url
        else say("Stay in the data folder."),
        say("Pages"): say("Stored at {address}.", address=settings.blobs)
        if settings.blobs
        else say("Stay in the data folder."),
        say("Memory"): say("Stored at {address}.", address=settings.chroma_url)
        if settings.chroma_url
        else say("Stays in the data folder."),
        say("Embeddings"): say("Computed at {address}.", address=settings.embedding_url)
        if settings.embedding_url
        else say("Computed on this machine."),
        say("Telemetry"): say("None: that of Streamlit, Chroma and onnxruntime is turned off."),
        say("Quotes"): say("Shown as text. Nothing of a page is loaded or run."),
    }
    st.table({name: escape_markdown(fact) for name, fact in facts.items()})
    with st.form("privacy", border=False):
        hosts = text_setting(
            "allow_private",
            say("Private hosts that may be read"),
            say("Separated by commas. Other hosts with private or loopback addresses are refused."),
        )
        if st.form_submit_button(say("Save"), type="primary") and hosts is not None:
            names = [name.strip() for name in hosts.split(",") if name.strip()]
            allow_private_hosts(names)


def _appearance_settings() -> None:
    """How pages look, in which language, and what the start page begins with."""
    budgets = {name: _describe_preset(name) for name in get_args(BudgetName)}
    choices = {
        "language": (later("Language"), SPOKEN),
        "theme": (later("Theme"), THEMES),
        "default_budget": (later("Default budget"), budgets),
    }
    settings_form("general", {}, choices=choices)


def _describe_preset(name: str) -> str:
    preset = name.capitalize()
    return f"{say(preset)} ({say(PRESETS[preset].about)})"


SPOKEN = {"browser": later("As the browser"), **LANGUAGES}
THEMES = {"system": later("As the browser"), "light": later("Light"), "dark": later("Dark")}
PARTS = {
    "models": (later("Models"), later("The model that answers, and its keys."), model_settings),
    "search": (later("Web search"), later("Search providers."), search_settings),
    "tools": (later("Tools"), later("Servers whose tools methods may call."), tool_settings),
    "storage": (later("Storage"), later("Where data is kept, and for how long."), storage_settings),
    "privacy": (later("Privacy"), later("What is sent from this machine."), _privacy_settings),
    "general": (
        later("Appearance"),
        later("Language, theme and default budget."),
        _appearance_settings,
    ),
    "machine": (
        later("This machine"),
        later("Checks of browser, disk and packages."),
        machine_settings,
    ),
}
ACCOUNT = (
    later("Account"),
    later("Your role, your tokens and your password."),
    account_settings,
)
LOGIN = (later("Login"), later("Your account, and logging out."), login_settings)
