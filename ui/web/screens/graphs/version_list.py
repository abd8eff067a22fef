"""The versions of a graph: their notes, their differences, and restoring one."""

import re
from collections.abc import Sequence
from typing import Final

import streamlit as st

from graphs.spec.diff import Difference, compare_specs
from graphs.spec.edit import relative_place
from graphs.spec.library import Version
from ui.web.components.component import mount_part
from ui.web.screens.graphs.editor_actions import begin_draft, catch_faults
from ui.web.screens.graphs.editor_state import editor_state
from ui.web.screens.graphs.forms.node_parameter import LABELS, label_parameter
from ui.web.screens.graphs.open_graph import OpenGraph, graph_drafts, graph_library
from ui.web.tab_state import widget_value
from ui.web.words import later, local_time, say, say_told

ORIGIN = "origin"
LIST = "graph-versions"
CHANGED_PARAMETER: Final = re.compile(r"(no longer )?([a-z_]+)(?= )")
"""The beginning of what says that a parameter of a node was changed, set or removed."""


def version_list(now: OpenGraph, *, node: bool) -> None:
    """The list; a version that is chosen is compared with what is drawn.

    It is folded while a `node` is selected, and nothing is compared.
    """
    versions = graph_library().list_versions(now.name) if now.base else ()
    if not versions and not now.origin:
        return
    against = editor_state().against
    with st.expander(say("Versions"), expanded=bool(against) or not node, type="compact"):
        _show_versions(now, versions, against)


def _show_versions(now: OpenGraph, versions: Sequence[Version], against: str) -> None:
    mount_part(
        "choice_list",
        LIST,
        field="against",
        label=say("Versions"),
        chosen=against,
        picks=[*_unsaved_choice(now, versions), *map(_version_choice, versions), *_origin(now)],
        on_chosen_change=_choose_version,
    )
    found = compare_version(now)
    if found is None:
        return
    difference_list(found, f"{now.name}-{against}")
    with st.container(horizontal=True):
        st.button(say("Stop comparing"), type="tertiary", on_click=_stop_comparing)
        number = int(against) if against.isdigit() else 0
        if number and found:
            st.button(
                say("Restore version {number}", number=number),
                icon=":material/history:",
                on_click=_restore_version,
                args=(now.name, number),
            )


def compare_version(now: OpenGraph) -> tuple[Difference, ...] | None:
    """How the graph differs from the version that is chosen; None if none is."""
    against = editor_state().against
    if against.isdigit() and now.base:
        versions = {each.number: each for each in graph_library().list_versions(now.name)}
        if int(against) in versions:
            return compare_specs(versions[int(against)].spec, now.whole)
    if against == ORIGIN and now.origin:
        with catch_faults():
            return compare_specs(graph_library().resolve_named(now.origin), now.whole)
    return None


def difference_list(found: Sequence[Difference], key: str) -> None:
    """What was added, removed and changed."""
    rows = [
        {
            "sign": each.sign,
            "what": each.at or say("method"),
            "before": "",
            "after": say_told(label_parameters(each.message)),
        }
        for each in found
    ]
    mount_part("change_list", f"changes-{key}", changes=rows, none=say("There is no difference."))


def label_parameters(message: str) -> str:
    """The message with the label of the parameter that it is about."""
    found = CHANGED_PARAMETER.match(message)
    if not found or not (found[2] in LABELS or "_" in found[2]):
        return message
    return f"{found[1] or ''}{label_parameter(found[2])}{message[found.end() :]}"


def sign_parts(found: Sequence[Difference], path: Sequence[str] = ()) -> dict[str, str]:
    """A sign for the canvas by the name of a node or an edge as written.

    A node is changed if something inside it is; `path` leads to the graph that is drawn.
    """
    signs: dict[str, str] = {}
    for each in found:
        at = relative_place(path, each.at) or ""
        node, inside, _ = at.partition("/")
        if inside:
            signs.setdefault(node, "~")
        elif at:
            signs[at] = each.sign
    return signs


def count_differences(found: Sequence[Difference]) -> str:
    """How many parts were added, removed and changed, in words."""
    texts = {"+": later("{n} added"), "-": later("{n} removed"), "~": later("{n} changed")}
    counts = {sign: sum(each.sign == sign for each in found) for sign in texts}
    parts = [say(texts[sign], n=count) for sign, count in counts.items() if count]
    return ", ".join(parts) or say("only its layout or its text")


def _unsaved_choice(now: OpenGraph, versions: Sequence[Version]) -> list[dict[str, str]]:
    newest = next((each for each in versions if each.number == now.base), None)
    if not now.is_changed:
        return []
    found = compare_specs(newest.spec, now.whole) if newest else None
    text = say("a new method") if found is None else count_differences(found)
    return [{"id": "", "title": say("now"), "text": say("Not saved: {what}", what=text)}]


def _version_choice(version: Version) -> dict[str, str]:
    by = f", {version.author}" if version.author else ""
    return {
        "id": str(version.number),
        "href": "#",
        "title": f"v{version.number}",
        "text": version.note,
        "aside": f"{local_time(version.time)}{by}",
    }


def _origin(now: OpenGraph) -> list[dict[str, str]]:
    if not now.origin:
        return []
    return [{"id": ORIGIN, "href": "#", "title": now.origin, "text": say("This is a copy of it")}]


def _choose_version() -> None:
    """A second click on the same version ends the comparison."""
    state = editor_state()
    chosen = str(widget_value(LIST)["chosen"])
    state.against = "" if state.against == chosen else chosen


def _stop_comparing() -> None:
    editor_state().against = ""


def _restore_version(name: str, number: int) -> None:
    """Write the text of the version to the draft, to be saved or undone like any change."""
    with catch_faults():
        graph_drafts().apply_text(begin_draft(), graph_library().get(name, number).text)
        editor_state().note = say("Version {number} restored", number=number)
        _stop_comparing()
