"""Whether the memory and the open files of a worker stay flat once it is warm."""

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from bench.soak.worker_process import Sample

WARM_UP = 0.25
"""The share of the samples that are left out: models, caches and connections come first."""
LEAST_SAMPLES = 24
"""Of fewer warm samples nothing is said."""
MOST_MEGABYTES = 50.0
MOST_FILES = 10.0
"""What is still flat: sessions of other sizes come and go, and so do connections of pools."""
Series = Sequence[tuple[float, Sample]]
"""Samples with their seconds since the beginning."""


class Growth(NamedTuple):
    """What was taken more in the last third of a time than in its first third, by the medians."""

    megabytes: float
    files: float

    @property
    def is_flat(self) -> bool:
        """Whether both are within what is allowed."""
        return self.megabytes <= MOST_MEGABYTES and self.files <= MOST_FILES

    def __str__(self) -> str:
        return (
            f"memory grew by {self.megabytes:.0f} MB ({MOST_MEGABYTES:.0f} are allowed), "
            f"open files by {self.files:.0f} ({MOST_FILES:.0f} are allowed)"
        )


def warm_samples(samples: Series) -> Series:
    """Those after the warm-up."""
    return samples[int(len(samples) * WARM_UP) :]


def measure_growth(samples: Series) -> Growth | None:
    """How much a worker grew after its warm-up; None if there are too few samples.

    What the memory of past runs takes in its owner, 30 files and some megabytes, comes and goes:
    either the samples with it are compared, or those without, whichever are more.
    """
    warm = [sample for _, sample in warm_samples(samples)]
    owning = [each for each in warm if each.owner]
    alike = max(owning, [each for each in warm if not each.owner], key=len)
    if len(alike) < LEAST_SAMPLES:
        return None
    third = len(alike) // 3
    first, last = alike[:third], alike[-third:]
    return Growth(
        median(each.megabytes for each in last) - median(each.megabytes for each in first),
        median(each.files for each in last) - median(each.files for each in first),
    )
