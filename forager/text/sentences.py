"""Splits a document into blocks, and into sentences, the units of quotes.

A document's text is Markdown in blocks (see forager.adapters.web.read.markdown_blocks): headings
`# `, list items `- `, table rows `a | b`, definitions (a term and its meaning), code between
fences, paragraphs. A block ends at an empty line; only lists, tables, definitions and code have
several lines.
"""

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from forager.data.word_lists import ByLanguage, WordLists, all_words, read_word_lists
from forager.text.unicode import RAISED_DIGITS

Span = tuple[int, int]
"""Start and end offset in a text, in characters."""

MAX_WHOLE_CODE = 300
"""A code block of at most this many characters is one sentence; a longer one is cut at lines."""
MAX_WHOLE_ROW = 300
"""A longer table row (in characters) is page layout, and is cut like a paragraph."""
MAX_SENTENCE_LENGTH = 1200
"""A longer sentence (in characters) is cut at white space."""
MIN_WRAPPED_LINE = 40
"""A shorter line ends a paragraph, unless the next line begins in lower case."""

BLOCK = re.compile(
    r"^(?P<ticks>`{3,})[^\n`]*\n(?:(?:.*?\n)??(?P=ticks)[ \t]*$|.*\Z)|^[^\n]*\S[^\n]*$",
    re.MULTILINE | re.DOTALL,
)
LINE = re.compile(r"[^\n]*\S[^\n]*")
HEADING = re.compile(r"#{1,6} ")
ITEM = re.compile(r"[ \t]*(?:[-*+•◦▪] |\(?\d{1,3}[.)] )")
WIDE_STOPS = "。！？｡．।؟۔"
SENTENCE_END = re.compile(
    rf"(?P<stop>[.!?…{WIDE_STOPS}](?<![.!?…{WIDE_STOPS}]{{2}})[.!?…{WIDE_STOPS}]*+)(?:(?<=[{WIDE_STOPS}])(?P<closed>[」』”’）】》〉)\]]*)"
    rf"|(?:[\"'”’»)\]]|\[[^\]\s]{{1,8}}\]|[{RAISED_DIGITS}])*(?=\s|\Z))"
)
BLANK = re.compile(r"\s*")
NEXT_WORD = re.compile(r"\s*+(?:[\"'“‘«(\[]*(\w+)|([.,;:)\]}])?)")
DOTTED_ABBREVIATION = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]")


class SentenceWords(WordLists):
    """The lists of `data/sentences.toml`."""

    titles: ByLanguage
    numbered: ByLanguage
    closing: ByLanguage
    openers: ByLanguage


WORDS: Final = read_word_lists("sentences", SentenceWords)
TITLES = frozenset(all_words(WORDS.titles))
"""A full stop after these never ends a sentence."""
NUMBERED_ABBREVIATIONS = frozenset(all_words(WORDS.numbered))
"""A full stop after these does not end a sentence if a number follows."""
CLOSING_ABBREVIATIONS = frozenset(all_words(WORDS.closing))
"""A full stop after these, or after initials, ends a sentence only before an opening word."""
OPENING_WORDS = frozenset(all_words(WORDS.openers))
NUMBER = re.compile(r"\d+|[a-z]|[ivx]+")
MAX_NUMBERING_LENGTH = 5
"""The longest numbering at the start of a block, such as `12.` or `iv.`; it is no sentence."""
MIN_FINAL_WORD = 4
"""Before a lower-case word, only a word of at least this many letters ends a sentence."""


def split_sentences(text: str) -> list[Span]:
    """The spans of the sentences: ordered, disjoint and not empty, with only white space between.

    A heading, a table row and a short code block are one sentence each, whatever punctuation they
    contain. List items are split like paragraphs; no sentence spans two items.
    """
    return list(_iterate_sentences(text))


def _iterate_sentences(text: str) -> Iterator[Span]:
    """Join wrapped lines to paragraphs, and split these into sentences."""
    left = right = -1
    for found in BLOCK.finditer(text):
        start, end = _strip_span(text, *found.span())
        if (
            right >= 0
            and found["ticks"] is None
            and _continues_paragraph(text, left, right, found.start())
        ):
            right = end
            continue
        if right >= 0:
            yield from _cut_sentences(text, left, right)
        left, right = start, end
        if found["ticks"] is not None:
            yield from _code_sentences(text, start, end)
            right = -1
    if right >= 0:
        yield from _cut_sentences(text, left, right)


def _continues_paragraph(text: str, left: int, right: int, start: int) -> bool:
    """Does the line at `start` continue the paragraph or item text[left:right]?"""
    if text.count("\n", right, start) != 1:
        return False
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else len(text)]
    if _is_whole_line(line) or ITEM.match(line):
        return False
    before = text[max(left, text.rfind("\n", left, right) + 1) : right]
    if _is_whole_line(before) or before[-1] in ".!?。！？:;":
        return False
    return len(before) >= MIN_WRAPPED_LINE or line.lstrip()[0].islower()


def _is_whole_line(line: str) -> bool:
    return " | " in line or HEADING.match(line) is not None


def _code_sentences(text: str, start: int, end: int) -> Iterator[Span]:
    """A short code block as a whole, else its lines; fences join the first and last line."""
    lines = [_strip_span(text, *found.span()) for found in LINE.finditer(text, start, end)]
    closed = len(lines) > 1 and not text[slice(*lines[-1])].strip("`")
    inner = lines[1:-1] if closed else lines[1:]
    if end - start <= MAX_WHOLE_CODE or not inner:
        yield start, end
        return
    inner[0] = (start, inner[0][1])
    inner[-1] = (inner[-1][0], end)
    yield from inner


