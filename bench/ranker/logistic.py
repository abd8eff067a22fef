"""Logistic regression, for models of a few dozen weights."""

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]


def fit_logistic(rows: Doubles, right: Doubles, ridge: float, steps: int) -> Doubles:
    """The weights of the columns by Newton's method, with a ridge; `right` holds 0 and 1."""
    weights = np.zeros(rows.shape[1])
    for _ in range(steps):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (right - chance) - ridge * weights
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows
        weights += np.linalg.solve(curve + ridge * np.eye(len(weights)), slope)
    return weights
