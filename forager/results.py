"""What a search finds."""

from forager.frozen import Frozen


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
