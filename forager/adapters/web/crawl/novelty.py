"""Tells pages that say something new from pages that repeat others but for their numbers."""

import re
from zlib import crc32

WORD = re.compile(r"\w+")
DIGIT = re.compile(r"\d")


class SeenLines:
    """The lines of the pages seen so far, by their words; numbers and order do not count."""

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def add_text(self, text: str) -> bool:
        """Add the lines of a page; returns whether any of them is new."""
        before = len(self._seen)
        self._seen.update(map(_line_key, filter(None, map(str.strip, text.splitlines()))))
        return len(self._seen) > before


def _line_key(line: str) -> int:
    """A hash of the words of a line; those with a digit count as numbers."""
    words = {"0" if DIGIT.search(word) else word for word in WORD.findall(line.casefold())}
    return crc32(" ".join(sorted(words)).encode("utf-8", "surrogatepass"))
