"""Items, some at a time."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def batched(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """Split into parts of at most `size` items."""
    return (items[start : start + size] for start in range(0, len(items), size))