def _cut_sentences(text: str, start: int, end: int) -> Iterator[Span]:
    """The sentences of one block."""
    whole = end - start <= MAX_WHOLE_ROW and _is_whole_line(text[start:end])
    for found in () if whole else SENTENCE_END.finditer(text, start, end):
        if found.end() < end and _ends_sentence(text, start, found):
            yield from _shorten_sentence(text, start, found.end())
            start = _skip_blanks(text, found.end())
    yield from _shorten_sentence(text, start, end)


def _shorten_sentence(text: str, start: int, end: int) -> Iterator[Span]:
    """Cut a sentence longer than MAX_SENTENCE_LENGTH at white space, if it has any."""
    while end - start > MAX_SENTENCE_LENGTH:
        spaces = [
            text.rfind(space, start + 1, start + MAX_SENTENCE_LENGTH) for space in (" ", "\n")
        ]
        if max(spaces) < 0:
            break
        yield _strip_span(text, start, max(spaces))
        start = _skip_blanks(text, max(spaces))
    yield start, end


def _ends_sentence(text: str, start: int, found: re.Match[str]) -> bool:
    """Does this punctuation end the sentence that began at `start`?"""
    stop = found["stop"]
    if stop[-1] in WIDE_STOPS:
        after = text[found.end()]
        return not (
            (found["closed"] and after in "とっての、，,") or (stop == "．" and after.isdigit())
        )
    following = NEXT_WORD.match(text, found.end())
    word, mark = following.groups("") if following else ("", "")
    if mark:
        return False
    continues = word[:1].islower()
    if stop != ".":
        return not continues
    before = text[max(start, found.start() - 24) : found.start()].split()
    if not before:
        return False
    last = before[-1].lstrip("\"'“‘«([").lower()
    if (
        len(before) == 1
        and found.start() - start <= MAX_NUMBERING_LENGTH
        and NUMBER.fullmatch(last)
    ):
        return False
    return _full_stop(last, word, continues)


def _full_stop(last: str, word: str, continues: bool) -> bool:
    """Does a full stop between these words end a sentence, rather than an abbreviation?"""
    if last in TITLES:
        return False
    if last in NUMBERED_ABBREVIATIONS and word[:1].isdigit():
        return False
    if (
        last in CLOSING_ABBREVIATIONS
        or DOTTED_ABBREVIATION.fullmatch(last)
        or (len(last) == 1 and last.isalpha())
    ):
        return not continues and word.lower() in OPENING_WORDS
    if continues:
        return last != "etc" and len(last) >= MIN_FINAL_WORD and not last[-1].isdigit()
    return True


def _strip_span(text: str, start: int, end: int) -> Span:
    """The span without white space at both ends."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _skip_blanks(text: str, start: int) -> int:
    """The offset after the white space at `start`."""
    blank = BLANK.match(text, start)
    return blank.end() if blank else start


BLOCK_MARK = re.compile(r"(?m)^(?:#{1,6} |- |```\w*$)")


BlockKind = Literal["heading", "items", "table", "entry", "column", "code", "text"]
MIN_COLUMN_LINES = 4
"""From this many lines on, plain lines count as the rows of a table with one column."""
MAX_TERM_LENGTH = 100
SENTENCE_ENDS = ".!?:。！？："
CELL_SEPARATOR = re.compile(r"(?<!\S)\|(?!\S)")


class Block(NamedTuple):
    """A block, with the spans of its lines without outer white space, and a heading's `level`."""

    kind: BlockKind
    start: int
    end: int
    lines: tuple[Span, ...]
    level: int = 0


def split_blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a text in order."""
    lines: list[Span] = []
    for found in BLOCK.finditer(text):
        start, end = _strip_span(text, *found.span())
        code = found["ticks"] is not None
        heading = not code and HEADING.match(text, start) is not None
        if lines and (code or heading or text.count("\n", lines[-1][1], start) != 1):
            yield _make_block(text, lines)
            lines = []
        if code:
            yield Block("code", start, end, ((start, end),))
        elif heading:
            mark = text.find(" ", start)
            inner = _strip_span(text, mark, end)
            yield Block("heading", start, end, (inner,), level=mark - start)
        else:
            lines.append((start, end))
    if lines:
        yield _make_block(text, lines)


def table_at(text: str, offset: int) -> Block | None:
    """The table with a row at an offset; None without one."""
    tables = (block for block in split_blocks(text) if block.kind == "table")
    return next((block for block in tables if block.start <= offset < block.end), None)


def _make_block(text: str, lines: list[Span]) -> Block:
    start, end = lines[0][0], lines[-1][1]
    return Block(_block_kind(text, lines), start, end, tuple(lines))


def _block_kind(text: str, lines: list[Span]) -> BlockKind:
    rows = sum(CELL_SEPARATOR.search(text, *line) is not None for line in lines)
    if rows * 2 >= len(lines):
        return "table"
    if all(ITEM.match(text, line_start(text, first)) for first, _ in lines):
        return "items"
    short = all(end - start <= MAX_TERM_LENGTH for start, end in lines[:-1])
    if len(lines) >= MIN_COLUMN_LINES:
        stops = [text[end - 1] in SENTENCE_ENDS for _, end in lines]
        return "entry" if short and stops[-1] and not any(stops[:-1]) else "column"
    return "entry" if len(lines) > 1 and short else "text"


def line_start(text: str, offset: int) -> int:
    """The offset at which the line around an offset begins."""
    return text.rfind("\n", 0, offset) + 1
