"""Sessions as lines of a list, read from their rows alone."""

import json
from collections.abc import Collection
from functools import lru_cache
from typing import Any, get_args

from pydantic import Field
from sqlalchemy import Select, case, func, select, update

from forager.adapters.store.database import Database, JsonPart
from forager.adapters.store.sessions.session_records import (
    DAMAGED,
    StoredStatus,
    Tags,
    refuse_damaged,
    thread_of,
)
from forager.adapters.store.sessions.session_tables import SESSIONS, TURNS
from forager.domain.answers import Answer
from forager.domain.base import EpochSeconds, Frozen
from forager.domain.spend import Spend
from forager.domain.state import Question
from forager.errors import DamagedError

LINE_COLUMNS = (
    *("id", "created", "changed", "question", "title", "status", "graph", "model"),
    *("asked", "forked_from", "forked_step", "answer", "pages", "spend", "pinned", "tags"),
    *("uncertain", "doubt", "searched", "written_by"),
)
"""The columns that a line needs."""

UNRATED = "unrated"
"""In the column `doubt`: the answer is to be rated."""


class SessionLine(Frozen):
    """A session in a list; `question` is the text of the present turn.

    `first_question` is that of the first turn where it is an earlier one, `first_answer` its
    answer.
    `answer`, whether it is `uncertain`, `pages` (read) and `spend` are as of the end of the last
    run. `searched` is where a session without sites has searched: `kept` for pages of earlier
    sessions, `both` for these and the web, empty for the web alone. Where the row cannot be read,
    `status` is `damaged` and `title` says why.
    """

    id: str
    created: EpochSeconds = 0.0
    changed: EpochSeconds = 0.0
    question: str = ""
    sites: tuple[str, ...] = ()
    title: str
    status: str
    graph: str = ""
    model: str = ""
    asked: str = ""
    forked_from: str = ""
    forked_step: int = 0
    answer: str = ""
    pages: int = 0
    spend: Spend = Spend()
    pinned: bool = False
    tags: Tags = ()
    uncertain: bool = False
    doubt: str = Field("", exclude=True)
    """What the answer is shown as where that is less than its status says."""
    unrated: bool = Field(False, exclude=True)
    """Whether that is not known yet: the session is older than what tells it."""
    searched: str = ""
    written_by: str = Field("", exclude=True)
    first_question: str = ""
    first_answer: Answer | None = Field(None, exclude=True)
    turn: int

    @property
    def writer(self) -> str:
        """The model that wrote the answer, also that of an imported session."""
        return self.written_by or self.model

    @property
    def thread(self) -> str:
        """The thread of the present turn, for its checkpoints and approval requests."""
        return thread_of(self.id, self.turn)

    @property
    def name(self) -> str:
        """The title, or else the first question."""
        return self.title or self.first_question or self.question

    def matches(self, words: Collection[str]) -> bool:
        """Whether title, questions, answer and tags contain all of these casefolded words."""
        if not words:
            return True  # most lists are not searched, and answers are long to casefold
        told = (self.title, self.first_question, self.question, self.answer, *self.tags)
        text = "\n".join(told).casefold()
        return all(word in text for word in words)


class SessionLines:
    """The sessions of a file as lines; safe for threads and for several processes."""

    def __init__(self, file: Database) -> None:
        self._file = file

    def find_lines(self, text: str = "") -> tuple[SessionLine, ...]:
        """The sessions that contain all words of a text, newest first. Raises StoreError."""
        columns = [SESSIONS.c[name] for name in LINE_COLUMNS]
        query = select(*columns).order_by(SESSIONS.c.created.desc())
        words = text.casefold().split()
        with self._file.transaction() as db:
            turns: dict[str, tuple[str, str, int]] = {
                row[0]: (row[1] or "", row[2] or "", row[3] + 1)
                for row in db.execute(_finished_turns())
            }
            rows = db.execute(query).all()
        found = (_make_line(*row, *turns.get(row[0], ("", "", 1))) for row in rows)
        return tuple(line for line in found if line.matches(words))

    def rate(self, id: str, doubt: str, *, uncertain: bool) -> None:
        """Store what the answer of a session is shown as, if that is not known yet."""
        unrated = SESSIONS.c.id == id, SESSIONS.c.doubt == UNRATED
        with self._file.transaction() as db:
            rated = update(SESSIONS).where(*unrated)
            db.execute(rated.values(doubt=doubt, uncertain=uncertain))


def _finished_turns() -> Select[Any]:
    """By session, the first question, its answer, and how many turns are finished.

    The database reads them out of the turn, whose pages and evidence may be long.
    """
    first = TURNS.c.number == 1
    asked = case((first, JsonPart(TURNS.c.body, "question", "text")))
    answer = case((first, JsonPart(TURNS.c.body, "answer")))
    columns = TURNS.c.session, func.max(asked), func.max(answer), func.count()
    return select(*columns).group_by(TURNS.c.session)


@lru_cache(maxsize=10_000)
def _make_line(*row: str | float) -> SessionLine:
    """Cached: most rows are unchanged when a list is read again."""
    names = (*LINE_COLUMNS, "first_question", "first_answer", "turn")
    values: dict[str, Any] = dict(zip(names, row, strict=True))
    id, turn = str(values["id"]), values["turn"]
    try:
        with refuse_damaged(id):
            if values["status"] not in get_args(StoredStatus):
                raise ValueError(f"the status {values['status']!r} is unknown")
            question = Question.model_validate_json(values["question"])
            first = values["first_answer"]
            values |= {"question": question.text, "sites": question.sites}
            values["first_answer"] = Answer.model_validate_json(first) if first else None
            if values["doubt"] == UNRATED:
                values |= {"doubt": "", "unrated": True}
            spend = json.loads(values["spend"] or "{}")
            return SessionLine.model_validate({**values, "spend": spend})
    except DamagedError as error:
        return SessionLine(id=id, title=error.what, status=DAMAGED, turn=turn)
