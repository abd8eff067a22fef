"""The faults that befall workers, drawn at random and lifted again."""

import asyncio
import random
import signal
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from bench.soak.unreliable_sites import UnreliableSite
from bench.soak.worker_process import WorkerProcess
from forager.domain.base import Frozen

FaultKind = Literal["kill", "disk", "stop", "clock", "chromium", "silence", "reset"]
DEADLY: frozenset[FaultKind] = frozenset({"kill"})
MOST_EVENTS = 30
MOST_DELAY = 0.6
LOOK_SECONDS = 0.05
DISK_BYTES = (0, 400_000)


class Mishap(Frozen):
    """A fault that strikes after so many events of a run, or seconds of another job."""

    kind: FaultKind
    events: int
    delay: float
    seconds: float
    size: int


@dataclass
class Mishaps:
    """Draws faults and lets them strike; `counts` has how many of each kind did."""

    draw: random.Random
    share: float
    kinds: Sequence[FaultKind]
    longest: float
    counts: Counter[str] = field(default_factory=Counter)

    def draw_mishap(self, *, spare: bool, browser: bool) -> Mishap | None:
        """The fault that befalls a job, if any; the worker of `spare` is not killed.

        The first jobs with a `browser` lose it, until one has been killed.
        """
        struck, kind = self.draw.random() < self.share, self.draw.choice(self.kinds)
        if browser and not self.counts["chromium"]:
            struck, kind = True, "chromium"
        drawn = Mishap(
            kind=kind,
            events=self.draw.randint(0, MOST_EVENTS) if kind != "chromium" else 0,
            delay=self.draw.uniform(0, MOST_DELAY),
            seconds=self.draw.uniform(0.2, 1) * self.longest,
            size=self.draw.randint(*DISK_BYTES),
        )
        return drawn if struck and not (spare and kind in DEADLY) else None

    async def strike(
        self, mishap: Mishap, worker: WorkerProcess, sites: Sequence[UnreliableSite]
    ) -> None:
        """Let a fault befall a worker, or the sites, for its time."""
        if mishap.kind == "chromium":
            await _kill_browser(worker)
        self.counts[mishap.kind] += 1
        if mishap.kind == "kill":
            worker.send(signal.SIGKILL)
        elif mishap.kind == "clock":
            worker.send(signal.SIGUSR1)
        elif mishap.kind in PASSING:
            await PASSING[mishap.kind](mishap, worker, sites)


async def _kill_browser(worker: WorkerProcess) -> None:
    """Kill the browser of a worker as soon as there is one; cancelled if there is none."""
    while not worker.kill_browsers():
        await asyncio.sleep(LOOK_SECONDS)


async def _fill_disk(
    mishap: Mishap, worker: WorkerProcess, sites: Sequence[UnreliableSite]
) -> None:
    worker.limit_files(mishap.size)
    try:
        await asyncio.sleep(mishap.seconds)
    finally:
        worker.limit_files(-1)


async def _stop_process(
    mishap: Mishap, worker: WorkerProcess, sites: Sequence[UnreliableSite]
) -> None:
    worker.send(signal.SIGSTOP)
    try:
        await asyncio.sleep(mishap.seconds)
    finally:
        worker.send(signal.SIGCONT)


async def _lose_network(
    mishap: Mishap, worker: WorkerProcess, sites: Sequence[UnreliableSite]
) -> None:
    for site in sites:
        site.set_mode("silent" if mishap.kind == "silence" else "resetting")
    try:
        await asyncio.sleep(mishap.seconds)
    finally:
        for site in sites:
            site.set_mode("well")


Passing = Callable[[Mishap, WorkerProcess, Sequence[UnreliableSite]], Awaitable[None]]
PASSING: Mapping[str, Passing] = {
    "disk": _fill_disk,
    "stop": _stop_process,
    "silence": _lose_network,
    "reset": _lose_network,
}
