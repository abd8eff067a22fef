"""Things remembered as tables from which rows are chosen."""

from collections.abc import Sequence

import streamlit as st

from graphs.reports.events import plural
from graphs.sessions.listing import KeptRecipe, forget_recipe
from ui.screens.memory.asking import forget_chosen, forget_site
from ui.screens.memory.items import Learned, when
from ui.server.backend import get_backend as here

KINDS = {"episode": "Attempt", "snippet": "Step"}
ALL = "everything"


def shown(items: Sequence[Learned], *, site: str) -> None:
    """The things; those that are chosen can be forgotten, or all of a site."""
    st.caption(f"{plural(len(items), 'thing')}. Choose rows to forget them.")
    rows = [
        {
            "learned": when(item.time),
            "kind": KINDS[item.kind],
            "outcome": item.outcome,
            "what": item.told,
            "question": item.asked,
            "page": item.url or item.site,
            "session": item.session,
        }
        for item in items
    ]
    picked = st.dataframe(
        rows, hide_index=True, on_select="rerun", selection_mode="multi-row", key=f"items-{site}"
    )
    chosen = [items[row].id for row in picked.selection.rows if row < len(items)]
    with st.container(horizontal=True):
        label = f"Forget {plural(len(chosen), 'chosen row')}…" if chosen else "Forget chosen rows…"
        if st.button(label, disabled=not chosen, icon=":material/delete:"):
            forget_chosen(chosen)
        if site not in ("", ALL) and st.button("Forget this site…"):
            forget_site(site, len(items))


def ways(kept: Sequence[KeptRecipe]) -> None:
    """Ways through sites that led to an answer; they are walked first when it is asked again."""
    if not kept:
        st.text("There are no ways yet: a run that answers through a browser keeps one.")
        return
    rows = [
        {"site": each.recipe.site, "question": each.recipe.question, "kept": when(each.kept)}
        for each in kept
    ]
    picked = st.dataframe(
        rows, hide_index=True, on_select="rerun", selection_mode="multi-row", key="ways"
    )
    chosen = [kept[row].id for row in picked.selection.rows if row < len(kept)]
    if st.button("Forget chosen ways", disabled=not chosen, icon=":material/delete:"):
        for number in chosen:
            forget_recipe(here().settings, number)
        st.rerun()
