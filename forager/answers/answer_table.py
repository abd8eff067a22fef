"""The table of an answer: built from a list in the ledger, or from a comparison."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pydantic import BaseModel, Field

from forager.answers.citation_check import unsupported_facts
from forager.answers.lead import column_names, find_asked_cell, table_headers
from forager.domain.answers import Cell, Doubt, Table
from forager.domain.state import Evidence, Passage, SubQuestion
from forager.evidence import list_rows
from forager.questions.list_intent import ListIntent, comparison_cells, parse_list_intent
from forager.text.quotes import Span, split_sentences
from forager.text.sentences import CELL_SEPARATOR, HEADING
from forager.text.tokens import keywords, tokenize

NO_QUOTE = "It cites no quote of the ledger: removed."
NOT_SUPPORTED = "The cited quotes do not say: {}. Removed."
MOST_CELLS = 4000
LONGEST_SHOWN = 80


class WrittenCell(BaseModel):
    """A cell."""

    text: str = Field(description="copied from a quote; empty where no quote says it")
    cites: list[str] = Field(default_factory=list, description="ids of the quotes it stands in")


class WrittenTable(BaseModel):
    """A table; without columns there is none."""

    columns: list[str] = Field(default_factory=list, description="names of the columns")
    rows: list[list[WrittenCell]] = Field(
        default_factory=list, description="the rows, each with a cell for each column"
    )


class CheckedTable(NamedTuple):
    """A table in which quotes support every cell, and the doubts about removed cells."""

    table: Table | None
    doubts: tuple[Doubt, ...] = ()

    @property
    def cited(self) -> tuple[str, ...]:
        """The ids of all cited quotes, row by row."""
        rows = self.table.rows if self.table else ()
        return tuple(dict.fromkeys(id for row in rows for cell in row for id in cell.cites))


def as_written_table(table: Table) -> WrittenTable:
    """Convert a table into the form in which a model writes it."""
    cells = [
        [WrittenCell(text=cell.text, cites=list(cell.cites)) for cell in row] for row in table.rows
    ]
    return WrittenTable(columns=list(table.columns), rows=cells)


def check_table(written: WrittenTable, ledger: Iterable[Evidence], question: str) -> CheckedTable:
    """Empty each cell that cites no quote or that its quotes do not support.

    The table is None if no cell is left.
    """
    entries = {item.id: item for item in ledger}
    width = len(written.columns)
    doubts: list[Doubt] = []
    kept = []
    for row in written.rows[: MOST_CELLS // max(1, width)]:
        cells = [_check_cell(cell, entries, question, doubts) for cell in row[:width]]
        cells += [Cell(text="")] * (width - len(cells))
        if any(cell.text for cell in cells):
            kept.append(tuple(cells))
    table = Table(columns=tuple(written.columns), rows=tuple(kept)) if kept and width else None
    return CheckedTable(table, tuple(doubts))


def table_faults(written: WrittenTable, ledger: Iterable[Evidence], question: str) -> list[str]:
    """Faults to report to the model once: rows of the wrong length, and unsupported cells."""
    width = len(written.columns)
    wrong = [
        f"Row {place} of the table has {len(row)} cells, but there are {width} columns."
        for place, row in enumerate(written.rows, 1)
        if len(row) != width
    ][:3]
    cells = sum(bool(cell.text.strip()) for row in written.rows for cell in row)
    doubts = check_table(written, ledger, question).doubts
    if len(doubts) * 2 > cells:
        wrong += [
            f"The cell {doubt.sentence[:LONGEST_SHOWN]!r}: {doubt.why}" for doubt in doubts[:3]
        ]
    return wrong


def _check_cell(
    cell: WrittenCell, entries: Mapping[str, Evidence], question: str, doubts: list[Doubt]
) -> Cell:
    text = cell.text.strip()
    if not text:
        return Cell(text="")
    own = [entries[id] for id in dict.fromkeys(cell.cites) if id in entries]
    lacks = _unsupported_content(text, own, question)
    if own and not lacks:
        return Cell(text=text, cites=tuple(item.id for item in own))
    why = NOT_SUPPORTED.format(", ".join(sorted(lacks))) if own else NO_QUOTE
    doubts.append(Doubt(sentence=" ".join(text.split()), why=why))
    return Cell(text="")


def _unsupported_content(text: str, own: Sequence[Evidence], question: str) -> set[str]:
    """The facts of a cell that its quotes lack; or all of it, if they share no word with it."""
    if not own or any(text in item.passage.text for item in own):
        return set()
    plain = " ".join(text.split())
    missing = unsupported_facts(plain, own, question)
    terms = set(tokenize(plain))
    known = {
        term
        for item in own
        for term in tokenize(f"{item.passage.title} {item.passage.section} {item.passage.text}")
    }
    return missing or (
        {plain} if terms and terms.isdisjoint(known | set(tokenize(question))) else set()
    )


class ComparedCell(NamedTuple):
    """A cell of a comparison: the sub-question that it answers, and a span of the quote `id`."""

    part: SubQuestion
    id: str
    span: Span


class RuleTable(NamedTuple):
    """A table built by rule, a text that cites its rows, and sentences on what is missing.

    A comparison has no text: its `cells` are the leads of the answer, in their order.
    """

    table: WrittenTable
    text: str
    open: list[str]
    cells: tuple[ComparedCell, ...] = ()


class LaidOutAnswer(NamedTuple):
    """An answer with its table: text, table, cited ids, doubts, and what remains open."""

    text: str
    table: Table | None
    cited: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    open: list[str]


def compared_thing(part: SubQuestion, question: str) -> str:
    """The thing that a sub-question of a comparison is about; else its row."""
    wanted = parse_list_intent(question)
    cells = comparison_cells(wanted) if wanted and wanted.is_comparison else ()
    return next((row for row, _, ask in cells if part.text == ask), part.row)


def compared_things(parts: Sequence[SubQuestion], question: str) -> Mapping[str, str]:
    """The thing that each part of a comparison is about, by the part's id; empty for none."""
    things = {part.id: compared_thing(part, question) for part in parts}
    return things if len({*things.values()}) > 1 else {}


