"""Bootstrap intervals of means (Efron 1979)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 10_000


class Interval(NamedTuple):
    """A mean, and the bounds that 95 % of the means of resampled values are in."""

    mean: float
    low: float
    high: float


def bootstrap_mean(values: NDArray[np.float64]) -> Interval:
    """The mean of values, one or more, and its interval; the same values give the same bounds."""
    rng = np.random.default_rng(0)
    means = values[rng.integers(len(values), size=(RESAMPLES, len(values)))].mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return Interval(float(values.mean()), float(low), float(high))
