"""A report on the screen: the answer, its numbered citations, what is open, what was spent."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rich.console import Console
from rich.padding import Padding
from rich.table import Table as DrawnTable
from rich.text import Text

from forager.answers.lead import MORE_QUOTES, text_around
from forager.answers.likelihood import doubt_of
from forager.domain.answers import Cell, Lead, Quote, Table
from forager.domain.survey import NOT_THE_WEB
from graphs.reports.answer_layout import (
    BEST_PASSAGES,
    BETWEEN_CELLS,
    AnswerLayout,
    LeadSentence,
    Passage,
    Piece,
    quote_blocks,
)
from graphs.reports.events import format_count
from graphs.reports.report import (
    NEAREST,
    Report,
    ReportedSpend,
    answer_layout,
    answer_worth,
    describe_nearest,
    shows_nearest,
    split_citations,
)
from graphs.reports.run_end import used_all_rounds
from ui.cli.printing.terminal_text import one_line, strip_controls

INDENT = 4
WORD = re.compile(r"\w+")
CITATION_RUN = re.compile(r"\[\d+\](?:\s?\[\d+\]){3,}")
NUMBER = re.compile(r"\d+")
CELL_SEPARATOR = "\t"
BLOCK_INDENT = 2
DOUBTS = {
    "uncertain": "answered, uncertain",
    "unlikely": "possibly answered",
}
"""What is said of an answer that is weaker than its status."""
LONGEST_MORE = 160
"""The most characters of a further quote."""
BULLETS = {"item": "- ", "code": "  "}


class Line(NamedTuple):
    """A paragraph with its indent and style; or the place of the table.

    `pieces` are its text where some of it is marked.
    """

    text: str
    indent: int = 0
    style: str = ""
    table: bool = False
    pieces: tuple[Piece, ...] = ()

    @property
    def styled(self) -> Text:
        """The text as it is printed; what is marked is bold."""
        if not self.pieces:
            return Text(strip_controls(self.text), self.style)
        styles = ((strip_controls(text), "bold" * marked) for text, marked in self.pieces)
        return Text.assemble(*styles)


def print_report(report: Report, console: Console, *, whole: bool = True) -> None:
    """Print a report, with all turns or only the last one.

    Where the console is not a terminal, each paragraph is one plain line.
    """
    for line in report_lines(report, whole=whole):
        if line.table and report.table:
            _print_table(report.table, report, console)
            continue
        text = line.styled
        if not text:
            console.print()
        elif console.is_terminal:
            console.print(Padding(text, (0, 0, 0, line.indent), expand=False))
        else:
            indented = ("\n" + " " * line.indent).join(text.plain.splitlines())
            console.print(Text(" " * line.indent + indented), soft_wrap=True)


def report_lines(report: Report, *, whole: bool = True) -> Iterator[Line]:
    """The lines of a report, in order."""
    yield from _earlier_turns(report, whole=whole)
    if report.answer and report.status == "abstained":
        yield from (Line(f"{no_answer(report)} The nearest passages:"), Line(""))
    laid = answer_layout(report)
    yield from _answer_lines(report, laid)
    if report.table and not laid.leads:
        yield Line("")
        yield Line("", table=True)
    cells = [cell.text for row in report.table.rows for cell in row] if report.table else []
    more = (*laid.more, *(number for number, _ in laid.passages[BEST_PASSAGES:]))
    folded = {number: _around_leads(report.citations[number - 1], report.leads) for number in more}
    led = {lead.number for lead in laid.leads}
    first = {
        number: item
        for number, item in enumerate(report.citations, 1)
        if number in led or number not in folded
    }
    quoting = laid.leads or laid.passages
    printed = [item.quote for item in first.values()] if quoting else [report.answer, *cells]
    yield from _sources(first, printed)
    if folded:
        yield from (Line(""), Line(MORE_QUOTES, style="yellow"))
        yield from _sources(folded, longest=LONGEST_MORE)
    yield from _bullet_list("Still open:", report.open)
    yield from _reason_lines(report)
    if (nearest := report.nearest) and shows_nearest(report):
        yield Line(nearest.why)
    elif nearest:
        yield from _bullet_list(f"{NEAREST}:", [f"{describe_nearest(nearest)} {nearest.why}"])
    if report.status != "answered" or NOT_THE_WEB in report.notes:
        yield from _bullet_list("What went wrong:", report.notes)
    yield from _bullet_list("Asked of a person:", [each.line() for each in report.pleas])
    changes = [each.line() for each in report.actions if each.changed]
    yield from _bullet_list("Changed on a site:", changes)
    doubts = [f"“{doubt.sentence}” {doubt.why}" for doubt in report.doubts]
    yield from _bullet_list("Not supported by the quotes:", doubts)
    yield Line("")
    each = not report.table and _names_parts(_join_leads(laid.leads), report)
    worth = [note] if not each and (note := answer_worth(report)) else []
    doubt = "" if report.unjudged else doubt_of(report)
    status = DOUBTS.get(doubt, report.status)
    kept = [f"session {report.session}"] if report.session else []
    told = [status, *worth, describe_spending(report.spent), *kept]
    yield Line(" · ".join(told), style="dim")


def _reason_lines(report: Report) -> Iterator[Line]:
    """Why the answer is not complete, and what to do about it."""
    if not report.reason:
        return
    yield from (Line(""), Line(report.reason))
    if used_all_rounds(report) and report.session:
        rounds = f"--budget rounds={2 * report.spent.rounds}"
        yield Line(f"To read more pages: forager resume {report.session} {rounds}")


def number_citations(answer: str, citations: Sequence[Quote]) -> str:
    """The answer with citations numbered from 1 in place of the ledger's ids."""
    pieces = split_citations(answer, citations)
    text = "".join(piece if isinstance(piece, str) else f"[{piece}]" for piece in pieces)
    return shorten_citation_runs(text)