def fitting_part(item: Evidence, things: Mapping[str, str]) -> str:
    """The part that evidence fits best; of a comparison one whose thing it mentions, if any."""
    own, scores = item.passage.part, item.passage.scores
    if not things.get(own) or mentions_thing(item, things[own]):
        return own
    told = [id for id in scores if things.get(id) and mentions_thing(item, things[id])]
    return max(told, key=lambda id: scores[id], default=own)


def label_sub_question(part: SubQuestion) -> str:
    """A sub-question's text, with the row and column of the table that it fills."""
    names = [f"row {part.row}"] * bool(part.row) + [f"column {part.column}"] * bool(part.column)
    return f"{part.text} ({', '.join(names)})" if names else part.text


def lay_out_table(
    question: str, ledger: Sequence[Evidence], written: WrittenTable, text: str
) -> LaidOutAnswer:
    """Check the written table; without one, build it from the list in the ledger.

    A table without a text gets one that cites it.
    """
    open: list[str] = []
    if text and not written.columns:
        by_rule = table_by_rule(question, (), ledger, math.inf)
        if by_rule:
            written, open = by_rule.table, by_rule.open
    found = check_table(written, ledger, question)
    if found.table and not text:
        text = f"{len(found.table.rows)} rows {''.join(f'[{id}]' for id in found.cited)}"
    return LaidOutAnswer(text, found.table, found.cited, found.doubts, open)


def table_by_rule(
    question: str, parts: Sequence[SubQuestion], ledger: Sequence[Evidence], least: float
) -> RuleTable | None:
    """Build the table that a question asks for; None if it asks for none or nothing fills it.

    `least` is the score that evidence needs to fill a cell of a comparison.
    """
    wanted = parse_list_intent(question)
    if wanted is None:
        return None
    if wanted.is_comparison:
        return _comparison_table(wanted, parts, ledger, least)
    found = list_rows.join_list_parts(list_rows.group_rows_by_list(ledger), wanted)
    if not found:
        return None
    table = as_written_table(list_rows.table_of_rows(found, wanted))
    return RuleTable(
        table, list_rows.summarise_rows(found), list_rows.describe_missing_rows(found, wanted)
    )


