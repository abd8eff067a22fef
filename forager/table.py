"""An answer in rows and columns."""

from forager.frozen import Frozen


class Cell(Frozen):
    """A cell of a table, and the ids of the entries that it rests on."""

    text: str
    cites: tuple[str, ...] = ()


class Table(Frozen):
    """An answer in rows; each has a cell for each column."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
