"""Runs workers on one data folder while faults befall them, then checks what is left."""

import asyncio
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from bench.soak.faults import FaultKind, Mishap, Mishaps
from bench.soak.growth import measure_growth
from bench.soak.jobs import BROWSER_GRAPH, GRAPHS, RUNNING, Job, Journal
from bench.soak.unreliable_sites import UnreliableSite, serve_sites
from bench.soak.worker_process import Outcome, Sample, WorkerProcess, read_outcome, start_worker
from forager.settings import Settings
from graphs.sessions.service import open_sessions
from graphs.system.data_check import DataCheck, check_data

ENDED = frozenset({"answered", "partial", "abstained", "done"})
SITES = 3
TRIES = 12
"""How often a job is given again before it counts as stuck; the last half without faults."""
HUNG_SECONDS = 300.0
DUMP_SECONDS = 2.0
"""How long a worker that hangs may take to print where its threads are."""
KINDS: tuple[FaultKind, ...] = (
    *("kill", "kill", "kill", "disk", "disk"),
    *("stop", "clock", "silence", "reset"),
)
"""Kills and full disks, which leave most behind, are drawn more often."""
Say = Callable[[str], None]


@dataclass(frozen=True)
class SoakPlan:
    """How long to run, or how many jobs; `share` of them meet a fault of at most `longest` s."""

    folder: Path
    seed: int = 0
    minutes: float = 30.0
    jobs: int | None = None
    workers: int = 2
    share: float = 0.6
    seconds: float = 15.0
    longest: float = 18.0
    memory: bool = True
    browser: bool = True

    @property
    def data(self) -> Path:
        """The data folder of the workers."""
        return self.folder / "data"

    @property
    def log(self) -> Path:
        """Where the workers' errors go."""
        return self.folder / "workers.log"


