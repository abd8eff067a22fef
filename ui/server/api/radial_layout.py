"""The layout of a site map: the root in the middle, pages on a ring for each click away."""

import math
from collections.abc import Sequence

FIRST_RADIUS = 56.0
"""From the root to the first ring."""
GAP = 40.0
"""From one ring to the next; it shrinks from ring to ring, down to `LEAST_GAP`."""
LEAST_GAP = 16.0
SPACING = 5.0
"""Between pages of one ring; where there is no room, some move outwards."""
MOST_ROWS = 30
"""The most rows outwards, `SPACING` apart; if they do not suffice, pages move closer together."""


def lay_out_radially(parents: Sequence[int]) -> tuple[tuple[float, float], ...]:
    """The place of each page, given the index of its parent, which comes before it.

    The root is the first page and has the parent -1. Each leaf gets the same angle, and each other
    page the middle of its leaves.
    """
    children: list[list[int]] = [[] for _ in parents]
    depths = [0] * len(parents)
    for page, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(page)
            depths[page] = depths[parent] + 1
    angles = _leaf_angles(children, parents)
    places = [(0.0, 0.0)] * len(parents)
    radius, gap = FIRST_RADIUS, GAP
    for depth in range(1, max(depths, default=0) + 1):
        ring = sorted(
            (page for page in range(len(parents)) if depths[page] == depth), key=angles.__getitem__
        )
        rows = _assign_rows(angles, ring, radius)
        for page, row in zip(ring, rows, strict=True):
            away = radius + row * SPACING
            places[page] = away * math.cos(angles[page]), away * math.sin(angles[page])
        radius += max(rows) * SPACING + gap
        gap = max(LEAST_GAP, gap * 0.85)
    return tuple((round(x, 2), round(y, 2)) for x, y in places)


def _assign_rows(angles: Sequence[float], ring: Sequence[int], radius: float) -> list[int]:
    """The row of each page of a ring, in order: the innermost one with room for it."""
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


def _leaf_angles(children: Sequence[Sequence[int]], parents: Sequence[int]) -> list[float]:
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
