"""What earlier sessions taught: by site, searched, and forgotten."""

import streamlit as st

from forager.errors import ForagerError, StoreError
from graphs.reports.events import plural
from graphs.sessions.listing import recipes
from ui.parts.component import alone
from ui.parts.look import dress
from ui.parts.places import place
from ui.screens.memory.asking import forget_all, rebuild
from ui.screens.memory.items import Learned, everything, found, sites, when
from ui.screens.memory.shown import shown, ways
from ui.server.backend import get_backend as here

ALL = "everything"


def page() -> None:
    """Sites on the left; on the right what was learned on the one that the address names."""
    dress("two")
    try:
        items = everything()
    except StoreError as error:
        _out_of_reach(error)
        return
    with st.container(key="two"):
        with st.container(key="left"):
            st.title("Memory", anchor=False)
            _standing(items)
            _places(items)
        with st.container(key="right"):
            _chosen(items)


def _standing(items: tuple[Learned, ...]) -> None:
    settings = here().settings
    place = settings.chroma_url or str(settings.data / "memory")
    if settings.memory:
        st.badge("Memory is on", icon=":material/check_circle:", color="green")
    else:
        st.badge("Memory is off: nothing is added or used", icon=":material/circle:", color="gray")
    st.text(f"{plural(len(items), 'thing')} learned, kept in {place}")


def _places(items: tuple[Learned, ...]) -> None:
    picks = [{"id": ALL, "title": "All sites", "aside": f"{len(items):,}"}]
    for site in sites(items):
        told = f"{plural(site.tried, 'attempt')}, {plural(site.steps, 'step')} · {when(site.last)}"
        picks.append({"id": site.host, "title": place(site.host, here().handbook), "text": told})
    alone(
        "picks",
        "sites",
        field="site",
        label="Sites",
        chosen=st.query_params.get("site", ALL),
        picks=picks,
        on_chosen_change=_choose,
    )


def _choose() -> None:
    st.query_params["site"] = st.session_state["sites"]["chosen"]


def _chosen(items: tuple[Learned, ...]) -> None:
    site = st.query_params.get("site", ALL)
    kept = recipes(here().settings)
    learned, walked = st.tabs(["Learned", "Ways"], key="of", on_change="rerun")
    if walked.open:
        with walked:
            ways(kept)
    if learned.open:
        with learned:
            words = st.text_input(
                "Search",
                placeholder="A question, or words of one",
                icon=":material/search:",
                label_visibility="collapsed",
                key="words",
            )
            if words.strip():
                _searched(words)
            elif not items:
                st.text("Nothing is remembered yet: every run that opens pages teaches something.")
            else:
                shown([item for item in items if site in (ALL, item.host)], site=site)
            with st.container(horizontal=True):
                if items and st.button("Forget everything…", type="tertiary"):
                    forget_all(len(items))
                if st.button("Rebuild from the sessions…", type="tertiary"):
                    rebuild()


def _searched(words: str) -> None:
    try:
        shown(found(words), site="")
    except ForagerError as error:
        st.text(str(error))


def _out_of_reach(error: StoreError) -> None:
    st.title("Memory", anchor=False)
    st.badge("Out of reach: runs go on without it", icon=":material/cancel:", color="red")
    st.text(error.what)
    st.text(error.mend)
    if st.button("Rebuild from the sessions…"):
        rebuild()