def shorten_citation_runs(text: str) -> str:
    """Write four or more consecutive citations as the first and the last of them."""
    return CITATION_RUN.sub(lambda found: _shorten_run(found[0]), text)


def no_answer(report: Report) -> str:
    """The text in place of a missing answer."""
    resume = f"Resume with: forager resume {report.session}"
    return {
        "running": "The session is running.",
        "waiting": "The session waits for your approval.",
        "paused": f"The session is paused. {resume}",
        "interrupted": f"The session was interrupted. {resume}",
        "failed": "There is no answer: the session failed. "
        f"Once the cause is mended: forager resume {report.session}",
        "abstained": "No answer was recognized on the pages that were read.",
    }.get(report.status, "There is no answer.")


def describe_spending(used: ReportedSpend) -> str:
    """What was spent, in one line; money and model calls only where there were any."""
    counts = [
        format_count(used.rounds, "round"),
        format_count(used.actions, "action"),
        f"{format_count(used.pages_fetched, 'page')} fetched",
        f"{used.pages_cached} cached",
    ]
    if used.tokens_in or used.tokens_out:
        counts.append(format_count(used.model_calls, "model call"))
        counts.append(f"{used.tokens_in + used.tokens_out:,} tokens")
    if used.usd:
        counts.append(f"${used.usd:.4f}")
    return ", ".join([*counts, f"{used.seconds:.1f} s"])


def _earlier_turns(report: Report, *, whole: bool) -> Iterator[Line]:
    """The earlier turns, or how many there are; then the question of this one."""
    if not report.turns:
        return
    if whole:
        for turn in report.turns:
            yield from _question(turn.number, turn.question, turn.meant)
            answer = number_citations(turn.answer, turn.citations)
            yield from _paragraphs(answer or "There is no answer.")
            yield from _sources(dict(enumerate(turn.citations, 1)), [turn.answer])
            yield Line("")
    else:
        earlier = format_count(len(report.turns), "earlier question")
        yield Line(f"{earlier}: forager show {report.session} prints all.", style="dim")
    yield from _question(len(report.turns) + 1, report.question, report.meant)


