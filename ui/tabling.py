"""An answer's table on the screen, and the numbers of its many citations."""

import re
from collections.abc import Iterator, Mapping

from rich.table import Table as Drawn
from rich.text import Text

from forager.domain.answers import Cell, Table
from graphs.reports.report import Report
from ui.plain import clean

RUN = re.compile(r"\[\d+\](?:\s?\[\d+\]){3,}")
NUMBER = re.compile(r"\d+")
BETWEEN = "\t"


def drawn(table: Table, numbers: Mapping[str, int]) -> Drawn:
    """The table for a terminal."""
    made = Drawn(header_style="bold", show_lines=False, expand=False)
    for column in table.columns:
        made.add_column(Text(clean(column)), overflow="fold")
    made.add_column("", style="dim", no_wrap=True)
    for row in table.rows:
        made.add_row(*(Text(clean(_one_line(cell))) for cell in row), _cites(row, numbers))
    return made


def lines(table: Table, numbers: Mapping[str, int]) -> Iterator[str]:
    """The table as text: a line for each row, tabs between the cells, its citations last."""
    yield BETWEEN.join(" ".join(column.split()) for column in table.columns)
    for row in table.rows:
        yield BETWEEN.join([*map(_one_line, row), _cites(row, numbers)])


def numbers(report: Report) -> dict[str, int]:
    """The number of each citation."""
    return {item.id: number for number, item in enumerate(report.citations, 1)}


def runs(text: str) -> str:
    """Four and more citations that follow one another, as the first and the last of them."""
    return RUN.sub(lambda found: _run(found[0]), text)


def _run(cites: str) -> str:
    found = [int(number) for number in NUMBER.findall(cites)]
    if found != list(range(found[0], found[0] + len(found))):
        return cites
    return f"[{found[0]}]–[{found[-1]}]"


def _cites(row: tuple[Cell, ...], numbers: Mapping[str, int]) -> str:
    ids = dict.fromkeys(id for cell in row for id in cell.cites)
    return "".join(f"[{numbers[id]}]" for id in ids if id in numbers)


def _one_line(cell: Cell) -> str:
    return " ".join(cell.text.split())
