"""How a session stands, as every page tells it."""

from typing import Final

ENDED: Final = frozenset({"answered", "partial", "abstained"})
GOING: Final = frozenset({"running", "waiting"})
RESUMABLE: Final = frozenset({"paused", "interrupted", "failed"})
EMPTY: Final = "empty"
"""Of one that ended before a part was answered, and has no answer to be part of one."""


def stands(status: str, answer: str) -> str:
    """The status, or EMPTY where there is nothing of the answer that it speaks of."""
    return EMPTY if status == "partial" and not answer else status
