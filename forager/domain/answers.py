"""The answer of a run and the quotes that support it."""

from typing import Literal

from forager.domain.base import Stored


class Cell(Stored):
    """A cell of a table, with the ids of the ledger entries that support it."""

    text: str
    cites: tuple[str, ...] = ()


class Table(Stored):
    """An answer as a table; each row has one cell for each column."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


class ListRow(Stored):
    """Row `place` (from 0) of the `of` rows in a list of a page.

    `list` is an id of the list, unique among all pages; `name` is its title on the page, `columns`
    are the names in its header, and `cells` the offsets of the row's cells in the passage. `fit`
    says how well the list matches the question, about 0 to 2.
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
    """A quote and its page; `id` is that of the ledger entry."""

    id: str
    url: str
    title: str
    quote: str


class Citation(Quote):
    """A quote that supports the answer: characters `start` to `end` of the document in `blob`."""

    blob: str
    start: int
    end: int


class NearestQuote(Quote):
    """The quote that comes closest to what was not found, and why it does not answer."""

    why: str


class Doubt(Stored):
    """A sentence of an answer that the quotes do not support, and why."""

    sentence: str
    why: str


class Answer(Stored):
    """The answer. Its text cites ledger ids in brackets; `open` lists what is still unanswered.

    `reason` says why it is not `answered`, `nearest` is the quote that came closest.
    """

    text: str
    status: Status
    table: Table | None = None
    citations: tuple[Citation, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    open: tuple[str, ...] = ()
    reason: str = ""
    nearest: NearestQuote | None = None
