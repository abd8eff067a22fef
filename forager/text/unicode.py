"""Deceptive characters: invisible ones, and look-alikes of others."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

INVISIBLE = (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    "\ud800-\uf8ff\U000e0000-\U000e0fff\U000f0000-\U0010ffff"
)
"""Ranges of invisible characters other than white space; they are removed from prompts."""
TURNING = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Ranges of characters that change the order in which text is shown."""
TURNING_CODES = tuple(code for code in range(0x2100) if re.match(f"[{TURNING}]", chr(code)))
INVISIBLE_RUN = re.compile(f"[{INVISIBLE}]+")
BRACKETS = dict.fromkeys("［❲【〔⁅⟦〚⦋⦗〖", "[") | dict.fromkeys("＜❮﹤", "<")
"""Brackets that look like those of a prompt's marks; `text.quotes` treats them as equal."""
BROKEN_BRACKETS = {"[": "❲", "<": "❮"}
"""Replacements for brackets that would begin a mark."""
PLAIN_SCRIPTS = "0123456789+-−–=()"
SUPERSCRIPTS = dict(zip(map(ord, f"{PLAIN_SCRIPTS}ni"), "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿⁱ", strict=True))
SUBSCRIPTS = dict(zip(map(ord, PLAIN_SCRIPTS), "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎", strict=True))
"""The characters that show another one raised or lowered."""
RAISED_DIGITS, LOWERED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉"
LETTER_LOOK_ALIKES = {
    "a": "аαɑ", "d": "ԁɗ", "e": "еεҽ℮", "i": "іιɩı", "l": "ӏΙІ", "m": "мӎ", "n": "пոη", "p": "рρ",
    "r": "гɾ", "s": "ѕ", "t": "тτ", "o": "оοօ", "c": "сϲ", "x": "х", "y": "у", "u": "ս", "g": "ɡ",
    "h": "һ", "k": "κ", "v": "ν",
}  # fmt: skip
"""Letters of other scripts that look like Latin letters."""


class _LookAlikes(dict[int, str]):
    """The plain character that each character looks like; computed on demand."""

    def __missing__(self, code: int) -> str:
        plain = unicodedata.normalize("NFKC", chr(code))
        self[code] = plain if len(plain) == 1 else chr(code)
        return self[code]


LOOK_ALIKES = _LookAlikes({ord(glyph): bracket for glyph, bracket in BRACKETS.items()})
for _plain, _glyphs in LETTER_LOOK_ALIKES.items():
    for _glyph in _glyphs:
        LOOK_ALIKES[ord(_glyph)] = LOOK_ALIKES[ord(_glyph.upper()[:1])] = _plain


UNPRINTABLE = re.compile(f"[\x7f-\x9f{TURNING}]")


def escape_json(text: str) -> str:
    """JSON with escapes for characters that could rewrite or reorder what a terminal shows."""
    return UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def strip_invisible(text: str) -> str:
    """The text without invisible characters."""
    return INVISIBLE_RUN.sub("", text)


class PlainText(NamedTuple):
    """A text as it looks, and where each of its characters stands in the text as it was."""

    text: str
    places: Sequence[int]


def read_plainly(text: str) -> PlainText:
    """The text without invisible characters, each look-alike as what it looks like."""
    if text.isascii():
        return PlainText(text, range(len(text)))
    hidden = {place for run in INVISIBLE_RUN.finditer(text) for place in range(*run.span())}
    alike = text.translate(LOOK_ALIKES)
    places = [place for place in range(len(text)) if place not in hidden] if hidden else None
    if places is None:
        return PlainText(alike, range(len(text)))
    return PlainText("".join(alike[place] for place in places), places)


def break_marks(text: str, *marks: re.Pattern[str]) -> str:
    """Replace the first bracket of everything that matches or looks like one of the marks."""
    alike = text.translate(LOOK_ALIKES)
    places = [found.start() for mark in marks for found in mark.finditer(alike)]
    pieces = list(text) if places else []
    for place in places:
        pieces[place] = BROKEN_BRACKETS[alike[place]]
    return "".join(pieces) or text
