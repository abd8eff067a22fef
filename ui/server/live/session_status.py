"""The status of a session, as every page shows it."""

from typing import Final

ENDED: Final = frozenset({"answered", "partial", "abstained"})
ACTIVE: Final = frozenset({"running", "waiting"})
RESUMABLE: Final = frozenset({"paused", "interrupted", "failed"})
EMPTY: Final = "empty"
"""Shown for a session that ended as partial, and has no answer at all."""


UNCERTAIN: Final = "uncertain"
"""Shown for one that is answered, but has a part that is weaker than that."""


UNLIKELY: Final = "unlikely"
"""Shown for one whose answer is more likely wrong than right."""


STOPPED: Final = "stopped"
"""Shown for one that was stopped before it had judged what it read."""


def display_status(status: str, answer: str, *, uncertain: bool = False, doubt: str = "") -> str:
    """The status as its weakest part has it; `doubt` is what `doubt_of` says of the answer."""
    if status == "partial" and answer and uncertain:
        return STOPPED
    if status == "answered" and answer and doubt:
        return doubt
    if status == "answered" and uncertain:
        return UNCERTAIN
    return EMPTY if status == "partial" and not answer else status
