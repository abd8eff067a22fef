"""Rows of lists in the ledger: from a page's enumeration to passages, and on to a table."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from forager.domain.answers import Cell, ListRow, Table
from forager.domain.state import Evidence, Passage
from forager.evidence.list_match import (
    continues_elsewhere,
    match_columns,
    part_number,
    without_part_number,
)
from forager.prompts.sections import MAX_LINE, Item, Section, escape_citations, one_line
from forager.questions.list_intent import ListIntent
from forager.text.lists import Enumeration
from forager.text.sentences import SENTENCE_ENDS
from forager.text.tables import MAX_NAME_LENGTH

CONTINUATION_FIT = 0.6
"""The least fit of a list that may continue the best one, as a share of the best fit."""
SURE_FIT = 1.2
"""The fit from which a list is certainly the one asked for."""
ROWS_IN_BRIEF = 2
SECTION_TOKENS = 6000
SECTION_CHARACTERS = 18_000
SHORTEST_ROW = 40
"""Limits of the prompt section with all rows; a row takes about ten tokens beside its text."""
FIRST_COLUMN, SECOND_COLUMN = "Name", "Description"


def passages_of_rows(
    like: Passage, text: str, found: Enumeration, fit: float, most: int
) -> list[Passage]:
    """One passage for each of the first `most` rows; common fields are copied from `like`."""
    heading = _list_name(found) or like.title
    made = []
    for place, row in enumerate(found.rows[:most]):
        inside = tuple((max(0, a - row.start), max(0, b - row.start)) for a, b in row.cells)
        mark = ListRow(
            list=f"{like.blob[:16]}:{found.start}",
            name=heading,
            place=place,
            of=len(found.rows),
            columns=found.columns,
            cells=inside,
            fit=fit,
        )
        changed = {
            "start": row.start,
            "end": row.end,
            "text": text[row.start : row.end],
            "section": heading,
            "row": mark,
        }
        made.append(like.model_copy(update=changed))
    return made


def _list_name(found: Enumeration) -> str:
    """The caption if it is a title rather than a sentence, else the innermost heading."""
    titled = (
        found.caption
        and found.caption[-1] not in SENTENCE_ENDS
        and len(found.caption) <= MAX_NAME_LENGTH
    )
    return found.caption if titled else (found.headings or ("",))[-1]


def group_rows_by_list(ledger: Iterable[Evidence]) -> list[tuple[Evidence, ...]]:
    """The lists in the ledger, best fit first; each with its rows in order."""
    found: dict[str, dict[int, Evidence]] = {}
    fits: dict[str, float] = {}
    for item in ledger:
        if item.passage.row and not item.dropped:
            found.setdefault(item.passage.row.list, {})[item.passage.row.place] = item
            fits[item.passage.row.list] = item.passage.row.fit
    order = sorted(found, key=lambda name: -fits[name])
    return [tuple(found[name][place] for place in sorted(found[name])) for name in order]


def choose_new_rows(
    ledger: Sequence[Evidence], read: Iterable[Passage], most: int
) -> tuple[list[Passage], set[str]]:
    """The rows to add to the ledger, and the ids to drop from it to make room.

    At most `most` rows are kept; beyond that, the lists with the worst fit are dropped whole.
    """
    known = {(item.passage.blob, item.passage.start) for item in ledger if item.passage.row}
    enter = [each for each in read if each.row and (each.blob, each.start) not in known]
    marks = [each.row for each in (*(item.passage for item in ledger), *enter) if each.row]
    sizes = Counter(mark.list for mark in marks)
    fits = {mark.list: mark.fit for mark in marks}
    held, kept = 0, set()
    for name in sorted(fits, key=lambda name: -fits[name]):
        if held + sizes[name] <= most:
            kept.add(name)
            held += sizes[name]
    gone = {item.id for item in ledger if item.passage.row and item.passage.row.list not in kept}
    return [each for each in enter if each.row and each.row.list in kept], gone


def rows_of_same_lists(ledger: Iterable[Evidence], ids: Collection[str]) -> set[str]:
    """The ids of all rows that are in the same list as one of `ids`."""
    ledger = tuple(ledger)
    lists = {item.passage.row.list for item in ledger if item.passage.row and item.id in ids}
    return {item.id for item in ledger if item.passage.row and item.passage.row.list in lists}


def apply_row_changes(
    before: Iterable[Evidence], added: Iterable[Evidence], gone: Collection[str]
) -> list[Evidence]:
    """The evidence that changes: `added`, and everything in `gone` marked as dropped."""
    left = [item for item in before if item.id in gone]
    return [
        item.model_copy(update={"dropped": True}) if item.id in gone else item
        for item in (*left, *added)
    ]


def shorten_lists(ledger: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """The ledger with only the first rows of each list, for readers that do not need them all."""
    return tuple(
        item
        for item in ledger
        if item.passage.row is None or item.passage.row.place < ROWS_IN_BRIEF
    )


def describe_lists(ledger: Iterable[Evidence]) -> list[str]:
    """One line per list: its ids, how many rows were taken, its name and its columns."""
    lines = []
    for rows in group_rows_by_list(ledger):
        mark = _list_mark(rows[0])
        columns = f", columns {' | '.join(mark.columns)}" if mark.columns else ""
        taken = f"{len(rows)} of its {mark.of} rows" if len(rows) < mark.of else f"{mark.of} rows"
        lines.append(f"{rows[0].id} to {rows[-1].id}: {taken} of the list “{mark.name}”{columns}")
    return lines


def list_sections(ledger: Iterable[Evidence]) -> tuple[Section, ...]:
    """The lists as a prompt section, row by row, each row cut so that all of them fit."""
    found = group_rows_by_list(ledger)
    count = sum(map(len, found))
    if not count:
        return ()
    room = max(SHORTEST_ROW, min(MAX_LINE, SECTION_CHARACTERS // count))
    items = [
        Item(text=f"[{row.id}] {one_line(_row_text(row), room)}", relevance=-place)
        for place, row in enumerate(row for rows in found for row in rows)
    ]
    names = tuple(Item(text=f"- {one_line(line)}", relevance=1) for line in describe_lists(ledger))
    return (Section(title="Lists", items=(*names, *items), tokens=SECTION_TOKENS),)


def _row_text(row: Evidence) -> str:
    said = row.passage.text
    return " | ".join(said[start:end] for start, end in _list_mark(row).cells) or said


def is_list_complete(
    ledger: Iterable[Evidence], listing: ListIntent, opened: int, least: int
) -> bool | None:
    """Does the ledger have all rows asked for? None if that is unknown.

    Without any rows the answer is no, until `least` pages have been opened.
    """
    rows = join_list_parts(group_rows_by_list(ledger), listing)
    if not rows:
        return False if opened < least else None
    if listing.count:
        return len(rows) >= listing.count
    mark, passage = _list_mark(rows[0]), rows[0].passage
    pages = {row.passage.url for row in rows}
    if len(pages) == 1 and continues_elsewhere(mark.name, passage.title):
        return False
    return True if mark.fit >= SURE_FIT else None


def join_list_parts(found: Sequence[tuple[Evidence, ...]], listing: ListIntent) -> list[Evidence]:
    """The rows of the best list and of the lists that continue it, in order."""
    if not found:
        return []
    first, *others = found
    taken, count = [first], len(first)
    for each in others:
        short = (
            count < listing.count
            and _list_mark(each[0]).fit >= CONTINUATION_FIT * _list_mark(first[0]).fit
        )
        if _same_shape(first[0], each[0]) and (short or _same_name(first[0], each[0])):
            taken.append(each)
            count += len(each)
    taken.sort(key=_list_order)
    return list(
        {row.passage.text: row for rows in reversed(taken) for row in reversed(rows)}.values()
    )[::-1]


def table_of_rows(rows: Sequence[Evidence], listing: ListIntent) -> Table:
    """The rows as a table, with column names from the list's header or from the question."""
    width = max(len(_list_mark(row).cells) for row in rows)
    names = _column_names(_list_mark(rows[0]).columns, width, listing)
    places = list(range(width))
    asked = match_columns(names, listing) if _list_mark(rows[0]).columns else {}
    if listing.columns and len(set(asked.values())) == len(listing.columns):
        places = sorted({0, *asked.values()})
    return Table(
        columns=tuple(names[place] for place in places),
        rows=tuple(tuple(_table_cell(row, place) for place in places) for row in rows),
    )


