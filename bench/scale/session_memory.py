"""The memory that many sessions at once take in one process."""

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from bench.scale.counted_sites import serve_counted_sites
from bench.scale.stub_model import serve_stub_model
from bench.scale.worker_pool import (
    Say,
    SessionProcess,
    endless_jobs,
    model_variables,
    start_process,
)

SITES = 4
WARM = 8
"""Sessions before, so that what a process holds in any case is not counted."""
SAMPLE_SECONDS = 0.2
MOST_MEGABYTES = 40.0


@dataclass(frozen=True)
class SessionMemory:
    """Resident MB of the process before, at the most, and after all sessions have ended."""

    sessions: int
    before: float
    most: float
    after: float
    answered: int
    load: float

    @property
    def each(self) -> float:
        """MB for each session."""
        return (self.most - self.before) / self.sessions

    @property
    def has_passed(self) -> bool:
        """Whether all were answered within the limit."""
        return self.answered == self.sessions and self.each < MOST_MEGABYTES


def measure_sessions(folder: Path, sessions: int, latency: float, say: Say) -> SessionMemory:
    """Give so many sessions to one process at the same moment."""
    return asyncio.run(_measure(folder, sessions, latency, say))


def memory_lines(found: SessionMemory) -> Iterator[tuple[str, str]]:
    """Names and figures."""
    yield "sessions at once, of these answered", f"{found.sessions}, {found.answered}"
    yield (
        "MB before, at the most, after",
        f"{found.before:.0f}, {found.most:.0f}, {found.after:.0f}",
    )
    yield "MB for each session", f"{found.each:.2f} (at most {MOST_MEGABYTES:g})"
    yield "load of the machine", f"{found.load:.1f}"


async def _measure(folder: Path, sessions: int, latency: float, say: Say) -> SessionMemory:
    with serve_counted_sites(SITES) as sites, serve_stub_model(latency) as model:
        async with start_process(folder, model_variables(model, sessions)) as process:
            await process.run_jobs(islice(endless_jobs(sites, "first"), WARM), 1)
            process.outcomes.clear()
            before, peaks = process.megabytes(), [0.0]
            say(f"{before:.0f} MB after {WARM} sessions; now {sessions} at once")
            sampling = asyncio.create_task(_sample(process, peaks))
            await process.run_jobs(islice(endless_jobs(sites, "many"), sessions), sessions)
            sampling.cancel()
            answered = sum(each["status"] == "answered" for each in process.outcomes)
            after, load = process.megabytes(), os.getloadavg()[0]
            await process.end()
    return SessionMemory(sessions, before, max(peaks), after, answered, load)


async def _sample(process: SessionProcess, peaks: list[float]) -> None:
    while True:
        peaks.append(process.megabytes())
        await asyncio.sleep(SAMPLE_SECONDS)
