"""How an answer is laid out: its leads with their sentences first, its further quotes last.

A quote is shown in the lines that it had on its page: headings, items, table rows, code, text.
"""

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from forager.answers.citation_check import CITATION_GROUP, EVIDENCE_ID
from forager.answers.conflicts import LEAD as DISAGREEMENT
from forager.answers.lead import MORE_QUOTES, is_whole, lead_lines, lead_words, quote_lines
from forager.answers.lead_words import asks_yes_or_no, find_condition
from forager.answers.likelihood import LIKELY, SURE
from forager.domain.answers import Lead, Quote
from forager.evidence.passages import table_columns
from forager.prompts.sections import escape_citations
from forager.text.sentences import CELL_SEPARATOR, Span, table_at
from forager.text.tables import parse_row, read_table
from forager.text.tokens import word_terms

UNDECIDED = "The page says:"
"""What stands over a sentence that answers a question for yes or no without saying either."""
SO_FAR = "Read so far, not checked:"
"""What stands over the sentence of a lead that a stopped run has not judged."""
DOUBTFUL = "This may answer it:"
"""What stands over the sentence of a lead that is not likely enough to be sure."""
UNLIKELY = "No sentence says it clearly. The nearest one:"
"""What stands over the sentence of a lead that is more likely wrong than right."""
CODE_FENCE = re.compile(r" *`{3,}\w*$")
BLOCK_START = re.compile(r" *(?:(#{1,6})|(-)|\|) +")
LINE = re.compile(r"[^\n]+")
BETWEEN_CELLS = " | "


class Piece(NamedTuple):
    """A piece of text; `marked` if it is among the words that answer."""

    text: str
    marked: bool = False


class QuoteBlock(NamedTuple):
    """A line of a quote, and the kind of block that it was on the page; only rows have cells."""

    kind: Literal["text", "heading", "item", "row", "code"]
    cells: tuple[tuple[Piece, ...], ...]

    @property
    def text(self) -> str:
        """The line in plain text."""
        return BETWEEN_CELLS.join("".join(piece.text for piece in cell) for cell in self.cells)


def quote_blocks(
    quote: str, marks: Sequence[Span] = (), within: Span | None = None
) -> Iterator[QuoteBlock]:
    """The lines of a quote, without empty ones and without the marks of their blocks.

    A line that begins in lower case continues the paragraph before it.
    The characters in `marks` are marked; lines outside of the span `within` are left out.
    """
    left, right = within or (0, len(quote))
    code = _begins_in_code(quote)
    paragraph: QuoteBlock | None = None
    for found in LINE.finditer(quote):
        start, end = max(found.start(), left), min(found.end(), right)
        fence = CODE_FENCE.fullmatch(found[0]) is not None
        code ^= fence
        block = None
        if not fence and start < end and quote[start:end].strip():
            block = _read_line(quote, start, end, marks, code=code)
        if paragraph and block and block.kind == "text" and block.text[:1].islower():
            paragraph = QuoteBlock("text", ((*paragraph.cells[0], Piece(" "), *block.cells[0]),))
            continue
        if paragraph:
            yield paragraph
        paragraph = block if block and block.kind == "text" else None
        if block and not paragraph:
            yield block
    if paragraph:
        yield paragraph


def _begins_in_code(quote: str) -> bool:
    """Whether the first fence of a quote closes code: it follows a line, and no line follows it."""
    lines = quote.split("\n")
    first = next((at for at, line in enumerate(lines) if CODE_FENCE.fullmatch(line)), 0)
    return first > 0 and bool(lines[first - 1].strip()) and not "".join(lines[first + 1 :][:1])


def _read_line(
    quote: str, start: int, end: int, marks: Sequence[Span], *, code: bool
) -> QuoteBlock:
    if code:
        return QuoteBlock("code", (_cut_pieces(quote, start, end, marks),))
    mark = BLOCK_START.match(quote, start, end)
    inner = _strip_span(quote, mark.end() if mark else start, end)
    if mark and (mark[1] or mark[2]):
        kind: Literal["heading", "item"] = "heading" if mark[1] else "item"
        return QuoteBlock(kind, (_cut_pieces(quote, *inner, marks),))
    if CELL_SEPARATOR.search(quote, *inner):
        cells = parse_row(quote, *inner).cells
        if cells:
            return QuoteBlock("row", tuple(_cut_pieces(quote, *cell, marks) for cell in cells))
    return QuoteBlock("text", (_cut_pieces(quote, *inner, marks),))


def _cut_pieces(quote: str, start: int, end: int, marks: Sequence[Span]) -> tuple[Piece, ...]:
    """The text from `start` to `end`, cut where a mark begins or ends."""
    edges = {edge for mark in marks for edge in mark if start < edge < end}
    bounds = sorted({start, end, *edges})
    return tuple(
        Piece(quote[left:right], any(mark[0] <= left and right <= mark[1] for mark in marks))
        for left, right in pairwise(bounds)
    )


