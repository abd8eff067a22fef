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


LeadKind = Literal["value", "name", "date", "yes_no", "steps", "list", "comparison", "sentence"]


class Lead(Stored):
    """What answers a sub-question (`part`): characters `start` to `end` of the quote in `quote`.

    `text` is these words, or for `yes_no` the word Yes or No that they mean. They stand in the
    sentence, list or code from `sentence_start` to `sentence_end`, which for `sentence` is all that
    is known. `confidence` is how likely the quote answers, 0 to 1, null if it was not rated.
    """

    part: str
    kind: LeadKind
    text: str
    quote: str
    start: int
    end: int
    sentence_start: int
    sentence_end: int
    confidence: float | None = None


class Answer(Stored):
    """The answer. Its text cites ledger ids in brackets; `open` lists what is still unanswered.

    `leads` are the words that answer each sub-question, where rules chose the quotes. `reason` says
    why it is not `answered`, `nearest` is the quote that came closest.
    """

    text: str
    status: Status
    table: Table | None = None
    citations: tuple[Citation, ...] = ()
    leads: tuple[Lead, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    open: tuple[str, ...] = ()
    reason: str = ""
    nearest: NearestQuote | None = None
