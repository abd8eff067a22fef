"""What an answer rests on, and the pictures of its run; a tab not looked at costs nothing."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from ui.canvas.watching import watching
from ui.parts import figures
from ui.parts.component import of_run
from ui.screens.formats import exported
from ui.server.backend import get_backend as here


@st.fragment
def tabs(id: str) -> None:
    """The tabs of a session; look.css puts the counts behind their names.

    Another tab is drawn without the page around it.
    """
    places = st.tabs(tuple(TABS), key="tabs", on_change="rerun")
    for place, draw in zip(places, TABS.values(), strict=True):
        if place.open:
            with place:
                draw(id)


def _evidence(id: str) -> None:
    with st.container(key="csv"):
        st.download_button(
            "Download CSV",
            data=partial(exported, id, "csv"),
            file_name=f"{id}.csv",
            key=f"csv-{id}",
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
        )
    of_run("ledger", id)


def _arms(id: str) -> None:
    figures.arms(id)
    figures.draws(id)


def _graph(id: str) -> None:
    watching(here().desk.call(lambda to: to.get(id)))


TABS: dict[str, Callable[[str], None]] = {
    "Evidence": _evidence,
    "Site map": figures.site_map,
    "Arms": _arms,
    "Browser": figures.browser,
    "Spend": figures.spend,
    "Graph": _graph,
}
