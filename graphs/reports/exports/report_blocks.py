"""A report as blocks of text in the order of reading, for the formats that have pages of text."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from textwrap import shorten
from typing import Final, Literal, NamedTuple

from forager.domain.answers import NearestQuote, Quote, Table
from forager.evidence.passages import table_columns
from graphs.reports.answer_layout import (
    BEST_PASSAGES,
    CODE_FENCE,
    LeadSentence,
    Passage,
    QuoteBlock,
    lines_before_more,
    quote_blocks,
)
from graphs.reports.exports.document import (
    Export,
    ExportedEvidence,
    cut_quote,
    format_limits,
    spend_facts,
)
from graphs.reports.exports.markup import WEB, web_address
from graphs.reports.exports.wording import say
from graphs.reports.report import (
    ESTIMATED,
    ESTIMATES,
    NEAREST,
    answer_layout,
    answer_worth,
    describe_nearest,
    rates_each_part,
    shows_nearest,
    split_citations,
)
from graphs.reports.turns import EarlierTurn

ITEM: Final = re.compile(r"(\s*)(?:([-*•+])|(\d{1,9})[.)])\s+(?=\S)")
ROW: Final = re.compile(r"\s*\|(.+)\|\s*")
RULE: Final = re.compile(r"[\s|:-]+")
HEADING: Final = re.compile(r"\s*#{1,6}\s+(?=\S)")
CELL: Final = re.compile(r"(?<!\\)\|")
EMPHASIS: Final = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*|`([^`\n]+)`")
MORE_LENGTH: Final = 160
CLOSEST: Final = "The nearest passages, none of which was recognized as an answer:"


class Span(NamedTuple):
    """Text. Of an answer it may have marks of Markdown (`written`); of a page it never has."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    written: bool = False


class Cite(NamedTuple):
    """The number of a quote, and the anchor of its entry among the sources."""

    number: int
    anchor: str


class Link(NamedTuple):
    """A text that leads to an address; the address may be none of the web."""

    text: str
    url: str


Inline = Span | Cite | Link
Cells = tuple[tuple[Inline, ...], ...]


class Block(NamedTuple):
    """A block: a table has `rows`, of which the first is its header unless that is empty.

    `mark` is what stands before an item, or the language of code, `level` is that of a heading
    (from 1) or how deep an item is (from 0), `quoted` says that it is a page's own text, and
    `anchor` is what a `Cite` leads to.
    """

    kind: Literal["heading", "text", "item", "code", "table"]
    content: tuple[Inline, ...] = ()
    level: int = 0
    mark: str = ""
    quoted: bool = False
    anchor: str = ""
    rows: tuple[Cells, ...] = ()

    @property
    def text(self) -> str:
        """The content as plain text, without its numbers."""
        return "".join(each.text for each in self.content if not isinstance(each, Cite))


class Citing(NamedTuple):
    """The citations of an answer; where its sources are not wanted, it has no numbers either."""

    citations: Sequence[Quote]
    turn: int = 0
    wanted: bool = True

    def cite(self, number: int) -> Cite:
        """The number of a citation."""
        return Cite(number, source_anchor(number, self.turn))

    def read(self, text: str) -> Iterator[Inline]:
        """The text with its numbers, which stand close to the word before them."""
        for piece in split_citations(text, self.citations):
            if isinstance(piece, str):
                yield Span(piece, written=True)
            elif self.wanted:
                yield self.cite(piece)


def report_blocks(export: Export) -> Iterator[Block]:
    """The blocks of the parts that the export has."""
    yield Block("heading", (Span(export.title),), level=1)
    yield _line(Span(_describe_standing(export), italic=True))
    for turn in export.turns:
        yield from _turn_blocks(turn, export)
    if export.turns:
        yield _heading(f"{len(export.turns) + 1}. {_on_one_line(export.question)}")
    if export.untold:
        yield _line(Span(export.untold, bold=True))
    if export.reading:
        yield _line(Span(say(export.reading), italic=True))
    if export.has("answer"):
        yield from _answer_part(export)
    yield from _quote_sections(export)
    if export.has("steps"):
        visits = (
            say(f"Round {page.round}: {export.place_of(page.url)}") for page in export.visited
        )
        yield from _list_section("Pages read", visits)
        yield from _list_section("In the browser", (each.line(say) for each in export.actions))
        yield from _list_section("Approval requests", (each.line(say) for each in export.pleas))
    if export.has("run"):
        yield from _list_section("Run", _run_lines(export))


