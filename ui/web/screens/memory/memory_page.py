"""The page Memory: what earlier sessions taught, by site, searched, and forgotten."""

from collections.abc import Sequence

import streamlit as st

from forager.errors import ForagerError, StoreError
from graphs.sessions.listing import read_recipes
from ui.server.backend import get_backend
from ui.web.components.component import mount_part
from ui.web.labels import label_site
from ui.web.screens.memory.forget_dialogs import (
    forget_all_dialog,
    rebuild_dialog,
    undo_bars,
)
from ui.web.screens.memory.memory_items import (
    Learned,
    count_by_site,
    list_items,
    search_items,
)
from ui.web.screens.memory.memory_tables import ALL_SITES, item_list, path_table
from ui.web.styles import apply_styles
from ui.web.tab_state import follow_address, go_to, widget_value
from ui.web.words import later, local_number, local_time, say, say_count, say_told

REBUILD = later("Rebuild from the sessions…")


def page() -> None:
    """Sites on the left; on the right what was learned about the one that the address names."""
    follow_address()
    apply_styles("columns")
    try:
        items = list_items()
    except StoreError as error:
        _show_unavailable(error)
        return
    undo_bars()
    with st.container(key="two"):
        with st.container(key="left"):
            st.title(say("Memory"), anchor=False)
            _memory_status(items)
            _site_list(items)
        with st.container(key="right"):
            _tabs_of_site(items)


def _memory_status(items: tuple[Learned, ...]) -> None:
    settings = get_backend().settings
    place = settings.chroma_url or str(settings.data / "memory")
    if settings.memory:
        st.badge(say("Memory is on"), icon=":material/check_circle:", color="green")
    else:
        st.badge(
            say("Memory is off: nothing is added or used"), icon=":material/circle:", color="gray"
        )
    st.text(
        say_count(
            len(items), "{n} item, stored in {place}", "{n} items, stored in {place}", place=place
        )
    )


def _site_list(items: tuple[Learned, ...]) -> None:
    picks = [{"id": ALL_SITES, "title": say("All sites"), "aside": local_number(len(items))}]
    for site in count_by_site(items):
        tried = say_count(site.tried, "{n} page tried", "{n} pages tried")
        steps = say_count(site.steps, "{n} step", "{n} steps")
        text = f"{tried}, {steps} · {local_time(site.last)}"
        title = label_site(site.host, get_backend().own_sites) or say("the web")
        picks.append({"id": site.host, "title": title, "text": text})
    mount_part(
        "choice_list",
        "sites",
        field="site",
        label=say("Sites"),
        row=True,
        chosen=st.query_params.get("site", ALL_SITES),
        picks=picks,
        on_chosen_change=_open_site,
    )


def _open_site() -> None:
    go_to(site=widget_value("sites")["chosen"])


def _tabs_of_site(items: tuple[Learned, ...]) -> None:
    site = st.query_params.get("site", ALL_SITES)
    names = [say("Pages tried"), say("Steps"), say("Saved paths")]
    pages, steps, paths = st.tabs(names, key="of", on_change="rerun")
    if paths.open:
        with paths:
            path_table(read_recipes(get_backend().settings))
    for tab, kind in ((pages, "episode"), (steps, "snippet")):
        if tab.open:
            with tab:
                _learned_tab([item for item in items if item.kind == kind], kind, site)


def _learned_tab(items: Sequence[Learned], kind: str, site: str) -> None:
    words = st.text_input(
        say("Search"),
        placeholder=say("Search memory"),
        icon=":material/search:",
        label_visibility="collapsed",
        key=f"words-{kind}",
        live=True,
    )
    if words.strip():
        _search_results(words, kind)
    elif not items:
        st.text(say("Nothing is remembered yet: Forager learns from every run that opens pages."))
    else:
        item_list(
            [item for item in items if site in (ALL_SITES, item.host)],
            site=site,
            kind=kind,
        )
    with st.container(horizontal=True):
        if items and st.button(say("Forget everything…"), type="tertiary"):
            forget_all_dialog(len(list_items()))
        if st.button(say(REBUILD), type="tertiary"):
            rebuild_dialog()


def _search_results(words: str, kind: str) -> None:
    try:
        item_list([item for item in search_items(words) if item.kind == kind], site="", kind=kind)
    except ForagerError as error:
        st.text(say_told(str(error)))


def _show_unavailable(error: StoreError) -> None:
    st.title(say("Memory"), anchor=False)
    st.badge(say("Not available: runs continue without it"), icon=":material/cancel:", color="red")
    st.text(say_told(error.what))
    st.text(say_told(error.mend))
    if st.button(say(REBUILD)):
        rebuild_dialog()
