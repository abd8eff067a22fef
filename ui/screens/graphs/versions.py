"""The versions of a graph: their notes, what differs, and going back to one."""

from functools import partial

import streamlit as st

from graphs.spec.diff import Difference, difference
from graphs.spec.library import Version
from ui.parts.component import alone
from ui.screens.graphs.changes import changes, in_words
from ui.screens.graphs.opened import Opened, drafts, held, library, said
from ui.screens.graphs.saving import NOTE
from ui.screens.memory.items import when

AGAINST = "graph-against"


def versions(now: Opened) -> None:
    """The list; one that is chosen is compared with what is drawn."""
    st.subheader("Versions", anchor=False)
    there = library().versions(now.name) if now.base else ()
    if not there and not now.origin:
        known = "It ships with Forager, and does not change." if now.kind == "preset" else "None."
        st.caption(known)
        return
    against = st.session_state.get(AGAINST, "")
    alone(
        "picks",
        "graph-versions",
        field="against",
        label="Versions",
        chosen=against,
        picks=[*_now(now, there), *map(_pick, there), *_origin(now)],
        on_chosen_change=_choose,
    )
    found = compared(now)
    if found is None:
        return
    changes(found, f"{now.name}-{against}")
    with st.container(horizontal=True):
        st.button("Leave off comparing", type="tertiary", on_click=_leave)
        number = int(against) if against.isdigit() else 0
        if number and found:
            st.button(
                f"Restore version {number}",
                icon=":material/history:",
                on_click=partial(_restore, now.name, number),
            )


def compared(now: Opened) -> tuple[Difference, ...] | None:
    """What the graph has otherwise than the version that is chosen; None where none is."""
    against = st.session_state.get(AGAINST, "")
    if against.isdigit() and now.base:
        there = {each.number: each for each in library().versions(now.name)}
        if int(against) in there:
            return difference(there[int(against)].spec, now.whole)
    if against == "origin" and now.origin:
        with said():
            return difference(library().named(now.origin), now.whole)
    return None


def _now(now: Opened, there: tuple[Version, ...]) -> list[dict[str, str]]:
    newest = next((each for each in there if each.number == now.base), None)
    if not now.changed:
        return []
    before = newest.spec if newest else None
    told = in_words(difference(before, now.whole)) if before else "a new graph"
    return [{"id": "", "title": "now", "text": f"Not saved: {told}"}]


def _pick(version: Version) -> dict[str, str]:
    by = f", {version.author}" if version.author else ""
    return {
        "id": str(version.number),
        "href": "#",
        "title": f"v{version.number}",
        "text": version.note,
        "aside": f"{when(version.time)}{by}",
    }


def _origin(now: Opened) -> list[dict[str, str]]:
    return (
        [{"id": "origin", "href": "#", "title": now.origin, "text": "What it is a copy of"}]
        if (now.origin)
        else []
    )


def _choose() -> None:
    said = str(st.session_state["graph-versions"]["chosen"])
    st.session_state[AGAINST] = "" if st.session_state.get(AGAINST) == said else said


def _leave() -> None:
    st.session_state.pop(AGAINST, None)


def _restore(name: str, number: int) -> None:
    """The draft says what the version said; it is saved as any change is, and can be undone."""
    with said():
        drafts().write(held(), library().get(name, number).text)
        st.session_state[NOTE] = f"Version {number} again"
        _leave()
