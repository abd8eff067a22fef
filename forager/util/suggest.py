"""Suggests known names for misspelt ones."""

from collections.abc import Iterable
from difflib import get_close_matches


def nearest_name(name: str, known: Iterable[str], likeness: float = 0.6) -> str:
    """The most similar known name, or empty if none reaches the similarity `likeness` (0 to 1)."""
    return next(iter(get_close_matches(name, sorted(known), n=1, cutoff=likeness)), "")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A sentence with the most similar known name, or with the known names if none is similar."""
    names = sorted(known)
    if near := nearest_name(name, names):
        return f"Did you mean {near!r}?"
    return f"Known: {', '.join(names[:12])}." if names else ""
