"""Fields that show what stands in the graph, whoever changed it."""

from collections.abc import Callable
from typing import Any, Final

import streamlit as st

from ui.parts.unbroken import unbroken

SHOWN: Final = "graph-fields"


def keyed(place: str, value: object) -> str:
    """The key of the field at a place, which shows this value of the graph.

    Another one where the field shows something else: a field that were set from here would be told
    of by the browser as if a person had changed it, and undo what is newer.
    """
    shown = _shown()
    number = shown.get(place, 0)
    if st.session_state.get(f"{place}-{number}", value) != value:
        number += 1
    key = f"{place}-{number}"
    shown |= {place: number, key: value}
    return key


def changed(key: str, take: Callable[[Any], object]) -> Callable[[], None]:
    """What the field calls: it takes a new value.

    Streamlit also calls where a run was cut off and the browser tells of a value as it was drawn.
    """

    @unbroken()
    def call() -> None:
        value = st.session_state[key]
        if value != _shown()[key]:
            take(value)

    return call


def _shown() -> dict[str, Any]:
    """The number of the field at each place, and the value that each field was drawn with."""
    shown: dict[str, Any] = st.session_state.setdefault(SHOWN, {})
    return shown