def _comparison_table(
    wanted: ListIntent, parts: Sequence[SubQuestion], ledger: Sequence[Evidence], least: float
) -> RuleTable | None:
    """One row per thing with the best sentence for each property; lists the empty cells."""
    columns = wanted.columns or ("",)
    quotes = {item.id: item.passage for item in ledger}
    chosen: dict[tuple[str, str], ComparedCell | None] = {}
    for thing, column, ask in comparison_cells(wanted):
        own = [part for part in parts if (part.row, part.column) == (thing, column)]
        own = own or [part for part in parts if part.text == ask]
        chosen[thing, column] = _best_cell(thing, column, own, ledger, least)
    missing = [ask for thing, column, ask in comparison_cells(wanted) if not chosen[thing, column]]
    if len(missing) == len(chosen):
        return None
    found = {
        place: Cell(text=_cell_text(cell, quotes[cell.id]), cites=(cell.id,))
        if cell
        else Cell(text="")
        for place, cell in chosen.items()
    }
    laid = tuple(
        (_thing_cell(thing, found, columns), *(found[thing, column] for column in columns))
        for thing in wanted.things
    )
    named = (f"{column[:1].upper()}{column[1:]}" for column in columns)
    table = as_written_table(Table(columns=("", *named), rows=laid))
    return RuleTable(table, "", missing, tuple(filter(None, chosen.values())))


def _cell_text(cell: ComparedCell, quote: Passage) -> str:
    """What is compared: of a row the cell that is asked for, if one is."""
    said = find_asked_cell(cell.part.text, quote, cell.span) or cell.span
    return quote.text[slice(*said)]


def _thing_cell(thing: str, found: Mapping[tuple[str, str], Cell], columns: Sequence[str]) -> Cell:
    """The first cell of a row: the thing's name, citing the quotes of the first filled cell."""
    cites = [found[thing, column].cites for column in columns if found[thing, column].cites]
    return Cell(text=thing, cites=cites[0]) if cites else Cell(text="")


def _best_cell(
    thing: str, column: str, parts: Sequence[SubQuestion], ledger: Sequence[Evidence], least: float
) -> ComparedCell | None:
    """The sentence on a property from the evidence that best answers its sub-questions."""
    about = [item for item in ledger if mentions_thing(item, thing)]
    scored = [
        (item, part, item.passage.scores.get(part.id, 0.0)) for item in about for part in parts
    ]
    best = max(scored, key=lambda each: each[2], default=None)
    if best is None or best[2] < least:
        return None
    item, part, _ = best
    passage = item.passage
    text = passage.text
    asked, named = set(keywords(column)), set(keywords(thing))
    near = set(tokenize(passage.section))

    def terms(span: Span) -> set[str]:
        columns = column_names(passage, span) if _is_row(text, span) else ()
        return set(tokenize(" ".join((text[slice(*span)], *columns))))

    def worth(span: Span) -> tuple[int, int]:
        said = terms(span)
        return len(said & asked), len(said & named)

    headers = table_headers(text)
    spans = [
        span
        for span in split_sentences(text)
        if not HEADING.match(text, span[0]) and span not in headers
    ]
    rows_of_it = [span for span in spans if _is_row(text, span) and named <= terms(span)]
    spans = rows_of_it or spans
    span = max(spans, key=worth, default=None)
    if span is None or len((terms(span) | near) & asked) * 2 < len(asked):
        return None
    return ComparedCell(part, item.id, span)


def _is_row(text: str, span: Span) -> bool:
    return CELL_SEPARATOR.search(text, *span) is not None


def mentions_thing(item: Evidence, thing: str) -> bool:
    """Does the quote, its heading or its page mention the thing?"""
    passage = item.passage
    terms = set(tokenize(f"{passage.title} {passage.section} {passage.text} {passage.url}"))
    return set(keywords(thing)) <= terms
