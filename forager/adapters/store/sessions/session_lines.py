"""Sessions as lines of a list: what stands in their rows, and no more is read."""

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
"""The columns that a line is made of."""


class SessionLine(Frozen):
    """A session in a list; `question` is the present turn's text, `title` what the user calls it.

    `answer`, `pages` (opened) and `spend` are those of the time when it was last left.
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
        """Where the present turn has its checkpoints and its approval requests."""
        return thread_of(self.id, self.turn)

    @property
    def name(self) -> str:
        """The title, or the question."""
        return self.title or self.question

    def matches(self, words: Iterable[str]) -> bool:
        """Does each of these casefolded words stand in its title, question or answer?"""
        text = f"{self.title}\n{self.question}\n{self.answer}".casefold()
        return all(word in text for word in words)


class SessionLines:
    """Safe for threads and for several processes."""

    def __init__(self, file: Database) -> None:
        self._file = file

    def find_lines(self, text: str = "") -> tuple[SessionLine, ...]:
        """The sessions that say all words of a text, newest first. Raises StoreError."""
        columns = [SESSIONS.c[name] for name in LINE_COLUMNS]
        wanted = select(*columns).order_by(SESSIONS.c.created.desc())
        over = select(TURNS.c.session, func.count()).group_by(TURNS.c.session)
        words = text.casefold().split()
        with self._file.transaction() as db:
            turns: dict[str, int] = {row[0]: row[1] for row in db.execute(over)}
            rows = db.execute(wanted).all()
        found = (_make_line(*row, turns.get(row[0], 0) + 1) for row in rows)
        return tuple(line for line in found if line.matches(words))


@lru_cache(maxsize=10_000)
def _make_line(*row: str | float) -> SessionLine:
    """Most rows of a list are those of the last look."""
    told: dict[str, Any] = dict(zip((*LINE_COLUMNS, "turn"), row, strict=True))
    question = json.loads(told["question"])
    told |= {"question": question["text"], "sites": question["sites"]}
    return SessionLine.model_validate({**told, "spend": json.loads(told["spend"] or "{}")})
