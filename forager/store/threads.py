"""Each turn of a session has a thread of its own, where its checkpoints are."""

TURN = "~"
"""Between the id of a session and the number of a later turn; no id has it."""


def thread(id: str, turn: int) -> str:
    """The session's own id for its first turn, and one of its own for each later one."""
    return id if turn == 1 else f"{id}{TURN}{turn}"


def root(thread: str) -> str:
    """The session of a thread."""
    return thread.partition(TURN)[0]
