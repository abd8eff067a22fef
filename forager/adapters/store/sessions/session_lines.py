"""Sessions as lines of a list, read from their rows alone."""

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from sqlalchemy import func, select

from forager.adapters.store.database import SESSIONS, TURNS, Database
from forager.adapters.store.sessions.session_records import thread_of
from forager.domain.base import Frozen
from forager.domain.spend import Spend

LINE_COLUMNS = (
    *("id", "created", "changed", "question", "title", "status", "graph", "model"),
    *("asked", "forked_from", "forked_step", "answer", "pages", "spend"),
)
"""The columns that a line needs."""


class SessionLine(Frozen):
    """A session in a list; `question` is the text of the present turn.

    `answer`, `pages` (opened) and `spend` are as of the end of the last run.
    """

    id: str
    created: float
    changed: float
    question: str
    sites: tuple[str, ...]
    title: str
    status: str
    graph: str
    model: str
    asked: str
    forked_from: str
    forked_step: int
    answer: str
    pages: int
    spend: Spend
    turn: int

    @property
    def thread(self) -> str:
        """The thread of the present turn, for its checkpoints and approval requests."""
        return thread_of(self.id, self.turn)

    @property
    def name(self) -> str:
        """The title, or else the question."""
        return self.title or self.question

    def matches(self, words: Iterable[str]) -> bool:
        """Whether its title, question and answer contain all of these casefolded words."""
        text = f"{self.title}\n{self.question}\n{self.answer}".casefold()
        return all(word in text for word in words)


class SessionLines:
    """The sessions of a file as lines; safe for threads and for several processes."""

    def __init__(self, file: Database) -> None:
        self._file = file

    def find_lines(self, text: str = "") -> tuple[SessionLine, ...]:
        """The sessions that contain all words of a text, newest first. Raises StoreError."""
        columns = [SESSIONS.c[name] for name in LINE_COLUMNS]
        query = select(*columns).order_by(SESSIONS.c.created.desc())
        finished = select(TURNS.c.session, func.count()).group_by(TURNS.c.session)
        words = text.casefold().split()
        with self._file.transaction() as db:
            turns: dict[str, int] = {row[0]: row[1] for row in db.execute(finished)}
            rows = db.execute(query).all()
        found = (_make_line(*row, turns.get(row[0], 0) + 1) for row in rows)
        return tuple(line for line in found if line.matches(words))


@lru_cache(maxsize=10_000)
def _make_line(*row: str | float) -> SessionLine:
    """Cached: most rows are unchanged when a list is read again."""
    values: dict[str, Any] = dict(zip((*LINE_COLUMNS, "turn"), row, strict=True))
    question = json.loads(values["question"])
    values |= {"question": question["text"], "sites": question["sites"]}
    return SessionLine.model_validate({**values, "spend": json.loads(values["spend"] or "{}")})