@dataclass
class SoakResult:
    """What was run and what befell it; `samples` are of the worker that is never killed."""

    jobs: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    crashes: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    samples: list[tuple[float, Sample]] = field(default_factory=list)
    check: DataCheck = field(default_factory=DataCheck)
    browser: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether nothing is lost or twice, and no job was left."""
        return not (self.check.count("lost") or self.check.count("twice") or self.stuck)

    @property
    def is_flat(self) -> bool:
        """Whether the steady worker did not grow, as far as its samples tell."""
        growth = measure_growth(self.samples)
        return growth is None or growth.is_flat

    @property
    def has_passed(self) -> bool:
        """Whether all is whole and flat, and a browser was killed if runs had any."""
        killed = not self.browser or bool(self.faults["chromium"])
        return self.is_whole and self.is_flat and killed


def run_soak(plan: SoakPlan, say: Say) -> SoakResult:
    """Run a soak. The folder of the plan must be empty, or not there."""
    plan.folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(plan.seed)  # no secret
    with ExitStack() as stack:
        sites = stack.enter_context(serve_sites(SITES, draw))
        return asyncio.run(Soak(plan, sites, draw, say).run())


class Soak:
    """A soak that runs."""

    def __init__(
        self, plan: SoakPlan, sites: Sequence[UnreliableSite], draw: random.Random, say: Say
    ) -> None:
        self._plan, self._sites, self._say = plan, sites, say
        graphs = (BROWSER_GRAPH, *GRAPHS) if plan.browser else GRAPHS
        kinds: tuple[FaultKind, ...] = (*KINDS, "chromium") if plan.browser else KINDS
        self._journal = Journal(draw, sites, plan.seconds, graphs)
        self._mishaps = Mishaps(draw, plan.share, kinds, plan.longest)
        self._result = SoakResult(faults=self._mishaps.counts, browser=plan.browser)
        self._began = time.monotonic()
        self._left = plan.jobs

    async def run(self) -> SoakResult:
        """Run to the end and check the data folder."""
        async with asyncio.TaskGroup() as group:
            for number in range(self._plan.workers):
                group.create_task(self._work(steady=number == 0))
        self._result.check = await self._check()
        return self._result

    def _goes_on(self) -> bool:
        if self._left is not None:
            self._left -= 1
            return self._left >= 0
        return time.monotonic() - self._began < self._plan.minutes * 60

    async def _work(self, *, steady: bool) -> None:
        """Give jobs to a worker, to a new one where it died."""
        worker: WorkerProcess | None = None
        while self._goes_on():
            job = self._journal.next_job()
            outcome = Outcome()
            for attempt in range(TRIES):
                worker = worker or await self._start()
                outcome = await self._try(worker, job, steady=steady, calm=attempt >= TRIES // 2)
                if outcome.died:
                    await self._note_death(worker, job, outcome)
                    worker = None
                    if steady:
                        self._result.samples.clear()  # the series is that of one process
                if outcome.status in ENDED:
                    break
                self._result.errors[outcome.error or outcome.status or "the worker died"] += 1
            self._close_job(job, outcome)
            if steady and worker and (sample := worker.sample()):
                self._result.samples.append((time.monotonic() - self._began, sample))
        if worker:
            await worker.end()

    def _close_job(self, job: Job, outcome: Outcome) -> None:
        self._result.jobs[job.verb] += 1
        self._journal.finish(job)
        if outcome.status not in ENDED:
            self._result.stuck.append(f"{job.verb} {job.id}: {outcome.error or outcome.status}")
        done = sum(self._result.jobs.values())
        self._say(f"{done:>5} {job.verb:<7}{job.id:<10} {outcome.status or outcome.error}")

    async def _start(self) -> WorkerProcess:
        worker = await start_worker(self._plan.data, self._plan.log, memory=self._plan.memory)
        async for line in worker.lines():
            if line == "ready":
                break
        return worker

    async def _try(self, worker: WorkerProcess, job: Job, *, steady: bool, calm: bool) -> Outcome:
        """Give a job once, with a fault at its moment unless it is `calm`."""
        browser = job.graph == BROWSER_GRAPH
        mishap = None if calm else self._mishaps.draw_mishap(spare=steady, browser=browser)
        reached = asyncio.Event()
        moment = mishap.events if mishap and job.verb in RUNNING else 0
        fault = asyncio.create_task(self._befall(mishap, job, worker, reached))
        await worker.give(job)
        try:
            async with asyncio.timeout(HUNG_SECONDS):
                return await _read_until_outcome(worker, moment, reached)
        except TimeoutError:
            worker.send(signal.SIGUSR2)
            await asyncio.sleep(DUMP_SECONDS)
            worker.send(signal.SIGKILL)
            return Outcome(error="the worker hung and was killed", died=True)
        finally:
            if not reached.is_set() or (mishap and mishap.kind == "chromium"):
                fault.cancel()
            with suppress(asyncio.CancelledError):
                await fault

    async def _befall(
        self, mishap: Mishap | None, job: Job, worker: WorkerProcess, reached: asyncio.Event
    ) -> None:
        """Let a fault strike at its moment, and lift it."""
        if mishap is None:
            return
        if job.verb in RUNNING:
            await reached.wait()
        else:
            reached.set()
            await asyncio.sleep(mishap.delay)
        await self._mishaps.strike(mishap, worker, self._sites)

    async def _note_death(self, worker: WorkerProcess, job: Job, outcome: Outcome) -> None:
        """Wait for the end of a worker that has died; note it where nobody killed it."""
        code = await worker.process.wait()
        if outcome.error:
            self._result.crashes.append(f"{job.verb} {job.id}: {outcome.error}")
        elif code != -signal.SIGKILL:
            self._result.crashes.append(f"{job.verb} {job.id}: exit code {code}")

    async def _check(self) -> DataCheck:
        settings = Settings(data=self._plan.data, memory=False, allow_private=("127.0.0.1",))
        async with open_sessions(settings) as sessions:
            return await check_data(sessions, self._journal.turns)


async def _read_until_outcome(
    worker: WorkerProcess, moment: int, reached: asyncio.Event
) -> Outcome:
    """Read what a worker says of a job; `reached` is set when its run has come to `moment`."""
    told = 0
    async for line in worker.lines():
        if outcome := read_outcome(line):
            return outcome
        if told >= moment:
            reached.set()
        told += 1
    return Outcome(died=True)
