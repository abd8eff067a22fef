"""Which of several conditions can be the first to hold, tried with the values that matter."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product
from math import ceil, floor, prod

from forager.conditions.condition import Condition, walk
from forager.conditions.figures import Figure
from forager.conditions.syntax import Literal, Value

MAX_TRIED = 20_000
"""Above this number of combinations nothing is said."""


def first_holding(
    conditions: Sequence[Condition], fixed: Mapping[str, Value] | None = None
) -> frozenset[int] | None:
    """The places of the conditions that can be the first to hold, and their number if none may.

    Figures in `fixed` have that value alone. None if there are too many combinations to try.
    """
    figures = {name: figure for each in conditions for name, figure in each.figures.items()}
    values = _deciding_values(conditions, figures) | {
        name: [value] for name, value in (fixed or {}).items() if name in figures
    }
    if prod(map(len, values.values())) > MAX_TRIED:
        return None
    found = set[int]()
    for combination in product(*values.values()):
        known = dict(zip(values, combination, strict=True))
        holding = (place for place, each in enumerate(conditions) if each.holds(known))
        found.add(next(holding, len(conditions)))
        if len(found) > len(conditions):
            break
    return frozenset(found)


def _deciding_values(
    conditions: Iterable[Condition], figures: Mapping[str, Figure]
) -> dict[str, Sequence[Value]]:
    """For each figure the values between which a comparison may turn out differently.

    Figures may be compared with each other: around each number there is room for all of them.
    """
    numbers = {
        float(tree.value)
        for each in conditions
        for tree in walk(each.tree)
        if isinstance(tree, Literal) and not isinstance(tree.value, bool | str)
    }
    numeric = sum(figure.kind in {"count", "amount"} for figure in figures.values())
    around = range(-numeric, numeric + 1)
    bounds = {bound for number in {0.0, *numbers} for bound in (floor(number), ceil(number))}
    counts = sorted({bound + step for bound in bounds for step in around if bound + step >= 0})
    amounts = sorted({*counts, *(number for number in numbers if number >= 0)})
    between = [(low + high) / 2 for low, high in pairwise(amounts)]
    found: dict[str, Sequence[Value]] = {}
    for name, figure in figures.items():
        match figure.kind:
            case "count":
                found[name] = counts
            case "amount":
                found[name] = sorted({*amounts, *between})
            case "yes or no":
                found[name] = [False, True]
            case "text":
                found[name] = list(figure.choices)
    return found
