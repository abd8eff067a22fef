"""Two people saved one graph: what each of them changed, and ways out, a merge among them."""

from collections.abc import Mapping

import streamlit as st

from forager.errors import ForagerError, GraphError
from graphs.spec.diff import compare_specs
from graphs.spec.library import Version
from graphs.spec.merge import Side, describe_sides, merge_graphs
from graphs.spec.spec import GraphSpec
from ui.web.markdown import escape_markdown
from ui.web.screens.graphs.editor_actions import catch_faults
from ui.web.screens.graphs.editor_state import Merge, StaleSave, editor_state
from ui.web.screens.graphs.open_graph import OpenGraph, graph_drafts, graph_library
from ui.web.screens.graphs.save_dialog import describe_origin, note_field, save_version
from ui.web.screens.graphs.version_list import difference_list
from ui.web.words import later, say, say_told

SIDES: Mapping[Side, str] = {"theirs": later("Theirs"), "mine": later("Mine")}


def conflict_card(now: OpenGraph) -> None:
    """Show the version that was saved in the meantime, until the person chooses what to do."""
    stale = editor_state().stale
    if not now.draft or not stale or stale.draft != now.draft.id:
        return
    with st.container(key="graph-stale", border=True):
        try:
            other = graph_library().get(stale.name, stale.newest or None)
        except ForagerError as error:
            title = say("It was deleted in the meantime")
            st.markdown(f"##### {title}\n{escape_markdown(say_told(str(error)))}")
            other = None
        choices: dict[str, Side] | None = None
        if other:
            choices = _show_both(now, other)
        note = note_field(stale.note)
        _ways_out(now, stale, other, choices, note)


def _show_both(now: OpenGraph, other: Version) -> dict[str, Side] | None:
    """What each side changed; the choices for a merge, None while some are left or without base."""
    st.markdown("##### " + say("Another version was saved in the meantime"))
    text = say(
        "Version {number} of {graph}{about}. Yours is kept as a draft.",
        number=other.number,
        graph=other.name,
        about=describe_origin(other),
    )
    st.text(text)
    base = _base_of(now)
    if base is None:
        st.caption(say("From version {number} to mine", number=other.number))
        difference_list(compare_specs(other.spec, now.whole), "stale")
        return None
    left, right = st.columns(2)
    with left:
        st.markdown(f"**{say('Theirs: changed in version {number}', number=other.number)}**")
        difference_list(compare_specs(base, other.spec), "stale-theirs")
    with right:
        st.markdown(f"**{say('Mine: changed here, not saved')}**")
        difference_list(compare_specs(base, now.whole), "stale-mine")
    return _choose_sides(base, other.spec, now.whole)


def _base_of(now: OpenGraph) -> GraphSpec | None:
    """The version that both sides began with."""
    try:
        return graph_library().get(now.name, now.base).spec if now.base else None
    except ForagerError:
        return None


def _choose_sides(base: GraphSpec, theirs: GraphSpec, mine: GraphSpec) -> dict[str, Side] | None:
    """A choice for each conflict; None until all are made."""
    choices: dict[str, Side] = {}
    found = list(describe_sides(merge_graphs(base, theirs, mine)))
    if not found:
        st.caption(say("Both changed different things: they can be merged."))
        return choices
    st.caption(say("Both changed the same here. Choose whose to merge:"))
    for place, *values in found:
        shown = dict(zip(SIDES, values, strict=True))

        def describe(side: Side, shown: Mapping[Side, str] = shown) -> str:
            return f"{say(SIDES[side])}: {_short(shown[side]) or say('removed')}"

        side = st.segmented_control(
            escape_markdown(place), list(SIDES), format_func=describe, key=f"merge-{place}"
        )
        if side:
            choices[place] = side
    return choices if len(choices) == len(found) else None


def _short(text: str, most: int = 40) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def _ways_out(
    now: OpenGraph,
    stale: StaleSave,
    other: Version | None,
    choices: dict[str, Side] | None,
    note: str,
) -> None:
    with st.container(horizontal=True):
        if (
            other
            and _base_of(now)
            and st.button(
                say("Merge both"),
                type="primary",
                icon=":material/merge:",
                disabled=choices is None,
                help=say("The draft then has both changes; nothing is saved yet."),
            )
        ):
            _merge(now, other, choices or {}, note)
            st.rerun()
        if other and st.button(
            say("Save mine on top"),
            help=say("The newest version is then mine alone; theirs stays in the list."),
        ):
            save_version(now, stale.name, note, other.number)
        if st.button(say("Save mine as a copy")):
            save_version(now, graph_drafts().unused_name(stale.name), note, None)
        if st.button(say("Keep editing"), type="tertiary"):
            editor_state().stale = None
            editor_state().kept_after = stale.newest
            st.rerun()


def _merge(now: OpenGraph, other: Version, choices: dict[str, Side], note: str) -> None:
    """Put both changes into the draft, which comes after their version from then on."""
    base, state = _base_of(now), editor_state()
    with catch_faults() as faults:
        if base and now.draft:
            drafts, draft, stale = graph_drafts(), now.draft, state.stale
            graph = merge_graphs(base, other.spec, now.whole, choices).graph
            if not drafts.merge(draft.id, graph, other, draft.revision):
                raise GraphError("The draft was changed meanwhile.", "Look at it, and merge again.")
            revision = drafts.get(draft.id).revision
            state.merge = stale and Merge(stale, draft.text, draft.base or 0, revision)
    if not faults:
        state.stale, state.note = None, note
        told = say("Merged. Look at it, then save it.")
        st.toast(told, icon=":material/merge:")
