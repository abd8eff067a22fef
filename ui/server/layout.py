"""Where the pages of a tree stand in a picture: the root in the middle, clicks away as rings."""

import math
from collections.abc import Sequence

FIRST = 56.0
"""From the root to the first ring."""
GAP = 40.0
"""From one ring to the next; it shrinks from ring to ring, as far as LEAST."""
LEAST = 16.0
SPACING = 5.0
"""What pages of one ring keep between them; where there is no room, some stand farther out."""
MOST_ROWS = 30
"""How far out, in such spaces; pages beyond that stand closer."""


def radial(parents: Sequence[int]) -> tuple[tuple[float, float], ...]:
    """A place for each page, given the number of the one above it, which comes before it.

    -1 stands for the root, which is the first. Each leaf has the same angle, and each page the
    middle of those of its leaves.
    """
    children: list[list[int]] = [[] for _ in parents]
    depths = [0] * len(parents)
    for page, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(page)
            depths[page] = depths[parent] + 1
    angles = _angles(children, parents)
    places = [(0.0, 0.0)] * len(parents)
    radius, gap = FIRST, GAP
    for depth in range(1, max(depths, default=0) + 1):
        ring = sorted(
            (page for page in range(len(parents)) if depths[page] == depth), key=angles.__getitem__
        )
        rows = _rows(angles, ring, radius)
        for page, row in zip(ring, rows, strict=True):
            away = radius + row * SPACING
            places[page] = away * math.cos(angles[page]), away * math.sin(angles[page])
        radius += max(rows) * SPACING + gap
        gap = max(LEAST, gap * 0.85)
    return tuple((round(x, 2), round(y, 2)) for x, y in places)


def _rows(angles: Sequence[float], ring: Sequence[int], radius: float) -> list[int]:
    """For each page of a ring, in their order, how far out it stands: as near as there is room."""
    last: list[float] = []
    found: list[int] = []
    for page in ring:
        fits = (
            row
            for row, before in enumerate(last)
            if (angles[page] - before) * (radius + row * SPACING) >= SPACING
        )
        row = next(fits, len(last))
        if row == MOST_ROWS:
            row = min(range(MOST_ROWS), key=last.__getitem__)
        if row == len(last):
            last.append(0.0)
        last[row] = angles[page]
        found.append(row)
    return found


def _angles(children: Sequence[Sequence[int]], parents: Sequence[int]) -> list[float]:
    leaves = [0] * len(parents)
    for page in reversed(range(len(parents))):
        leaves[page] = max(1, sum(leaves[child] for child in children[page]))
    begins = [0] * len(parents)
    for page in range(len(parents)):
        start = begins[page]
        for child in children[page]:
            begins[child] = start
            start += leaves[child]
    whole = leaves[0] if parents else 1
    return [
        2 * math.pi * (begins[page] + leaves[page] / 2) / whole - math.pi / 2
        for page in range(len(parents))
    ]
