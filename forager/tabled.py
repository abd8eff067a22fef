"""A table as a model or the rule writes it, checked cell by cell."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pydantic import BaseModel, Field

from forager.claims import lacking
from forager.domain.answers import Cell, Doubt, Table
from forager.domain.state import Evidence
from forager.text.tokens import tokenize

NO_QUOTE = "It cites no quote of the ledger: taken out."
NOT_SAID = "The quotes it cites do not say: {}. Taken out."
MOST_CELLS = 4000
LONGEST_TOLD = 80


class SaidCell(BaseModel):
    """A cell."""

    text: str = Field(description="copied from a quote; empty where no quote says it")
    cites: list[str] = Field(default_factory=list, description="ids of the quotes it stands in")


class SaidTable(BaseModel):
    """A table; without columns there is none."""

    columns: list[str] = Field(default_factory=list, description="names of the columns")
    rows: list[list[SaidCell]] = Field(
        default_factory=list, description="the rows, each with a cell for each column"
    )


class CheckedTable(NamedTuple):
    """A table whose every cell is carried by the quotes it cites, and what was taken out."""

    table: Table | None
    doubts: tuple[Doubt, ...] = ()

    @property
    def cited(self) -> tuple[str, ...]:
        """The ids of the quotes, row by row."""
        rows = self.table.rows if self.table else ()
        return tuple(dict.fromkeys(id for row in rows for cell in row for id in cell.cites))


def said(table: Table) -> SaidTable:
    """A table as a model would write it."""
    cells = [
        [SaidCell(text=cell.text, cites=list(cell.cites)) for cell in row] for row in table.rows
    ]
    return SaidTable(columns=list(table.columns), rows=cells)


def check(written: SaidTable, ledger: Iterable[Evidence], question: str) -> CheckedTable:
    """Empty each cell that cites nothing, or says what its quotes do not; None without any cell."""
    entries = {item.id: item for item in ledger}
    width = len(written.columns)
    doubts: list[Doubt] = []
    kept = []
    for row in written.rows[: MOST_CELLS // max(1, width)]:
        cells = [_checked(cell, entries, question, doubts) for cell in row[:width]]
        cells += [Cell(text="")] * (width - len(cells))
        if any(cell.text for cell in cells):
            kept.append(tuple(cells))
    table = Table(columns=tuple(written.columns), rows=tuple(kept)) if kept and width else None
    return CheckedTable(table, tuple(doubts))


def faults(written: SaidTable, ledger: Iterable[Evidence], question: str) -> list[str]:
    """What is worth telling the model once: rows of another length, cells that nothing carries."""
    width = len(written.columns)
    wrong = [
        f"Row {place} of the table has {len(row)} cells, and there are {width} columns."
        for place, row in enumerate(written.rows, 1)
        if len(row) != width
    ][:3]
    cells = sum(bool(cell.text.strip()) for row in written.rows for cell in row)
    doubts = check(written, ledger, question).doubts
    if len(doubts) * 2 > cells:
        wrong += [
            f"The cell {doubt.sentence[:LONGEST_TOLD]!r}: {doubt.why}" for doubt in doubts[:3]
        ]
    return wrong


def _checked(
    cell: SaidCell, entries: Mapping[str, Evidence], question: str, doubts: list[Doubt]
) -> Cell:
    text = cell.text.strip()
    if not text:
        return Cell(text="")
    own = [entries[id] for id in dict.fromkeys(cell.cites) if id in entries]
    lacks = _lacks(text, own, question)
    if own and not lacks:
        return Cell(text=text, cites=tuple(item.id for item in own))
    why = NOT_SAID.format(", ".join(sorted(lacks))) if own else NO_QUOTE
    doubts.append(Doubt(sentence=" ".join(text.split()), why=why))
    return Cell(text="")


def _lacks(text: str, own: Sequence[Evidence], question: str) -> set[str]:
    """What a cell says that the quotes it cites do not: facts, or else not one of its words."""
    if not own or any(text in item.passage.text for item in own):
        return set()
    plain = " ".join(text.split())
    missing = lacking(plain, own, question)
    terms = set(tokenize(plain))
    known = {
        term
        for item in own
        for term in tokenize(f"{item.passage.title} {item.passage.section} {item.passage.text}")
    }
    return missing or (
        {plain} if terms and terms.isdisjoint(known | set(tokenize(question))) else set()
    )
