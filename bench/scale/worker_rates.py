"""Sessions a minute with several worker processes on one PostgreSQL and one store of pages."""

import asyncio
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from bench.scale.counted_sites import CountedSite, serve_counted_sites
from bench.scale.postgres_server import PostgresServer, serve_postgres
from bench.scale.stub_model import StubModel, serve_stub_model
from bench.scale.worker_pool import (
    Say,
    SessionJob,
    endless_jobs,
    model_variables,
    start_process,
)

SITES = 4


@dataclass(frozen=True)
class RatePlan:
    """How many processes are tried, with so many sessions at once in each, for how long."""

    folder: Path
    workers: Sequence[int] = (1, 2, 4, 8)
    at_once: int = 1
    seconds: float = 30.0
    latency: float = 0.5


@dataclass(frozen=True)
class Rate:
    """What so many workers have done; `cpu` are seconds for each session."""

    workers: int
    sessions: int
    seconds: float
    failed: int
    cpu: float
    load: float

    @property
    def per_minute(self) -> float:
        """Sessions that ended in a minute."""
        return self.sessions / self.seconds * 60


def measure_rates(plan: RatePlan, say: Say) -> list[Rate]:
    """Measure one number of workers after the other, each with an empty database."""
    with (
        serve_counted_sites(SITES) as sites,
        serve_stub_model(plan.latency) as model,
        serve_postgres() as server,
    ):
        found: list[Rate] = []
        for workers in plan.workers:
            say(f"{workers} workers")
            found.append(asyncio.run(_measure(plan, workers, server, sites, model)))
            say(f"{found[-1].per_minute:.1f} sessions a minute")
    return found


def rate_rows(rates: Sequence[Rate]) -> Iterator[tuple[str, ...]]:
    """A row for each, with the ratio to the first."""
    for rate in rates:
        yield (
            str(rate.workers),
            f"{rate.per_minute:.1f}",
            f"{rate.per_minute / (rates[0].per_minute or 1):.2f}",
            f"{rate.cpu:.2f}",
            str(rate.failed),
            f"{rate.load:.1f}",
        )


async def _measure(
    plan: RatePlan,
    workers: int,
    server: PostgresServer,
    sites: Sequence[CountedSite],
    model: StubModel,
) -> Rate:
    variables = model_variables(model, plan.at_once) | {
        "FORAGER_DATABASE_URL": server.make_database().url,
        "FORAGER_BLOBS": str(plan.folder / f"blobs-{workers}"),
    }
    async with AsyncExitStack() as stack:
        processes = [
            await stack.enter_async_context(
                start_process(plan.folder / f"{workers}-{number}", variables)
            )
            for number in range(workers)
        ]
        await asyncio.gather(  # each has read the sites before the clock starts
            *(
                each.run_jobs(islice(endless_jobs(sites, f"first-{at}"), len(sites)), 1)
                for at, each in enumerate(processes)
            )
        )
        for each in processes:
            each.outcomes.clear()
        began = time.monotonic()
        jobs = _until(endless_jobs(sites, "timed"), began + plan.seconds)
        await asyncio.gather(*(each.run_jobs(jobs, plan.at_once) for each in processes))
        seconds, load = time.monotonic() - began, os.getloadavg()[0]
        outcomes = [outcome for each in processes for outcome in each.outcomes]
        cpu = sum([await each.end() for each in processes])
    return Rate(
        workers=workers,
        sessions=len(outcomes),
        seconds=seconds,
        failed=sum(outcome["status"] != "answered" for outcome in outcomes),
        cpu=cpu / (len(outcomes) + workers * len(sites)),
        load=load,
    )


def _until(jobs: Iterator[SessionJob], end: float) -> Iterator[SessionJob]:
    while time.monotonic() < end:
        yield next(jobs)
