"""A session and an event, as they are stored."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field, StringConstraints, ValidationError

from forager.domain.base import EpochSeconds, FiniteJson, Stored, StoredCount
from forager.domain.spend import Spend
from forager.domain.state import Question
from forager.errors import DamagedError

TURN = "~"
"""Separates the id of a session from the number of a turn; no id contains it."""


def thread_of(id: str, turn: int) -> str:
    """The thread of a turn: the session's id for the first, `id~2`, `id~3` … for later ones."""
    return id if turn == 1 else f"{id}{TURN}{turn}"


def session_of(thread: str) -> str:
    """The session of a thread."""
    return thread.partition(TURN)[0]


@contextmanager
def refuse_damaged(id: str) -> Iterator[None]:
    """Raise DamagedError where a row of the session cannot be read."""
    try:
        yield
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise damaged_session(id, first_fault(error)) from error


def damaged_session(id: str, fault: str) -> DamagedError:
    """The error for a session that cannot be read."""
    return DamagedError(
        f"The session {id!r} is damaged: {fault}.", f"Delete it: forager delete {id}"
    )


def first_fault(error: Exception) -> str:
    """What an error says, on one line; its name if it says nothing."""
    if not isinstance(error, ValidationError):
        return str(error).partition("\n")[0] or type(error).__name__
    fault = error.errors()[0]
    return ": ".join(filter(None, (".".join(map(str, fault["loc"])), fault["msg"])))


SessionStatus = Literal[
    "answered",
    "partial",
    "abstained",
    "failed",
    "running",
    "waiting",
    "paused",
    "interrupted",
    "damaged",
]
"""The status of a session in lists and reports."""
PAUSE = "pause"
"""The request that a run pauses. A paused session keeps it."""
STOP = "stop"
"""The request that a run ends with what it has found."""
END = "end"
"""The request that a run that ends does so at once, with what it has read by then."""
ENDINGS: Final = frozenset({STOP, END})
STEER = "steer"
"""The request that a run applies a steer."""
UNFINISHED: Final = "unfinished"
FAILED: Final = "failed"
DAMAGED: Final = "damaged"
"""The status in lists of a session whose row cannot be read."""
UNDER_WAY: Final = frozenset({UNFINISHED, FAILED})
"""The statuses in which a session can be run."""


MAX_TAGS = 20
MAX_TAG_CHARACTERS = 40
TAG_MARK: Final = ","
"""Separates tags in their column; no tag contains it."""


def _split_tags(value: object) -> object:
    return tuple(filter(None, value.split(TAG_MARK))) if isinstance(value, str) else value


Tags = Annotated[
    tuple[Annotated[str, StringConstraints(max_length=MAX_TAG_CHARACTERS, pattern="^[^,]+$")], ...],
    Field(max_length=MAX_TAGS),
    BeforeValidator(_split_tags),
]
"""The tags of a session, also as their column holds them."""
StoredStatus = Literal["unfinished", "answered", "partial", "abstained", "failed"]


class Session(Stored):
    """A stored session. `created` and `changed` are seconds since the epoch.

    `question` is that of the present `turn`, counted from 1. `status` is `unfinished` or the
    report's; `asked` is the request of another process to the run. A fork names the session and the
    step that it came from; pages fetched `since` that time count as its own (0: since `created`).
    `answer`, whether it is `uncertain`, where it `searched`, `pages` and `spend` are as of the end
    of the last run. No clean-up deletes a `pinned` one. The answer of an imported session was
    `written_by` another model than that with which it goes on.
    """

    id: str
    created: EpochSeconds = 0.0
    changed: EpochSeconds = 0.0
    question: Question
    graph: str
    graph_hash: str
    graph_body: str
    model: str
    status: StoredStatus = "unfinished"
    error: str = ""
    mend: str = ""
    asked: str = ""
    title: str = ""
    forked_from: str = ""
    forked_step: StoredCount = 0
    since: EpochSeconds = 0.0
    answer: str = ""
    pages: StoredCount = 0
    spend: Spend = Spend()
    pinned: bool = False
    tags: Tags = ()
    uncertain: bool = False
    doubt: str = ""
    searched: str = ""
    written_by: str = ""
    turn: StoredCount = 1

    @property
    def writer(self) -> str:
        """The model that wrote the answer."""
        return self.written_by or self.model

    @property
    def thread(self) -> str:
        """The thread of the present turn, for its checkpoints, spend and approval requests."""
        return thread_of(self.id, self.turn)


class NodeEvent(Stored):
    """An event of a node: `seq` counts from 1 in a session, `time` is seconds since the epoch."""

    seq: StoredCount
    time: EpochSeconds
    node: str
    kind: str
    message: str
    data: dict[str, FiniteJson]


class Event(NodeEvent):
    """An event with its session."""

    session: str