def _strip_span(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    if not piece.strip():
        return end, end
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


LONGEST_HEADING: Final = 90
"""Characters of the words that stand over their sentence: a value, a name or a short phrase."""


class LeadSentence(NamedTuple):
    """The words that answer `part`, empty if the sentence does, and the lines of the sentence.

    `number` is that of its citation, `columns` the header of the table that a row is from.
    Words too long for a heading only stand marked in their sentence; one that answers as a whole
    has no marks. The words of a `yes_no` are Yes or No with the condition that the sentence names;
    where it is `undecided`, one of them is asked for, and the sentence says neither for certain.
    One that is `so_far` was not judged, so that no words answer. `likely` is how likely it is
    right, null if it was not rated.
    """

    part: str
    words: str
    number: int
    blocks: tuple[QuoteBlock, ...]
    columns: tuple[str, ...]
    yes_no: bool = False
    undecided: bool = False
    so_far: bool = False
    likely: float | None = None

    @property
    def note(self) -> str:
        """What stands over the sentence; empty if nothing does."""
        if self.so_far:
            return SO_FAR
        likely = 1.0 if self.likely is None else self.likely
        if self.undecided and likely >= LIKELY:
            return UNDECIDED
        if likely < LIKELY:
            return UNLIKELY
        return DOUBTFUL if likely < SURE else ""

    @property
    def worth(self) -> str:
        """How likely it is right; empty if it was not rated."""
        return "" if self.likely is None else f"certainty: {format_share(self.likely)}"


def format_share(share: float) -> str:
    """A share in per cent; a half is rounded up, as in the web UI."""
    return f"{math.floor(share * 100 + 0.5)} %"


class Passage(NamedTuple):
    """A quote that stands for an answer, by the number of its citation, in its lines."""

    number: int
    blocks: tuple[QuoteBlock, ...]


class AnswerLayout(NamedTuple):
    """The lines before the leads, the leads, the lines after them, and the numbers of the rest.

    An answer without leads that only quotes has nothing but `passages`, the best ones first.
    """

    before: tuple[str, ...]
    leads: tuple[LeadSentence, ...]
    after: tuple[str, ...]
    more: tuple[int, ...]
    passages: tuple[Passage, ...] = ()

    @property
    def further(self) -> tuple[int, ...]:
        """The numbers of the quotes that no lead is from, in their order."""
        return tuple(sorted({*self.more} - {lead.number for lead in self.leads}))


def lay_out_answer(
    text: str,
    citations: Sequence[Quote],
    leads: Sequence[Lead],
    sections: Mapping[str, str],
    unjudged: Collection[str] = (),
) -> AnswerLayout:
    """Lay out an answer; `sections` are the headings over the quotes, by id.

    The leads of `unjudged` sub-questions are laid out without the words that answer.
    """
    numbers = {item.id: number for number, item in enumerate(citations, 1)}
    quotes = {item.id: item.quote for item in citations}
    leads = [lead for lead in leads if lead.quote in quotes]
    if not leads and only_quotes(text, citations):
        return AnswerLayout((), (), (), (), tuple(_passages(citations)))
    said = {_without_citations(line) for line in lead_lines(leads, quotes)}
    before: list[str] = []
    after: list[str] = []
    more: dict[int, None] = {}
    led = folded = False
    for line in filter(str.strip, text.splitlines()):
        if leads and line.strip() == MORE_QUOTES:
            folded = True
        elif _without_citations(line) in said:
            led = True
        elif folded and not line.startswith(DISAGREEMENT):
            more |= dict.fromkeys(numbers[id] for id in EVIDENCE_ID.findall(line) if id in numbers)
        else:
            (after if led else before).append(line)
    if not led:
        return AnswerLayout((*before, *after), (), (), ())
    told = tuple(
        _unjudged(sentence) if sentence.part in unjudged else sentence
        for sentence in (_lead_sentence(lead, quotes, numbers, sections) for lead in leads)
    )
    return AnswerLayout(tuple(before), told, tuple(after), tuple(more))


def _unjudged(lead: LeadSentence) -> LeadSentence:
    """The lead with its sentence alone, in which nothing is marked."""
    blocks = tuple(
        block._replace(
            cells=tuple((Piece("".join(piece.text for piece in cell)),) for cell in block.cells)
        )
        for block in lead.blocks
    )
    return lead._replace(
        words="", blocks=blocks, yes_no=False, undecided=False, so_far=True, likely=None
    )


def _lead_sentence(
    lead: Lead, quotes: Mapping[str, str], numbers: Mapping[str, int], sections: Mapping[str, str]
) -> LeadSentence:
    quote = quotes[lead.quote]
    within = lead.sentence_start, lead.sentence_end
    marks = () if is_whole(lead) else ((lead.start, lead.end),)
    yes_no = lead.kind == "yes_no"
    condition = find_condition(quote[slice(*within)]) if yes_no else ""
    words = lead_words([lead])
    if len(words) > LONGEST_HEADING and not yes_no:
        words = ""
    return LeadSentence(
        part=lead.part,
        words=", ".join(filter(None, (words, condition[:1].lower() + condition[1:]))),
        number=numbers[lead.quote],
        blocks=tuple(quote_blocks(quote, marks, within)),
        columns=table_columns(sections.get(lead.quote, "")) or _own_columns(quote, within),
        yes_no=yes_no,
        undecided=lead.kind == "sentence" and asks_yes_or_no(lead.part),
        likely=lead.confidence,
    )


BEST_PASSAGES: Final = 2
"""How many of the passages that stand for an answer are shown in full."""
FRAGMENT_WORDS: Final = 3
SENTENCE_ENDS: Final = (".", "!", "?", "。", "！", "？")
QUOTING_LINE: Final = re.compile(r"([^“]*)“.+” \[(\w+)\]")


def only_quotes(text: str, citations: Sequence[Quote]) -> bool:
    """Whether each line of a text is a line of the quote that it cites, after its place if any."""
    cited = {item.id: item for item in citations}
    lines = [line for line in text.splitlines() if line.strip()]
    return bool(lines) and all(_is_quoted(line, cited) for line in lines)


def _is_quoted(line: str, cited: Mapping[str, Quote]) -> bool:
    found = QUOTING_LINE.fullmatch(line.strip())
    if not found or found[2] not in cited:
        return False
    item = cited[found[2]]
    said = (f"“{escape_citations(each)}” [{item.id}]" for each in quote_lines(item.quote))
    placed = not found[1] or found[1].startswith(item.title)
    return placed and any(map(line.strip().endswith, said))


def _passages(citations: Sequence[Quote]) -> Iterator[Passage]:
    """The quotes in order, mere fragments last; what was said before is left out."""
    laid = [
        Passage(number, _without_footer(tuple(quote_blocks(item.quote))))
        for number, item in enumerate(citations, 1)
    ]
    said = " "
    for passage in sorted(laid, key=_is_fragment):
        fresh = []
        for block in passage.blocks:
            cells = [" ".join(word_terms(cell)) for cell in block.text.split(BETWEEN_CELLS)]
            if not all(f" {cell} " in said for cell in cells if cell and not cell.isdigit()):
                fresh.append(block)
                said += " ".join([*cells, ""])
        if any(block.kind != "heading" for block in fresh):
            yield passage._replace(blocks=tuple(fresh))


def _is_fragment(passage: Passage) -> bool:
    return sum(len(word_terms(block.text)) for block in passage.blocks) <= FRAGMENT_WORDS


def _without_footer(blocks: tuple[QuoteBlock, ...]) -> tuple[QuoteBlock, ...]:
    """The lines of a quote without the links that follow its last sentence."""
    end = len(blocks)
    while end and _is_link(blocks[end - 1]):
        end -= 1
    return blocks[:end] if end and blocks[end - 1].text.endswith(SENTENCE_ENDS) else blocks


def _is_link(block: QuoteBlock) -> bool:
    return (
        block.kind == "item"
        and len(block.text.split()) <= FRAGMENT_WORDS
        and not block.text.endswith(SENTENCE_ENDS)
    )


def _own_columns(quote: str, within: Span) -> tuple[str, ...]:
    """The header of the table of a quote in which a row stands; empty if it has none."""
    table = table_at(quote, within[0])
    return read_table(quote, table.lines)[0] if table and within[0] > table.start else ()


def quote_columns(quote: str, section: str) -> tuple[str, ...]:
    """The header over the rows of a quote: that of its section, or its own; empty for none."""
    lines = reversed([found.span() for found in LINE.finditer(quote)])
    own = (_own_columns(quote, line) for line in lines)
    return table_columns(section) or next(filter(None, own), ())


def lines_before_more(text: str) -> list[str]:
    """The lines of an answer without its further quotes, for where its sources follow anyway."""
    before, folded = split_more(text)
    return before + [line for line in folded if line.startswith(DISAGREEMENT)]


def ids_of_more(text: str) -> tuple[str, ...]:
    """The evidence that the further quotes of an answer are, each once, in their order."""
    folded = (line for line in split_more(text)[1] if not line.startswith(DISAGREEMENT))
    return tuple(dict.fromkeys(id for line in folded for id in EVIDENCE_ID.findall(line)))


def split_more(text: str) -> tuple[list[str], list[str]]:
    """The lines of an answer before its further quotes, and from their heading on."""
    lines = text.splitlines()
    place = next((at for at, line in enumerate(lines) if line.strip() == MORE_QUOTES), len(lines))
    return lines[:place], lines[place:]


def _without_citations(line: str) -> str:
    return CITATION_GROUP.sub("", line).strip()
