"""The web UI's script, which Streamlit runs anew on every interaction: bar, page, styles."""

from pathlib import Path

import streamlit as st

from forager.errors import ForagerError
from ui.parts.look import dress
from ui.parts.plain import escaped
from ui.screens import ask, bench, graphs, memory, sessions, settings
from ui.screens.login import shut
from ui.server.backend import get_backend as here

LOGO = Path(__file__).parent / "static" / "logo.svg"

# A Material icon would be fetched from Google.
st.set_page_config(page_title="Forager", page_icon=str(LOGO), layout="wide")
st.logo(str(LOGO), size="medium", link=None)
dress()
if shut():
    st.stop()
running = len(here().running())
pages = [
    st.Page(ask.page, title="Ask", url_path="ask", default=True),
    st.Page(
        sessions.page,
        title=f"Sessions · {running} running" if running else "Sessions",
        url_path="sessions",
    ),
    st.Page(graphs.page, title="Graphs", url_path="graphs"),
    st.Page(memory.page, title="Memory", url_path="memory"),
    st.Page(bench.page, title="Bench", url_path="bench"),
    st.Page(settings.page, title="Settings", url_path="settings"),
]
chosen = st.navigation(pages, position="top")
# On narrow screens, where the bar hides the pages behind a sign: look.css shows one of the two.
with st.container(key="nav", horizontal=True):
    for page in pages:
        st.page_link(page)
try:
    chosen.run()
except ForagerError as error:
    st.error(escaped(str(error)))