def summarise_rows(rows: Sequence[Evidence]) -> str:
    """State how many rows each page gave, citing all of them."""
    pages: dict[tuple[str, str], list[Evidence]] = {}
    for row in rows:
        pages.setdefault((row.passage.url, _list_mark(row).name), []).append(row)
    lines = []
    for (_, name), own in pages.items():
        title = own[0].passage.title
        place = ", ".join(dict.fromkeys(part for part in (name, title) if part))
        count = f"{len(own)} row{'s' if len(own) > 1 else ''}"
        cites = "".join(f"[{row.id}]" for row in own)
        lines.append(f"{escape_citations(f'{count} of “{place}”')} {cites}")
    return "\n".join(lines)


def describe_missing_rows(rows: Sequence[Evidence], listing: ListIntent) -> list[str]:
    """Sentences that say which rows are missing."""
    taken = {row.id for row in rows}
    told = []
    if listing.count > len(rows):
        told.append(f"{listing.count} rows were asked for; {len(rows)} were found.")
    for row in {_list_mark(row).list: row for row in rows}.values():
        mark = _list_mark(row)
        own = sum(_list_mark(each).list == mark.list for each in rows if each.id in taken)
        if own < mark.of:
            told.append(f"The list “{mark.name}” has {mark.of} rows; {own} were taken.")
    return told


