"""The answer of a run, and what it rests on."""

from typing import Literal

from forager.domain.base import Stored


class Cell(Stored):
    """A cell of a table, and the ids of the entries that it rests on."""

    text: str
    cites: tuple[str, ...] = ()


class Table(Stored):
    """An answer in rows; each has a cell for each column."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


class ListRow(Stored):
    """Row `place` (from 0) of the `of` that a list of a page has.

    `list` names the list among all pages, `name` is what it is called there, `columns` are what its
    header calls the cells, and `cells` their offsets in the passage. `fit` says how well the list
    is what the question asks for, about 0 to 2.
    """

    list: str
    name: str = ""
    place: int
    of: int
    columns: tuple[str, ...] = ()
    cells: tuple[tuple[int, int], ...]
    fit: float


Status = Literal["answered", "partial", "abstained", "failed"]


class Quote(Stored):
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


class Doubt(Stored):
    """A sentence of an answer that the quotes do not carry, and why."""

    sentence: str
    why: str


class Answer(Stored):
    """The answer: its text cites ledger ids in brackets; `open` names what stayed open."""

    text: str
    status: Status
    table: Table | None = None
    citations: tuple[Citation, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    open: tuple[str, ...] = ()
    reason: str = ""
