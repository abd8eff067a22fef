"""Finds quotes in a document verbatim, and the offsets of their characters."""

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
"""Characters whose folded form (see `REPLACEMENTS`) has another length."""
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
    """A folded text: piece i begins at `starts[i]` and replaces the original from `origins[i]` on.

    Pieces with an odd index have another length than the original, the others the same length.
    """

    text: str
    starts: list[int]
    origins: list[int]

    def original_span(self, start: int, end: int) -> Span:
        """The span of the original text that corresponds to text[start:end]."""
        first, last = bisect_right(self.starts, start) - 1, bisect_right(self.starts, end - 1) - 1
        left = self.origins[first] + (0 if first % 2 else start - self.starts[first])
        right = self.origins[last + 1] if last % 2 else self.origins[last] + end - self.starts[last]
        return left, right


def find_quote(text: str, quote: str) -> Span | None:
    """Find the span of `quote` in `text`, or None.

    An exact match is preferred. Otherwise white space, quotation marks, dashes, ellipses and letter
    case may differ, and marks around the quote or of Markdown blocks may be missing. A quote with
    omitted or changed words is not found.
    """
    for candidate in (quote, quote.strip()):
        start = text.find(candidate)
        if start >= 0 and candidate.strip():
            return start, start + len(candidate)
    bare = quote.strip(WRAPPING).removeprefix("...").removesuffix("...").strip(WRAPPING)
    folded = _fold_text(text)
    for candidate in (quote, bare):
        folded_quote = _fold_text(candidate).text.strip()
        start = folded.text.find(folded_quote)
        if start >= 0 and any(map(str.isalnum, folded_quote)):
            return folded.original_span(start, start + len(folded_quote))
    return None


def verify_quote(text: str, start: int, end: int, quote: str) -> bool:
    """Is `text` at these offsets exactly `quote`, and not empty?"""
    return 0 <= start < end <= len(text) and text[start:end] == quote


@lru_cache(maxsize=8)
def _fold_text(text: str) -> FoldedText:
    """Fold spelling variants of white space, quotation marks, dashes and case into one form."""
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
    """Convert to lower case without changing the length."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower.replace("ς", "σ")
    return "".join(each if len(each.lower()) > 1 else each.lower() for each in text)
