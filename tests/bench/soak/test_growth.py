"""A worker that grows is told from one that is only warm."""

import pytest

from bench.soak.growth import measure_growth
from bench.soak.soak_run import SoakResult
from bench.soak.soak_table import soak_lines
from bench.soak.worker_process import Sample

MINUTE = 60.0


def samples(megabytes: float, files: float, count: int = 60) -> list[tuple[float, Sample]]:
    """A sample a minute: 300 MB and 20 files come at once, then so much with each sample."""
    return [
        (at * MINUTE, Sample(400 + megabytes * at + (at % 3), int(40 + files * at)))
        for at in range(count)
    ]


@pytest.mark.parametrize(("megabytes", "files"), [(0.0, 0.0), (1.0, 0.1), (-3.0, -0.5)])
def test_what_stays_within_its_bounds_passes(megabytes: float, files: float) -> None:
    result = SoakResult(samples=samples(megabytes, files))
    assert result.has_passed
    assert not any("not flat" in line for line in soak_lines(result))


@pytest.mark.parametrize(("megabytes", "files"), [(5.3, 0.0), (0.0, 0.54)])
def test_what_grows_fails_with_a_plain_line(megabytes: float, files: float) -> None:
    result = SoakResult(samples=samples(megabytes, files))
    assert not result.has_passed
    [line] = [line for line in soak_lines(result) if "not flat" in line]
    assert "(50 are allowed), open files by" in line


def test_growth_before_the_warm_up_does_not_count() -> None:
    cold = [(0.0, Sample(100, 10))] * 15
    assert SoakResult(samples=[*cold, *samples(0.0, 0.0, 45)]).is_flat


def test_the_memory_of_past_runs_may_come_and_go() -> None:
    owning = [(at, Sample(440, 70, owner=True)) for at, _ in samples(0.0, 0.0, 20)]
    assert SoakResult(samples=[*samples(0.0, 0.0, 60), *owning]).is_flat


def test_nothing_is_said_of_few_samples() -> None:
    assert measure_growth(samples(50.0, 5.0, 20)) is None


def test_a_browser_must_have_been_killed() -> None:
    result = SoakResult(browser=True)
    assert not result.has_passed
    assert "no Chromium was killed: no run had one open" in list(soak_lines(result))
    result.faults["chromium"] = 1
    assert result.has_passed