def _list_mark(item: Evidence) -> ListRow:
    assert item.passage.row is not None  # noqa: S101
    return item.passage.row


def _same_shape(one: Evidence, other: Evidence) -> bool:
    """Do two rows from different pages or headings have the same columns?"""
    left, right = _list_mark(one), _list_mark(other)
    same = left.columns == right.columns and len(left.cells) == len(right.cells)
    return same and (one.passage.url, left.name) != (other.passage.url, right.name)


def _same_name(one: Evidence, other: Evidence) -> bool:
    """Do the titles say that both lists are parts of the same list?"""
    left, right = one.passage, other.passage
    parted = continues_elsewhere(_list_mark(one).name, left.title) and continues_elsewhere(
        _list_mark(other).name, right.title
    )
    title = without_part_number(left.title) == without_part_number(right.title)
    return parted and title


def _list_order(rows: Sequence[Evidence]) -> tuple[int, int]:
    """Sort key: the part number in the list's name or title, then the id."""
    number = part_number(_list_mark(rows[0]).name) or part_number(rows[0].passage.title)
    return number, int(rows[0].id.removeprefix("e") or 0)


def _column_names(columns: Sequence[str], width: int, listing: ListIntent) -> list[str]:
    """A name for each column: from the header, from the question, or a generic one."""
    asked = list(listing.columns)
    given = [listing.rows or FIRST_COLUMN]
    if len(asked) == width:
        given = asked
    elif len(asked) == width - 1:
        given += asked
    else:
        given += [SECOND_COLUMN]
    given += [f"Column {place}" for place in range(len(given) + 1, width + 1)]
    return [
        (columns[place] if place < len(columns) else "") or given[place] for place in range(width)
    ]


def _table_cell(row: Evidence, place: int) -> Cell:
    cells = _list_mark(row).cells
    start, end = cells[place] if place < len(cells) else (0, 0)
    said = row.passage.text[start:end]
    return Cell(text=said, cites=(row.id,) if said else ())
