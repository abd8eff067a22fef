"""Quotes: finding one in a document, word for word, at offsets that count its characters."""

import re
from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

from forager.text.sentences import Span, split_sentences
from forager.text.unicode import BRACKETS, INVISIBLE

__all__ = ["Span", "find_quote", "split_sentences", "verify_quote"]

LINE_END = r"(?<=[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])"
BLOCK_MARK = rf"(?:\||{LINE_END}(?:#{{1,6}}|`{{3,}})|{LINE_END}[ ]*-)"
LENGTH_CHANGING = re.compile(
    rf"(?P<space>\s(?:[\s{INVISIBLE}]+|(?={BLOCK_MARK}))(?:{BLOCK_MARK}[\s{INVISIBLE}]+)*)"
    rf"|(?P<ellipsis>…|\.\s\.\s\.)|(?P<double>''|``)|(?P<dash>---?)|(?P<invisible>[{INVISIBLE}]+)"
)
"""What folds to another number of characters, and to what."""
REPLACEMENTS = {"space": " ", "ellipsis": "...", "double": '"', "dash": "-", "invisible": ""}
LENGTH_KEEPING = str.maketrans(
    dict.fromkeys("`´‘’‚‛′‹›", "'")
    | dict.fromkeys("“”„‟″«»", '"')
    | dict.fromkeys("‐‑‒–—―−﹘﹣－", "-")
    | dict.fromkeys("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u2028\u2029\u202f\u3000", " ")
    | {chr(code): " " for code in range(0x2000, 0x200B)}
    | {"ς": "σ"}
    | BRACKETS
)
WRAPPING = "\"'`´‘’“”„«»‹›…|#*- \t\n\r"


class FoldedText(NamedTuple):
    """A folded text: piece i begins at `starts[i]` and stands for the original from `origins[i]`.

    Pieces of odd number are folded to another length; the others are of equal length.
    """

    text: str
    starts: list[int]
    origins: list[int]

    def original_span(self, start: int, end: int) -> Span:
        """The span of the original that folds to text[start:end]."""
        first, last = bisect_right(self.starts, start) - 1, bisect_right(self.starts, end - 1) - 1
        left = self.origins[first] + (0 if first % 2 else start - self.starts[first])
        right = self.origins[last + 1] if last % 2 else self.origins[last] + end - self.starts[last]
        return left, right


def find_quote(text: str, quote: str) -> Span | None:
    """Where `text` says `quote`, word for word, or None.

    An exact match comes first. Otherwise white space, quotation marks, dashes, ellipsis marks and
    letter case may be written in another way, and marks around the quote or of blocks inside it
    may be left out. Nothing else may differ: with words cut out or changed it is not found.
    """
    for candidate in (quote, quote.strip()):
        start = text.find(candidate)
        if start >= 0 and candidate.strip():
            return start, start + len(candidate)
    bare = quote.strip(WRAPPING).removeprefix("...").removesuffix("...").strip(WRAPPING)
    folded = _fold_text(text)
    for candidate in (quote, bare):
        wanted = _fold_text(candidate).text.strip()
        start = folded.text.find(wanted)
        if start >= 0 and any(map(str.isalnum, wanted)):
            return folded.original_span(start, start + len(wanted))
    return None


def verify_quote(text: str, start: int, end: int, quote: str) -> bool:
    """Does `quote`, and something at all, stand in `text` at these offsets?"""
    return 0 <= start < end <= len(text) and text[start:end] == quote


@lru_cache(maxsize=8)
def _fold_text(text: str) -> FoldedText:
    """One spelling for all that may be written in several ways."""
    pieces: list[str] = []
    starts, origins = [0], [0]
    length = done = 0
    for found in LENGTH_CHANGING.finditer(text):
        plain, folded = text[done : found.start()], REPLACEMENTS[found.lastgroup or ""]
        pieces += plain, folded
        starts += length + len(plain), length + len(plain) + len(folded)
        origins += found.span()
        length, done = starts[-1], found.end()
    pieces.append(text[done:])
    return FoldedText(
        _lower_same_length("".join(pieces).translate(LENGTH_KEEPING)), starts, origins
    )


def _lower_same_length(text: str) -> str:
    """Lower case of the same length."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower.replace("ς", "σ")
    return "".join(each if len(each.lower()) > 1 else each.lower() for each in text)
