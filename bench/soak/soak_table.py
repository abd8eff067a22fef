"""What a soak found, as lines to print."""

from collections.abc import Iterator, Sequence

from bench.soak.growth import LEAST_SAMPLES, Series, measure_growth, warm_samples
from bench.soak.soak_run import SoakResult
from graphs.experiments.text_table import align_columns


def soak_lines(result: SoakResult) -> Iterator[str]:
    """A table of the figures, then what is wrong, line by line."""
    yield from align_columns(("figure", "found"), list(_figures(result)))
    for fault in result.check.faults:
        yield f"{fault.kind}: {fault.where}: {fault.what}"
    for crash in result.crashes:
        yield f"a worker crashed or hung: {crash}"
    for job in result.stuck:
        yield f"stuck: {job}"
    if not result.is_flat:
        yield f"the steady worker is not flat: {measure_growth(result.samples)}"
    if result.browser and not result.faults["chromium"]:
        yield "no Chromium was killed: no run had one open"
    for error, count in result.errors.most_common():
        yield f"told {count} times: {error}"


def slope(points: Sequence[tuple[float, float]]) -> float:
    """The slope per minute of a line through values by second; 0 through fewer than two."""
    middle_x = sum(x for x, _ in points) / max(len(points), 1)
    middle_y = sum(y for _, y in points) / max(len(points), 1)
    wide = sum((x - middle_x) ** 2 for x, _ in points)
    return 60 * sum((x - middle_x) * (y - middle_y) for x, y in points) / wide if wide else 0.0


def _figures(result: SoakResult) -> Iterator[tuple[str, str]]:
    check = result.check
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(result.jobs.items()))
    yield "jobs", f"{sum(result.jobs.values())} ({kinds})"
    befell = ", ".join(f"{count} {kind}" for kind, count in sorted(result.faults.items()))
    yield "faults", f"{sum(result.faults.values())} ({befell})"
    yield "sessions, turns", f"{check.sessions}, {check.turns}"
    yield "blobs, quotes", f"{check.blobs}, {check.quotes}"
    for kind in ("lost", "twice", "unreadable", "missing", "left"):
        yield kind, str(check.count(kind))
    yield "crashed or hung workers", str(len(result.crashes))
    yield "unfinished jobs", str(len(result.stuck))
    yield from _series(result.samples)


def _series(samples: Series) -> Iterator[tuple[str, str]]:
    warm = warm_samples(samples)
    if not warm:
        return
    first, last = warm[0][1], warm[-1][1]
    memory = slope([(at, each.megabytes) for at, each in warm])
    files = slope([(at, float(each.files)) for at, each in warm])
    yield "memory", f"{first.megabytes:.0f} to {last.megabytes:.0f} MB, {memory:+.2f} MB a minute"
    yield "open files", f"{first.files} to {last.files}, {files:+.2f} a minute"
    grown = measure_growth(samples)
    yield "growth", str(grown or f"not judged: {len(warm)} of {LEAST_SAMPLES} samples")
