"""Receives what a canvas sends, in order and exactly once.

A run of the script may end before it has received what it was sent, which is lost then. So the
canvas keeps its messages, numbered, until they are acknowledged, and sends them again; a run
receives them before it draws. Handlers use plain objects and nothing of Streamlit, so that a run
cannot be ended between the acknowledgement and the change (see `ui.web.tab_state`).
"""

import secrets
from collections.abc import Callable, Mapping
from typing import Any

from forager.domain.base import Frozen
from ui.web.tab_state import tab_object, widget_value

Handlers = Mapping[str, Callable[[Any], object] | None]


class Message(Frozen):
    """An edit, or a button that was pressed."""

    number: int
    name: str
    value: Any = None


class Delivery(Frozen):
    """All messages of a canvas that are not acknowledged; `attempt` counts how often it sent."""

    canvas: str
    inbox: str
    attempt: int = 0
    messages: tuple[Message, ...] = ()


class Inbox:
    """The inbox of the canvases under one key in this tab.

    `reached` holds the last number received from each; `handlers` are those of the last drawing.
    """

    def __init__(self) -> None:
        self.id = secrets.token_hex(6)
        self.reached: dict[str, int] = {}
        self.handlers: Handlers = {}
        self._receiving = False

    def acknowledge(self) -> dict[str, Any]:
        """The acknowledgement, as the canvas reads it."""
        return {"inbox": self.id, "reached": dict(self.reached)}

    def receive(self, value: Any) -> None:
        """Handle what is new; does nothing if a handler calls it."""
        if self._receiving:
            return
        self._receiving = True
        try:
            for message in self._new_messages(value):
                self.reached[value["canvas"]] = message.number  # also where it is refused
                if handle := self.handlers.get(message.name):
                    handle(message.value)
        finally:
            self._receiving = False

    def _new_messages(self, value: object) -> tuple[Message, ...]:
        delivery = Delivery.model_validate(value) if value else None
        if delivery is None or delivery.inbox != self.id:
            return ()
        reached = self.reached.get(delivery.canvas, 0)
        return tuple(message for message in delivery.messages if message.number > reached)


class _Inboxes(dict[str, Inbox]):
    """Those of this tab, by the keys of their canvases."""


def inbox_of(key: str) -> Inbox:
    """The inbox of the canvas with this key."""
    return tab_object(_Inboxes).setdefault(key, Inbox())


def receive_messages(key: str) -> None:
    """Handle what the canvas sent since the last run; before what that may change is read."""
    inbox_of(key).receive((widget_value(key) or {}).get("outbox"))