def _quote_sections(export: Export) -> Iterator[Block]:
    """The quotes that are cited, by their numbers, and all others by their ids."""
    entries = {item.id: item for item in export.evidence}
    if export.has("sources") and export.citations:
        yield _heading(say("Sources"))
        for number, item in enumerate(export.citations, 1):
            anchor = source_anchor(number)
            yield from _source_blocks(item, str(number), entries.get(item.id), export, anchor)
    cited = {item.id for item in export.citations}
    others = [item for item in export.evidence if item.id not in cited]
    if export.has("evidence") and others:
        yield _heading(say("Other evidence"))
        for item in others:
            yield from _source_blocks(item, item.id, item, export, "")


def source_anchor(number: int, turn: int = 0) -> str:
    """The anchor of a source; that of an earlier turn has the number of the turn."""
    return f"turn-{turn}-source-{number}" if turn else f"source-{number}"


def _describe_standing(export: Export) -> str:
    asked = say(f"asked {export.asked:%Y-%m-%d %H:%M} UTC") if export.asked else ""
    return " · ".join(filter(None, [export.standing, asked, *map(export.place_of, export.sites)]))


def _answer_part(export: Export) -> Iterator[Block]:
    """The answer, how likely it is right, and what it leaves open."""
    if export.status == "abstained" and export.answer:
        yield _line(Span(say(CLOSEST)))
    yield from _answer_blocks(export)
    if export.table and not answer_layout(export).leads:
        yield _answer_table(export.table, export)
    if note := worth_note(export):
        yield _line(Span(note, italic=True))
    if export.error:
        yield _line(Span(say("Failed:"), bold=True), Span(f" {say(export.error)}"))
    yield from _list_section("Still open", export.open)
    if export.reason:
        yield _line(Span(say(export.reason)))
    if export.nearest and shows_nearest(export):
        yield _line(Span(say(export.nearest.why)))
    elif export.nearest:
        yield from _list_section(NEAREST, [told_nearest(export.nearest)])
    doubts = (f"{say(f'“{doubt.sentence}”')} {say(doubt.why)}" for doubt in export.doubts)
    yield from _list_section("Not supported by the quotes", doubts)
    yield from _list_section("Warnings", map(say, export.notes))


def worth_note(export: Export) -> str:
    """How likely the answer is right, unless each part says so, and what such a figure is."""
    worth = answer_worth(export)
    if not worth:
        return ""
    if rates_each_part(export):
        return say(ESTIMATES)
    return f"{say(worth.capitalize())}. {say(ESTIMATED)}"


def _answer_blocks(export: Export) -> Iterator[Block]:
    """The answer; its leads with their words in bold, the numbers of further quotes last.

    A table has its leads for cells, and stands in their place.
    """
    laid = answer_layout(export)
    cites = Citing(export.citations, wanted=export.has("sources"))
    if laid.passages:
        yield from _passage_blocks(laid.passages, cites, export)
        return
    if not laid.leads:
        lines = export.answer.splitlines()
        yield from text_blocks(lines, cites) if lines else [_line(Span(say("There is no answer.")))]
        return
    yield from text_blocks(laid.before, cites)
    if export.table:
        yield _answer_table(export.table, export)
    for lead in () if export.table else laid.leads:
        yield from _lead_blocks(lead, cites, named=rates_each_part(export))
    yield from text_blocks(laid.after, cites)
    yield from _more_line(laid.further, cites)


def _passage_blocks(passages: Sequence[Passage], cites: Citing, export: Export) -> Iterator[Block]:
    """The best of the passages that stand for an answer, and the beginnings of the others."""
    sections = {item.id: item.section for item in export.evidence}
    for number, lines in passages[:BEST_PASSAGES]:
        columns = table_columns(sections.get(cites.citations[number - 1].id, ""))
        yield from _cited_blocks(_quoted_blocks(lines, columns), number, cites)
    yield from _more_line([number for number, _ in passages[BEST_PASSAGES:]], cites)


def _more_line(more: Sequence[int], cites: Citing) -> Iterator[Block]:
    """How each of the further quotes begins, with its number."""
    if more and cites.wanted:
        yield _line(Span(say("More quotes:")))
        for number in more:
            lines = [line for line in quote_blocks(cites.citations[number - 1].quote) if line.text]
            told = next((line.text for line in lines if line.kind != "heading"), "")
            begins = Span(
                shorten(told or lines[0].text if lines else "", MORE_LENGTH, placeholder=" …")
            )
            yield Block("item", (begins, Span(" "), cites.cite(number)), mark="-")


def _lead_blocks(lead: LeadSentence, cites: Citing, *, named: bool) -> Iterator[Block]:
    """The words that answer, then their sentence, in which they are marked, with its number."""
    if named:
        likely = f" · {say(lead.worth.capitalize())}" if lead.worth else ""
        yield _line(Span(f"{lead.part}{likely}", italic=True))
    if lead.words:
        yield _line(Span(lead.words, bold=True))
    if lead.note:
        yield _line(Span(say(lead.note), italic=True))
    yield from _cited_blocks(_quoted_blocks(lead.blocks, lead.columns), lead.number, cites)


