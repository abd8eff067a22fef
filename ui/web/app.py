"""The web UI's script, which Streamlit runs on every interaction: navigation, page, styles."""

from pathlib import Path

import streamlit as st

from forager.errors import ForagerError
from ui.server.backend import get_backend, get_installation, may
from ui.web.components.connection import watch_connection
from ui.web.login_page import forget_other_account, show_login
from ui.web.markdown import escape_markdown
from ui.web.screens.ask import ask_page
from ui.web.screens.ask.new_question import header_buttons, open_requested_form
from ui.web.screens.batch import batch_page
from ui.web.screens.bench import bench_page
from ui.web.screens.graphs import graphs_page
from ui.web.screens.memory import memory_page
from ui.web.screens.people import shares_page, users_page
from ui.web.screens.sessions import sessions_page
from ui.web.screens.settings import settings_page
from ui.web.styles import apply_colour_scheme, apply_styles
from ui.web.words import say, say_told

LOGO = Path(__file__).parent / "static" / "logo.svg"


def _draw_app() -> None:
    # A Material icon would be fetched from Google.
    st.set_page_config(page_title="Forager", page_icon=str(LOGO), layout="wide")
    st.logo(str(LOGO), size="medium", link=None)
    apply_styles()
    apply_colour_scheme(get_installation().settings.theme)
    if show_login():
        st.stop()
    forget_other_account()
    asks, pages = may("asker"), _list_pages()
    chosen = st.navigation([*pages, *_list_hidden()], position="top")
    if chosen != pages[0]:
        st.set_page_config(page_title=f"{chosen.title} · Forager")
    if asks:
        open_requested_form(chosen, pages[0])
        header_buttons()
    # Tells ui/server/loading_page.py whose title to show until the page has its own.
    with st.container(key=f"on-{chosen.url_path or ('ask' if asks else 'shares')}"):
        st.html("<i></i>")
    # For narrow screens, where Streamlit hides its navigation in a menu: page.css shows one.
    # Not within the one above, whose key differs by page: a browser would draw it anew on each.
    with st.container(key="nav", horizontal=True):
        for page in pages:
            st.page_link(page, label=page.title)
    watch_connection(len(get_backend().running()))
    try:
        chosen.run()
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))))


def _list_pages() -> list[st.Page]:
    """The pages that whoever asks may use, the first of them at the root."""
    asks, edits = may("asker"), may("editor")
    with_accounts = get_installation().people is not None
    known = (
        (asks, ask_page.page, say("Ask"), "ask"),
        (asks, sessions_page.page, say("Sessions"), "sessions"),
        (edits, graphs_page.page, say("Methods"), "methods"),
        (asks, memory_page.page, say("Memory"), "memory"),
        (asks, batch_page.page, say("Batch"), "batch"),
        (edits, bench_page.page, say("Bench"), "bench"),
        (with_accounts, shares_page.page, say("Shared"), "shares"),
        (with_accounts and may("admin"), users_page.page, say("Users"), "users"),
        (True, settings_page.page, say("Settings"), "settings"),
    )
    usable = [(draw, title, path) for shown, draw, title, path in known if shown]
    return [
        st.Page(draw, title=title, url_path=path if place or asks else "", default=not place)
        for place, (draw, title, path) in enumerate(usable)
    ]


def _list_hidden() -> list[st.Page]:
    """A viewer's first page is under its own address as well, to which others may point them.

    The methods are also under the one that they had before.
    """
    named = (
        (not may("asker"), shares_page.page, say("Shared"), "shares"),
        (may("editor"), graphs_page.page, say("Methods"), "graphs"),
    )
    return [
        st.Page(draw, title=title, url_path=path, visibility="hidden")
        for shown, draw, title, path in named
        if shown
    ]


with get_installation().looking_once():
    _draw_app()