def _around_leads(item: Quote, leads: Sequence[Lead]) -> Quote:
    """A citation whose quote leaves out the sentences of the leads, which stand above."""
    around = text_around(item.quote, [lead for lead in leads if lead.quote == item.id])
    return item.model_copy(update={"quote": " … ".join(filter(None, map(str.strip, around)))})


def _answer_lines(report: Report, laid: AnswerLayout) -> Iterator[Line]:
    """The answer: what was worked out, each lead with its sentence, and what contradicts it.

    A table has its leads for cells, and stands in their place.
    """
    for place, passage in enumerate(laid.passages[:BEST_PASSAGES]):
        yield from [Line("")] * bool(place)
        yield from _block_lines(passage)
    if laid.passages:
        return
    if not laid.leads:
        text = number_citations(report.answer, report.citations)
        yield from _paragraphs(text or no_answer(report))
        return
    before, after = (
        number_citations("\n".join(lines), report.citations) for lines in (laid.before, laid.after)
    )
    leads = _join_leads(laid.leads)
    named = _names_parts(leads, report)
    paragraphs = [
        *([line] for line in _paragraphs(before) if line.text),
        *([[Line("", table=True)]] if report.table else []),
        *(_lead_lines(lead, named=named) for lead in ([] if report.table else leads)),
        *([line] for line in _paragraphs(after) if line.text),
    ]
    for place, lines in enumerate(paragraphs):
        yield from [Line("")] * bool(place)
        yield from lines


def _names_parts(leads: Sequence[LeadSentence], report: Report) -> bool:
    """Whether each lead stands under its sub-question, as there are others."""
    return len(leads) > 1 or bool(leads and {*report.open} - {lead.part for lead in leads})


def _join_leads(leads: Sequence[LeadSentence]) -> Sequence[LeadSentence]:
    """The leads; if all are in one sentence, one with the words of all, which answers in a line."""
    places = {(lead.number, tuple(block.text for block in lead.blocks)) for lead in leads}
    if len(places) != 1 or any(lead.yes_no for lead in leads):
        return leads
    words = dict.fromkeys(lead.words for lead in leads if lead.words)
    rated = [lead.likely for lead in leads if lead.likely is not None]
    likely = min(rated, default=None)
    return (leads[0]._replace(words="; ".join(words), likely=likely),)


def _lead_lines(lead: LeadSentence, *, named: bool) -> list[Line]:
    """The words that answer and their sentence, in one line if it is one."""
    likely = f" · {lead.worth}" if lead.worth else ""
    lines = [Line(f"{lead.part}{likely}", style="dim")] if named else []
    if lead.note:
        lines.append(Line(lead.note, style="dim"))
    words = (Piece(lead.words, marked=True), Piece(": ")) if lead.words else ()
    if words and len(lead.blocks) > 1:
        lines.append(Line("", pieces=words[:1]))
        words = ()
    return [*lines, *_block_lines(lead, words, lead.columns)]


def _block_lines(
    said: LeadSentence | Passage, words: Sequence[Piece] = (), columns: Sequence[str] = ()
) -> Iterator[Line]:
    """The lines of a quote, the last one with its number; the words before them if it is one."""
    for place, block in enumerate(said.blocks):
        one = len(said.blocks) == 1
        opening, closing = ("“", "”") if one else (BULLETS.get(block.kind, ""), "")
        ends = place == len(said.blocks) - 1
        pieces = (
            *words,
            Piece(opening),
            *_row_pieces(block.cells, columns),
            Piece(closing + f" [{said.number}]" * ends),
        )
        yield Line("", indent=0 if one else BLOCK_INDENT, pieces=pieces)


def _row_pieces(cells: Sequence[Sequence[Piece]], columns: Sequence[str]) -> Iterator[Piece]:
    """The cells of a row, each after the name of its column if the table has a header."""
    named = len(columns) == len(cells)
    for place, cell in enumerate(cells):
        if place:
            yield Piece("; " if named else BETWEEN_CELLS)
        if named:
            yield Piece(f"{columns[place]}: ")
        yield from cell


def _paragraphs(answer: str) -> Iterator[Line]:
    for number, paragraph in enumerate(filter(str.strip, answer.splitlines())):
        if number:
            yield Line("")
        yield Line(paragraph)