def _cited_blocks(quoted: Iterable[Block], number: int, cites: Citing) -> Iterator[Block]:
    """The lines of a quote, the last one with the number of its citation."""
    blocks = list(quoted)
    if cites.wanted:
        end = (Span(" "), cites.cite(number))
        if blocks and blocks[-1].kind in ("text", "item"):
            blocks[-1] = blocks[-1]._replace(content=(*blocks[-1].content, *end))
        else:
            blocks.append(Block("text", end[1:], quoted=True))
    yield from blocks


def _quoted_blocks(lines: Iterable[QuoteBlock], columns: Sequence[str] = ()) -> Iterator[Block]:
    """The lines of a quote as they stood on its page; the words that answer are bold."""
    for kind, group in groupby(lines, key=lambda line: line.kind):
        if kind == "row":
            rows = [tuple(tuple(_spans(cell)) for cell in line.cells) for line in group]
            fits = all(len(row) == len(columns) for row in rows)
            header = tuple((Span(name),) for name in columns) if fits else ()
            if header and len(rows) > 1 and _row_texts(rows[0]) == list(columns):
                rows = rows[1:]
            yield Block("table", rows=(header, *rows), quoted=True)
        elif kind == "code":
            text = "\n".join(line.text for line in group)
            yield Block("code", (Span(text),), quoted=True)
        else:
            for line in group:
                spans = tuple(_spans(line.cells[0]))
                if kind == "heading":
                    spans = tuple(span._replace(bold=True) for span in spans)
                item = kind == "item"
                yield Block(
                    "item" if item else "text", spans, mark="-" if item else "", quoted=True
                )


def _row_texts(row: Cells) -> list[str]:
    return ["".join(each.text for each in cell if isinstance(each, Span)) for cell in row]


def _spans(pieces: Iterable[tuple[str, bool]]) -> Iterator[Span]:
    return (Span(text, bold=marked) for text, marked in pieces)


def text_blocks(lines: Sequence[str], cites: Citing) -> Iterator[Block]:
    """The lines of an answer: paragraphs, headings, lists, tables and code."""
    place, level = 0, -1
    while place < len(lines):
        line = lines[place]
        if CODE_FENCE.fullmatch(line):
            end = _end_of(lines, place + 1, lambda line: not CODE_FENCE.fullmatch(line))
            code = Span("\n".join(lines[place + 1 : end]))
            yield Block("code", (code,), mark=line.strip(" `"))
            place, level = end + 1, -1
        elif ROW.fullmatch(line):
            end = _end_of(lines, place, lambda line: ROW.fullmatch(line) is not None)
            yield _written_table(lines[place:end], cites)
            place, level = end, -1
        else:
            if line.strip():
                block = _written_line(line, cites, level + 1)
                level = block.level if block.kind == "item" else -1
                yield block
            place += 1


def _end_of(lines: Sequence[str], place: int, holds: Callable[[str], bool]) -> int:
    """The first place from `place` on whose line it does not hold of."""
    return next((at for at in range(place, len(lines)) if not holds(lines[at])), len(lines))


