"""The status of a session, as every page shows it."""

from typing import Final

ENDED: Final = frozenset({"answered", "partial", "abstained"})
ACTIVE: Final = frozenset({"running", "waiting"})
RESUMABLE: Final = frozenset({"paused", "interrupted", "failed"})
EMPTY: Final = "empty"
"""Shown for a session that ended as partial, and has no answer at all."""


UNCERTAIN: Final = "uncertain"
"""Shown for one that is answered, but has a part that is weaker than that."""


STOPPED: Final = "stopped"
"""Shown for one that was stopped before it had judged what it read."""


def display_status(status: str, answer: str, *, uncertain: bool = False) -> str:
    """The status as its weakest part has it."""
    if status == "answered" and uncertain:
        return UNCERTAIN
    if status == "partial" and answer and uncertain:
        return STOPPED
    return EMPTY if status == "partial" and not answer else status
