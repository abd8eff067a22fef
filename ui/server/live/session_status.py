"""The status of a session, as every page shows it."""

from typing import Final

ENDED: Final = frozenset({"answered", "partial", "abstained"})
ACTIVE: Final = frozenset({"running", "waiting"})
RESUMABLE: Final = frozenset({"paused", "interrupted", "failed"})
EMPTY: Final = "empty"
"""Shown for a session that ended as partial, and has no answer at all."""


def display_status(status: str, answer: str) -> str:
    """The status, or EMPTY for a partial answer without text."""
    return EMPTY if status == "partial" and not answer else status