def _question(number: int, text: str, meant: str) -> Iterator[Line]:
    """A turn's question as it was written, and how it was understood."""
    yield Line(f"{number}. {text}", style="bold")
    if meant:
        yield Line(f"understood as: {meant}", indent=INDENT, style="dim")


def _bullet_list(title: str, items: Sequence[str]) -> Iterator[Line]:
    """A list under its title, if it has items."""
    if items:
        yield Line("")
        yield Line(title, style="yellow")
        yield from (Line(f"- {item}", indent=2) for item in items)


def _sources(
    citations: Mapping[int, Quote], printed: Sequence[str] = (), longest: int = 0
) -> Iterator[Line]:
    """Each page once, with those of its quotes that are not `printed` in full already.

    Quotes are cut to `longest` characters if that is set.
    """
    before = _words(" ".join(printed))
    pages: dict[str, list[tuple[int, Quote]]] = {}
    for number, item in citations.items():
        pages.setdefault(item.url, []).append((number, item))
    for url, quotes in pages.items():
        yield Line("")
        title = " ".join(quotes[0][1].title.split())
        yield Line(f"{''.join(f'[{number}]' for number, _ in quotes)} {title or url}")
        if title:
            yield Line(url, indent=INDENT, style="cyan")
        for number, item in quotes:
            if _words(item.quote) not in before:
                mark = f"[{number}] " if len(quotes) > 1 else ""
                yield from _quote_lines(item.quote, mark, longest)


def _quote_lines(quote: str, mark: str, longest: int) -> Iterator[Line]:
    """The sentences, items and rows of a quote, a line each; all in one where it is cut."""
    lines = [block.text for block in quote_blocks(quote)]
    if longest:
        lines = [one_line(" ".join(lines), longest)]
    for place, line in enumerate(lines):
        opening = f"{mark}“" if place == 0 else " " * len(f"{mark}“")
        closing = "”" if place == len(lines) - 1 else ""
        yield Line(f"{opening}{line}{closing}", indent=INDENT)


def _words(text: str) -> str:
    """The words alone, without the marks of a page or an answer."""
    return f" {' '.join(WORD.findall(text))} "


def _print_table(table: Table, report: Report, console: Console) -> None:
    numbers = {item.id: number for number, item in enumerate(report.citations, 1)}
    if console.is_terminal:
        console.print(_draw_table(table, numbers))
        return
    for line in _table_lines(table, numbers):
        console.file.write(f"{strip_controls(line)}\n")  # rich would turn tabs into spaces


def _draw_table(table: Table, numbers: Mapping[str, int]) -> DrawnTable:
    """The table for a terminal."""
    drawn = DrawnTable(header_style="bold", show_lines=False, expand=False)
    for column in table.columns:
        drawn.add_column(Text(strip_controls(column)), overflow="fold")
    drawn.add_column("", style="dim", no_wrap=True)
    for row in table.rows:
        cells = (Text(strip_controls(_cell_text(cell))) for cell in row)
        drawn.add_row(*cells, _row_citations(row, numbers))
    return drawn


def _table_lines(table: Table, numbers: Mapping[str, int]) -> Iterator[str]:
    """The table as text: a line a row, tabs between the cells, citations last."""
    yield CELL_SEPARATOR.join(" ".join(column.split()) for column in table.columns)
    for row in table.rows:
        yield CELL_SEPARATOR.join([*map(_cell_text, row), _row_citations(row, numbers)])


def _shorten_run(run: str) -> str:
    numbers = [int(number) for number in NUMBER.findall(run)]
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return run
    return f"[{numbers[0]}]–[{numbers[-1]}]"


def _row_citations(row: tuple[Cell, ...], numbers: Mapping[str, int]) -> str:
    ids = dict.fromkeys(id for cell in row for id in cell.cites)
    return "".join(f"[{numbers[id]}]" for id in ids if id in numbers)


def _cell_text(cell: Cell) -> str:
    return " ".join(cell.text.split())
