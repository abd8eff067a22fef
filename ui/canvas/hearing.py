"""What a canvas says, taken in order and each once.

A run of the script may be ended before it takes what it was told, which is lost then. So the canvas
keeps all that was not acknowledged in one state value, numbered, and sends it anew until it is; a
run takes it before it draws, unbroken.
"""

import secrets
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException, StopException

from forager.domain.base import Frozen
from ui.parts.unbroken import unbroken

Hearers = Mapping[str, Callable[[Any], object] | None]


class Entry(Frozen):
    """One thing said: an edit, or what was pressed."""

    number: int
    name: str
    value: Any = None


class Said(Frozen):
    """All that a canvas said and has no word of yet; `again` counts how often it was sent."""

    canvas: str
    ear: str
    again: int = 0
    entries: tuple[Entry, ...] = ()


class Ear:
    """What was taken of the canvases under one key in this session: the last number of each.

    `hearers` are those of the canvas as it was drawn last.
    """

    def __init__(self) -> None:
        self.id = secrets.token_hex(6)
        self.reached: dict[str, int] = {}
        self.hearers: Hearers = {}
        self._hearing = False

    def told(self) -> dict[str, Any]:
        """The acknowledgement, as the canvas reads it."""
        return {"ear": self.id, "reached": dict(self.reached)}

    def unheard(self, value: object) -> tuple[Entry, ...]:
        """What of it was not taken yet."""
        said = Said.model_validate(value) if value else None
        if said is None or said.ear != self.id:
            return ()
        reached = self.reached.get(said.canvas, 0)
        return tuple(entry for entry in said.entries if entry.number > reached)

    def hear(self, value: Any) -> None:
        """Take what was not taken yet; nothing, where a hearer asks for it."""
        if self._hearing:
            return
        self._hearing = True
        try:
            for entry in self.unheard(value):
                self._take(value["canvas"], entry)
        finally:
            self._hearing = False

    def _take(self, canvas: str, entry: Entry) -> None:
        """In a callback a newer run may end it: then the next one takes it."""
        before = self.reached.get(canvas, 0)
        self.reached[canvas] = entry.number  # also where it is refused with an error
        hear = self.hearers.get(entry.name)
        try:
            if hear:
                hear(entry.value)
        except (RerunException, StopException):
            self.reached[canvas] = before
            raise


def ear_of(key: str) -> Ear:
    """The ear for the canvas under this key."""
    ear: Ear = st.session_state.setdefault(f"{key}-ear", Ear())
    return ear


def listen(key: str) -> None:
    """Take what the canvas said since the last run; before what it may change is read."""
    with unbroken():
        ear_of(key).hear(st.session_state.get(key, {}).get("said"))
