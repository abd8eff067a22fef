"""Web addresses in the text of a question."""

import re
from collections.abc import Iterable

ADDRESS = re.compile(r"https?://[^\s<>\"'()\[\]]+", re.I)
AFTER_ADDRESS = ".,;:!?"
"""Punctuation that belongs to the sentence around an address."""


def find_addresses(texts: Iterable[str]) -> tuple[str, ...]:
    """The web addresses in some texts, each once."""
    found = (each.rstrip(AFTER_ADDRESS) for text in texts for each in ADDRESS.findall(text))
    return tuple(dict.fromkeys(found))


def without_addresses(text: str) -> str:
    """A text without its web addresses; the punctuation after them stays."""

    def ending(found: re.Match[str]) -> str:
        return found[0][len(found[0].rstrip(AFTER_ADDRESS)) :]

    return " ".join(ADDRESS.sub(ending, text).split())
