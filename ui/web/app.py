"""The web UI's script, which Streamlit runs on every interaction: navigation, page, styles."""

from pathlib import Path

import streamlit as st

from forager.errors import ForagerError
from ui.server.backend import get_backend
from ui.web.components.connection import watch_connection
from ui.web.login_page import show_login
from ui.web.markdown import escape_markdown
from ui.web.screens.ask import ask_page
from ui.web.screens.ask.new_question import header_buttons, open_requested_form
from ui.web.screens.batch import batch_page
from ui.web.screens.bench import bench_page
from ui.web.screens.graphs import graphs_page
from ui.web.screens.memory import memory_page
from ui.web.screens.sessions import sessions_page
from ui.web.screens.settings import settings_page
from ui.web.styles import apply_colour_scheme, apply_styles
from ui.web.words import say, say_told

LOGO = Path(__file__).parent / "static" / "logo.svg"

# A Material icon would be fetched from Google.
st.set_page_config(page_title="Forager", page_icon=str(LOGO), layout="wide")
st.logo(str(LOGO), size="medium", link=None)
apply_styles()
apply_colour_scheme(get_backend().settings.theme)
if show_login():
    st.stop()
running = len(get_backend().running())
pages = [
    st.Page(ask_page.page, title=say("Ask"), url_path="ask", default=True),
    st.Page(
        sessions_page.page,
        title=say("Sessions · {n} running", n=running) if running else say("Sessions"),
        url_path="sessions",
    ),
    st.Page(graphs_page.page, title=say("Methods"), url_path="graphs"),
    st.Page(memory_page.page, title=say("Memory"), url_path="memory"),
    st.Page(batch_page.page, title=say("Batch"), url_path="batch"),
    st.Page(bench_page.page, title=say("Bench"), url_path="bench"),
    st.Page(settings_page.page, title=say("Settings"), url_path="settings"),
]
chosen = st.navigation(pages, position="top")
if chosen != pages[0]:
    st.set_page_config(page_title=f"{chosen.title.partition(' ·')[0]} · Forager")
open_requested_form(chosen, pages[0])
header_buttons()
# For narrow screens, where Streamlit hides its navigation in a menu: page.css shows one of the two.
# The outer key tells ui/server/loading_page.py whose title to show until the page has its own.
with st.container(key=f"on-{chosen.url_path or 'ask'}"), st.container(key="nav", horizontal=True):
    for page in pages:
        st.page_link(page, label=page.title.partition(" ·")[0])  # there is no room for the count
watch_connection()
try:
    chosen.run()
except ForagerError as error:
    st.error(escape_markdown(say_told(str(error))))