def _written_line(line: str, cites: Citing, deepest: int) -> Block:
    """A line; an item is at most `deepest` levels inside of others."""
    if found := ITEM.match(line):
        mark = f"{found[3]}." if found[3] else "-"
        level = min(len(found[1].expandtabs()) // 2, deepest)
        return Block("item", tuple(cites.read(line[found.end() :])), level=level, mark=mark)
    if found := HEADING.match(line):
        return Block("heading", tuple(cites.read(line[found.end() :])), level=3)
    return Block("text", tuple(cites.read(line.strip())))


def _written_table(lines: Sequence[str], cites: Citing) -> Block:
    """A table as a model writes it; without a rule below its first row it has no header."""
    rows = [
        tuple(tuple(cites.read(cell.strip())) for cell in CELL.split(found[1]))
        for line in lines
        if (found := ROW.fullmatch(line)) and not RULE.fullmatch(found[1])
    ]
    has_header = len(lines) > 1 and RULE.fullmatch(lines[1])
    return Block("table", rows=tuple(rows) if has_header else ((), *rows))


def _answer_table(table: Table, export: Export) -> Block:
    numbers = {item.id: number for number, item in enumerate(export.citations, 1)}

    def content(text: str, ids: Iterable[str]) -> Iterator[Inline]:
        yield Span(_on_one_line(text))
        for id in ids if export.has("sources") else ():
            if id in numbers:
                yield Span(" ")
                yield Cite(numbers[id], source_anchor(numbers[id]))

    header = tuple((Span(_on_one_line(name)),) for name in table.columns)
    rows = (tuple(tuple(content(cell.text, cell.cites)) for cell in row) for row in table.rows)
    return Block("table", rows=(header, *rows))


def _source_blocks(
    item: Quote, name: str, entry: ExportedEvidence | None, export: Export, anchor: str
) -> Iterator[Block]:
    """A quote under the title of its page, which leads to the quote there."""
    title = _on_one_line(item.title or item.url)
    address = entry.link if entry and entry.link else item.url
    example = export.example_page(item.url)
    link = Span(title) if example else Link(title, address)
    where = example or ("" if web_address(address) else address)
    named = link, *((Span(f" · {where}"),) if where else ())
    yield _line(Span(f"[{name}]", bold=True), Span(" "), *named, anchor=anchor)
    quote, more = cut_quote(item.quote)
    columns = table_columns(entry.section) if entry else ()
    yield from _quoted_blocks(quote_blocks(quote), columns)
    if more:
        yield _line(Span(more, italic=True))
    if entry and (said := tuple(_evidence_line(entry, export))):
        yield _line(*said)


def _evidence_line(entry: ExportedEvidence, export: Export) -> Iterator[Inline]:
    """When the page was seen, its own date, what agrees and conflicts, where else it stands."""
    names = {item.id: say(f"“{item.title or item.url}”") for item in export.evidence}
    names |= {item.id: f"[{number}]" for number, item in enumerate(export.citations, 1)}

    def refer(ids: Iterable[str]) -> str:
        return ", ".join(dict.fromkeys(names[id] for id in ids if id in names))

    said: list[Span | Link] = [
        *([Span(say(f"seen {entry.fetched:%Y-%m-%d %H:%M} UTC"))] if entry.fetched else ()),
        *([Span(say(f"dated {entry.dated}"))] if entry.dated else ()),
        *([Span(say(f"agrees with {told}"))] if (told := refer(entry.agrees)) else ()),
        *([Span(say(f"conflicts with {told}"))] if (told := refer(entry.conflicts)) else ()),
    ]
    for url in entry.also:
        if example := export.example_page(url):
            said.append(Span(f"{say('also on')} {example}"))
        elif WEB.match(url):
            said += [Span(say("also on") + " "), Link(url, url)]
    for place, each in enumerate(said):
        if place and isinstance(each, Span):
            yield Span(" · ")
        yield each if place else each._replace(text=f"{each.text[0].upper()}{each.text[1:]}")


def _turn_blocks(turn: EarlierTurn, export: Export) -> Iterator[Block]:
    """An earlier question as written and as understood, its answer and the quotes of that."""
    yield _heading(f"{turn.number}. {_on_one_line(turn.question)}")
    if reading := export.reading_of(turn):
        yield _line(Span(say(reading), italic=True))
    if export.has("answer"):
        cites = Citing(turn.citations, turn.number, wanted=export.has("sources"))
        lines = lines_before_more(turn.answer)
        yield from text_blocks(lines, cites) if lines else [_line(Span(say("There is no answer.")))]
    for number, item in enumerate(turn.citations if export.has("sources") else (), 1):
        anchor = source_anchor(number, turn.number)
        yield from _source_blocks(item, str(number), None, export, anchor)


def _run_lines(export: Export) -> Iterator[str]:
    yield say(f"Session {export.session}, {export.status}")
    yield say(f"Graph {export.graph} ({export.graph_hash[:12]}), model {export.model}")
    yield say(f"Limits {format_limits(export.budget)}; seed {export.seed}")
    yield "; ".join(f"{name}: {value}" for name, value in spend_facts(export.spent))


def read_emphasis(span: Span) -> Iterator[Span]:
    """A span of an answer as several: what is bold or code in its Markdown becomes so."""
    done = 0
    for found in EMPHASIS.finditer(span.text) if span.written else ():
        yield span._replace(text=span.text[done : found.start()])
        yield span._replace(text=found[1] or found[2], bold=bool(found[1]), code=bool(found[2]))
        done = found.end()
    yield span._replace(text=span.text[done:])


def _heading(text: str) -> Block:
    return Block("heading", (Span(text),), level=2)


def _line(*content: Inline, anchor: str = "") -> Block:
    return Block("text", content, anchor=anchor)


def _list_section(title: str, lines: Iterable[str]) -> Iterator[Block]:
    items = [Block("item", (Span(_on_one_line(line)),), mark="-") for line in lines]
    yield from [_heading(say(title)), *items] if items else ()


def told_nearest(nearest: NearestQuote) -> str:
    """The quote that comes closest and its page, and why it does not answer."""
    return f"{say(describe_nearest(nearest))} {say(nearest.why)}"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
