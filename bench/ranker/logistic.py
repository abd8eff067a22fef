"""Logistic regression, for models of a few dozen weights."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]


def sign_table(signs: Sequence[Mapping[str, float]], names: Sequence[str]) -> Doubles:
    """A row for each set of signs, a column for each name."""
    return np.array([[has.get(name, 0.0) for name in names] for has in signs])


def fit_logistic(rows: Doubles, right: Doubles, ridge: float, steps: int) -> Doubles:
    """The weights of the columns by Newton's method, with a ridge; `right` holds 0 and 1."""
    weights = np.zeros(rows.shape[1])
    for _ in range(steps):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (right - chance) - ridge * weights
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows
        weights += np.linalg.solve(curve + ridge * np.eye(len(weights)), slope)
    return weights


def fit_choice(
    tables: Sequence[Doubles], right: Sequence[NDArray[np.bool_]], ridge: float, steps: int
) -> Doubles:
    """The weights by which the right rows of each table are chosen among all of it.

    A conditional logistic regression (McFadden 1974), by Newton's method, with a ridge.
    """
    weights = np.zeros(tables[0].shape[1])
    for _ in range(steps):
        slope, curve = -ridge * weights, ridge * np.eye(len(weights))
        for rows, answers in zip(tables, right, strict=True):
            odds = np.exp(rows @ weights - (rows @ weights).max())
            chance, told = odds / odds.sum(), odds * answers / (odds * answers).sum()
            mean = chance @ rows
            slope += told @ rows - mean
            curve += (rows * chance[:, None]).T @ rows - np.outer(mean, mean)
        weights += np.linalg.solve(curve, slope)
    return weights
