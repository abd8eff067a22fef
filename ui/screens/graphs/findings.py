"""What the checker says, and the mends that it offers."""

from collections.abc import Mapping

import streamlit as st

from graphs.check.finding import Finding
from graphs.reports.events import plural
from graphs.spec.edit import Fix, apply
from ui.parts.plain import escaped
from ui.screens.graphs.opened import Opened, change, choose, opened


def findings(now: Opened, lines: Mapping[str, int] | None = None) -> None:
    """The list, below what it is about; with the lines of the text where it is shown."""
    with st.container(key="graph-findings"):
        with st.container(horizontal=True, vertical_alignment="center", key="findings-head"):
            st.subheader("Findings", anchor=False)
            st.caption(_counted(now.findings))
        named = {f"finding-{each.at}-{each.message}": each for each in now.findings}
        for name, finding in named.items():
            _row(now, name, finding, (lines or {}).get(finding.at))


def _counted(found: tuple[Finding, ...]) -> str:
    if not found:
        return "None: it can run, and ends within its budget."
    errors = sum(each.severity == "error" for each in found)
    notes = len(found) - errors
    told = [plural(errors, "error")] if errors else []
    told += [plural(notes, "warning")] if notes else []
    return f"{', '.join(told)}. A graph with errors can be saved, not run."


def _row(now: Opened, name: str, finding: Finding, line: int | None) -> None:
    """Named for what it says: by the time a click arrives, its number may be another's."""
    with st.container(horizontal=True, vertical_alignment="center", key=name):
        if finding.severity == "error":
            st.badge("Error", icon=":material/cancel:", color="red")
        else:
            st.badge("Warning", icon=":material/warning:", color="orange")
        place = finding.at.partition("/")[0]
        if place in now.spec.nodes or place in map(str, now.spec.edges):
            st.button(
                escaped(finding.at),
                type="tertiary",
                key=f"{name}-show",
                help="Show it",
                on_click=choose,
                args=((place,),),
            )
        # An arrow of two signs would be drawn as one.
        how = escaped(finding.mend).replace("\\>", "\u2060\\>")
        where = f"Line {line}: " if line else ""
        if fix := finding.fix:
            st.button(escaped(fix.label), key=f"{name}-mend", on_click=mend, args=(fix,))
        st.markdown(f"{where}{escaped(finding.message)} :gray[{how}]")


def mend(fix: Fix) -> None:
    """Change the graph as the fix says."""
    change(lambda spec: apply(spec, fix))


def mend_at(at: str, label: str) -> None:
    """By the button of a finding on the canvas; nothing, where it is mended already."""
    now = opened()
    for found in now.findings if now else ():
        if found.at == at and found.fix and found.fix.label == label:
            mend(found.fix)
            return
