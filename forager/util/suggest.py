"""The nearest known name to a misspelt one."""

from collections.abc import Iterable
from difflib import get_close_matches


def nearest_name(name: str, known: Iterable[str], likeness: float = 0.6) -> str:
    """The nearest known name, or empty when none is as like (from 0 to 1) as that."""
    return next(iter(get_close_matches(name, sorted(known), n=1, cutoff=likeness)), "")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A sentence that names the nearest known name, or all of them when none is near."""
    names = sorted(known)
    if near := nearest_name(name, names):
        return f"Did you mean {near!r}?"
    return f"Known: {', '.join(names[:12])}." if names else ""
