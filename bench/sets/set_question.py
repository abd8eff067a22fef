"""The question type that all public question sets share."""

import re
from typing import Generic, TypeVar

from forager.domain.base import Frozen

WIKIPEDIA = "https://en.wikipedia.org/"
BREAK = re.compile(r"\s+|[,;；]\s*(?=https?://)")
ADDRESS = re.compile(r"https?://\w|[\w-]+(?:\.[\w-]+)+/")

Gold = TypeVar("Gold")


class SetQuestion(Frozen, Generic[Gold]):
    """A question of a public set with its gold answer.

    `sites` has the root URLs to ask, `urls` those of the gold pages; either may be empty.
    """

    id: str
    text: str
    gold: Gold
    sites: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()


def find_addresses(text: str) -> tuple[str, ...]:
    """Return the URLs in a cell with several URLs and remarks; a bare host gets https."""
    found = [piece.rstrip(",;；") for piece in BREAK.split(text) if ADDRESS.match(piece)]
    return tuple(one if "://" in one else f"https://{one}" for one in found)
