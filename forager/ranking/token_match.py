"""Matches the tokens of a question with tokens of like meaning in the units of a site.

Late interaction (Khattab & Zaharia 2020, arXiv 2004.12832, section 3.3) over static vectors: each
token of the question counts as much as its best match in a unit, and less what it finds around it.
Nothing but the tokens of a site is stored, so every unit is compared in milliseconds. The vectors
are trained on questions about documentation (bench/ranker).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from forager.ports import TokenVectors

Ids = NDArray[np.uint16]
Floats = NDArray[np.float32]

BORDERING = 30
"""Tokens of the unit before and after that count as surroundings."""
BOTH = 0.3
"""The share of the lesser of a match in the unit and one around it that is added to the greater."""
MAX_QUESTION_TOKENS = 40
UNITS_AT_ONCE = 4096
NOTHING = 0
"""The id of padding, which matches nothing. It ends the tokens of each unit."""


class Rows(NamedTuple):
    """Lists of tokens: list i is `ids[bounds[i]:bounds[i + 1]]`, the last of which is `NOTHING`."""

    ids: Ids
    bounds: NDArray[np.int32]


def make_rows(lists: Sequence[Ids]) -> Rows:
    """Join lists of tokens."""
    ended = [np.append(each, np.uint16(NOTHING)) for each in lists]
    sizes = np.array([len(each) for each in ended], np.int32)
    bounds = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    return Rows(np.concatenate(ended) if ended else np.empty(0, np.uint16), bounds)


@dataclass(frozen=True)
class UnitTokens:
    """The tokens of units, and of the places (title and heading) that they stand at.

    `place` has the number of each unit's place.
    """

    units: Rows
    places: Rows
    place: NDArray[np.int32]

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """What `from_arrays` takes."""
        return {
            "tokens.units": self.units.ids,
            "tokens.unit_bounds": self.units.bounds,
            "tokens.places": self.places.ids,
            "tokens.place_bounds": self.places.bounds,
            "tokens.place": self.place,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self | None:
        """The tokens among these arrays; None if there are none."""
        if "tokens.place" not in arrays:
            return None
        return cls(
            units=Rows(arrays["tokens.units"], arrays["tokens.unit_bounds"]),
            places=Rows(arrays["tokens.places"], arrays["tokens.place_bounds"]),
            place=arrays["tokens.place"],
        )

    @property
    def size(self) -> int:
        """The number of units."""
        return len(self.place)

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """For each token id, the number of units that have it."""
        total = np.zeros(1 << 16, np.int64)
        for first in range(0, self.size, UNITS_AT_ONCE):
            bounds = self.units.bounds[first : first + UNITS_AT_ONCE + 1]
            rows = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
            pairs = np.unique(rows << 16 | self.units.ids[bounds[0] : bounds[-1]])
            total += np.bincount(pairs & 0xFFFF, minlength=1 << 16)
        return total


def match_units(
    tokens: UnitTokens,
    question: Ids,
    vectors: TokenVectors,
    follows: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """How well each unit matches the question, 0 to 1.3, shape (units,).

    `follows[i]`: is unit i + 1 on the same page as unit i?
    """
    asked = np.array(list(dict.fromkeys(question.tolist()))[:MAX_QUESTION_TOKENS], np.int64)
    asked = asked[asked != NOTHING]
    total = np.zeros(tokens.size)
    if not tokens.size or not len(asked):
        return total
    held = tokens.counts[asked]
    worth = np.exp(vectors.weights[asked]) * np.log(1 + (tokens.size - held + 0.5) / (held + 0.5))
    worth /= max(float(worth.sum()), 1e-6)
    used = np.flatnonzero(np.bincount(tokens.units.ids, minlength=1 << 16) > 0)
    used = np.union1d(used, np.unique(tokens.places.ids))
    cosines = vectors.vectors[asked] @ vectors.vectors[used].T
    similar = cosines / (1 + np.exp(-vectors.slope * (cosines - vectors.middle)))
    similar[asked[:, None] == used[None]] = 1.0
    similar[:, used == NOTHING] = 0.0
    by_id = np.zeros(1 << 16, np.float32)
    for share, row in zip(worth, similar, strict=True):
        by_id[used] = row
        total += share * _match_token(tokens, by_id, vectors.around, follows)
    return total


def _match_token(
    tokens: UnitTokens, similar: Floats, around: float, follows: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """The best match of one token in and around each unit; `similar` is by token id."""
    matched = similar[tokens.units.ids]
    first, end = tokens.units.bounds[:-1], tokens.units.bounds[1:]
    own = np.maximum.reduceat(matched, first)
    heads = _best_of(matched, first, np.minimum(end, first + BORDERING))
    tails = _best_of(matched, np.maximum(first, end - 1 - BORDERING), end)
    beside = np.maximum.reduceat(similar[tokens.places.ids], tokens.places.bounds[:-1])
    beside = beside[tokens.place]
    beside[1:] = np.maximum(beside[1:], np.where(follows[:-1], tails[:-1], 0))
    beside[:-1] = np.maximum(beside[:-1], np.where(follows[:-1], heads[1:], 0))
    beside *= around
    return (np.maximum(own, beside) + BOTH * np.minimum(own, beside)).astype(np.float64)


def _best_of(values: Floats, first: NDArray[np.int32], end: NDArray[np.int32]) -> Floats:
    """The greatest of `values[first:end]` for each pair; none of them is empty."""
    pairs = np.stack([first, np.minimum(end, len(values) - 1)], 1).ravel()
    best: Floats = np.maximum.reduceat(values, pairs)[::2]
    return best
