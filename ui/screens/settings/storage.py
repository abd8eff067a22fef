"""Where all is kept, how much it is, and for how long."""

import shutil
from pathlib import Path

import streamlit as st

from forager.errors import ForagerError
from graphs.reports.events import plural
from graphs.system.page_cache import delete_page_cache, page_cache
from ui.parts.plain import escaped
from ui.screens.settings.fields import form
from ui.server.backend import get_backend as here

WHAT = {
    "blobs.sqlite": "Pages as they were read, and pictures",
    "web.sqlite": "When each page was fetched",
    "sites.sqlite": "Search through what was crawled",
    "index": "Vectors of the crawled pages",
    "vectors.sqlite": "Vectors of texts",
    "models": "The embedder, made ready for this machine",
    "memory": "What sessions taught",
    "checkpoints.sqlite": "Every step of every session",
    "sessions.sqlite": "Sessions, their events and replies",
    "recipes.sqlite": "Ways that led to an answer",
    "bench": "Results of benches, and their sessions",
}
AGES = {
    "memory_days": ("Days after which what was learned is forgotten", ""),
    "survey_age_seconds": ("Seconds after which a page or a survey is looked at anew", ""),
}
MEGA = 1_000_000


def storage() -> None:
    """The data folder with its sizes, and what ends on its own."""
    folder = here().settings.data
    st.code(str(folder), language=None, wrap_lines=True)
    st.caption("Set FORAGER_DATA, or start with --data, to have another one.")
    there = {name: what for name, what in WHAT.items() if (folder / name).exists()}
    sizes = {name: size(folder / name) / MEGA for name in there}
    rows = [
        {"what": what, "file": name, "MB": round(sizes[name], 1)} for name, what in there.items()
    ]
    st.dataframe(rows, hide_index=True)
    free = shutil.disk_usage(folder).free
    st.caption(f"{sum(sizes.values()):,.1f} MB in all; {free / MEGA:,.0f} MB are free.")
    if st.button("Delete page cache…", icon=":material/delete:"):
        _delete_cache()
    form("storage", AGES)


@st.dialog("Delete the page cache?")
def _delete_cache() -> None:
    """Say what it is, and ask first."""
    try:
        held = page_cache(here().settings)
        st.text(f"{plural(held.pages, 'page')}, {held.bytes / MEGA:,.1f} MB")
        st.caption(
            "Answers, quotes and site maps stay. A page is fetched anew when it is next opened."
        )
        if st.button("Delete for good", type="primary", disabled=not held.pages):
            delete_page_cache(here().settings)
            st.rerun()
    except ForagerError as error:
        st.error(escaped(str(error)), icon=":material/cancel:")


def size(path: Path) -> int:
    """Bytes of a file with what SQLite keeps beside it, or of all files in a folder."""
    if path.is_dir():
        return sum(each.stat().st_size for each in path.rglob("*") if each.is_file())
    beside = (path.with_name(path.name + end) for end in ("", "-wal", "-shm"))
    return sum(each.stat().st_size for each in beside if each.exists())
