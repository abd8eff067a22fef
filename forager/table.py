"""An answer in rows and columns, and the mark of a passage that is a row of its page's list."""

from forager.frozen import Frozen


class Cell(Frozen):
    """A cell of a table, and the ids of the entries that it rests on."""

    text: str
    cites: tuple[str, ...] = ()


class Table(Frozen):
    """An answer in rows; each has a cell for each column."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


class Listed(Frozen):
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
