"""What is remembered, as tables in which rows can be selected and forgotten."""

from collections.abc import Sequence

import streamlit as st

from graphs.reports.events import format_count
from graphs.sessions.listing import KeptRecipe, forget_recipe
from ui.server.backend import get_backend
from ui.web.labels import format_time
from ui.web.screens.memory.forget_dialogs import forget_dialog, forget_site_dialog
from ui.web.screens.memory.memory_items import Learned

KINDS = {"episode": "Attempt", "snippet": "Step"}
ALL_SITES = "everything"


def item_table(items: Sequence[Learned], *, site: str) -> None:
    """The items; the selected ones can be forgotten, or all of a site."""
    st.caption(f"{format_count(len(items), 'item')}. Select rows to forget them.")
    rows = [
        {
            "learned": format_time(item.time),
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
        what = format_count(len(chosen), "selected row") if chosen else "selected rows"
        if st.button(f"Forget {what}…", disabled=not chosen, icon=":material/delete:"):
            forget_dialog(chosen)
        if site not in ("", ALL_SITES) and st.button("Forget this site…"):
            forget_site_dialog(site, len(items))


def path_table(kept: Sequence[KeptRecipe]) -> None:
    """Paths through sites that led to an answer; a similar question tries them first."""
    if not kept:
        st.text("No saved paths yet: a run that answers through a browser saves its path.")
        return
    rows = [
        {
            "site": each.recipe.site,
            "question": each.recipe.question,
            "saved": format_time(each.kept),
        }
        for each in kept
    ]
    picked = st.dataframe(
        rows, hide_index=True, on_select="rerun", selection_mode="multi-row", key="ways"
    )
    chosen = [kept[row].id for row in picked.selection.rows if row < len(kept)]
    if st.button("Forget selected paths", disabled=not chosen, icon=":material/delete:"):
        for number in chosen:
            forget_recipe(get_backend().settings, number)
        st.rerun()
