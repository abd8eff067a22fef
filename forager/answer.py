"""The answer of a run, and what it rests on."""

from typing import Literal

from forager.frozen import Frozen
from forager.table import Table

Status = Literal["answered", "partial", "abstained", "failed"]


class Quote(Frozen):
    """A quote and the page it stands on; `id` is the ledger's."""

    id: str
    url: str
    title: str
    quote: str


class Citation(Quote):
    """A quote that the answer rests on: characters `start` to `end` of what is in `blob`."""

    blob: str
    start: int
    end: int


class Doubt(Frozen):
    """A sentence of an answer that the quotes do not carry, and why."""

    sentence: str
    why: str


class Answer(Frozen):
    """The answer: its text cites ledger ids in brackets; `open` names what stayed open."""

    text: str
    status: Status
    table: Table | None = None
    citations: tuple[Citation, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    open: tuple[str, ...] = ()
    reason: str = ""
