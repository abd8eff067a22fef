"""What a search finds."""

from forager.frozen import Frozen

NOTHING = "Nothing was found."
"""How the reason of a search begins that was made and found nothing."""


class Result(Frozen):
    """A page that a search found; `rank` counts from 1, `source` names the provider."""

    url: str
    title: str
    snippet: str
    rank: int
    source: str


class Found(Frozen):
    """What a search gave, the best first, and in words what fell through or was left out."""

    results: tuple[Result, ...] = ()
    notes: tuple[str, ...] = ()
