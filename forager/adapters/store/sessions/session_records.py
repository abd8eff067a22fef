"""A session and an event, as they are kept."""

from typing import Final, Literal

from pydantic import JsonValue

from forager.domain.base import Stored
from forager.domain.spend import Spend
from forager.domain.state import Question

TURN = "~"
"""Between the id of a session and the number of a later turn; no id has it."""


def thread_of(id: str, turn: int) -> str:
    """The session's own id for its first turn, and one of its own for each later one."""
    return id if turn == 1 else f"{id}{TURN}{turn}"


def session_of(thread: str) -> str:
    """The session of a thread."""
    return thread.partition(TURN)[0]


PAUSE = "pause"
"""What is asked of a run that is to be left, and stays with a session that was left so."""
STOP = "stop"
"""What is asked of a run that is to end with what there is."""
STEER = "steer"
"""What is asked of a run that is to take up a change."""
UNFINISHED: Final = "unfinished"
FAILED: Final = "failed"
UNDER_WAY: Final = frozenset({UNFINISHED, FAILED})
"""The statuses of a session that can be run."""


class Session(Stored):
    """A session as kept. `created` and `changed` are seconds since the epoch.

    `question` is that of the present `turn`, counted from 1. `status` is `unfinished` or the
    report's; `asked` is what another process wants of the run. A fork has the session and the step
    it came from, and counts as its own what was fetched `since` then (0: since `created`).
    `answer`, `pages` and `spend` are those of the time when it was last left.
    """

    id: str
    created: float = 0.0
    changed: float = 0.0
    question: Question
    graph: str
    graph_hash: str
    graph_body: str
    model: str
    status: Literal["unfinished", "answered", "partial", "abstained", "failed"] = "unfinished"
    error: str = ""
    mend: str = ""
    asked: str = ""
    title: str = ""
    forked_from: str = ""
    forked_step: int = 0
    since: float = 0.0
    answer: str = ""
    pages: int = 0
    spend: Spend = Spend()
    turn: int = 1

    @property
    def thread(self) -> str:
        """Where the present turn has its checkpoints, its spend and its approval requests."""
        return thread_of(self.id, self.turn)


class NodeEvent(Stored):
    """What a node did: `seq` counts up from 1 in a session, `time` is seconds since the epoch."""

    seq: int
    time: float
    node: str
    kind: str
    message: str
    data: dict[str, JsonValue]


class Event(NodeEvent):
    """The same with its session."""

    session: str
