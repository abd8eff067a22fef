"""Processes that run sessions, as their parent sees them."""

import asyncio
import json
import resource
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from bench.scale.counted_sites import CountedSite
from bench.scale.stub_model import MODEL, StubModel
from bench.ui.server import begin_with
from forager.domain.base import Frozen

ROOT = Path(__file__).parents[2]
LINE_BYTES = 1 << 20
PAGE_BYTES = resource.getpagesize()
Say = Callable[[str], None]


class SessionJob(Frozen):
    """A session to be run."""

    id: str
    question: str
    site: str
    model: str
    graph: str = "forager"
    seed: int = 0


@dataclass
class SessionProcess:
    """A running worker; `outcomes` are the lines that it has written."""

    process: asyncio.subprocess.Process
    outcomes: list[dict[str, Any]] = field(default_factory=list)

    async def run_jobs(self, jobs: Iterator[SessionJob], at_once: int) -> None:
        """Have it run all jobs, so many at once."""
        given = sum([await self._give(jobs) for _ in range(at_once)])
        while given:
            await self.read()
            given += await self._give(jobs) - 1

    async def read(self) -> None:
        """Wait for the next line. Raises RuntimeError if the process has ended."""
        line = await self.process.stdout.readline() if self.process.stdout else b""
        if not line:
            raise RuntimeError("a worker ended in the middle of its jobs; its log says why")
        self.outcomes.append(json.loads(line))

    def megabytes(self) -> float:
        """Its resident memory."""
        text = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii")
        return int(text.split()[1]) * PAGE_BYTES / 1e6

    async def end(self) -> float:
        """Let it end; the CPU seconds that it took."""
        if self.process.stdin:
            self.process.stdin.close()
        await self.read()
        await self.process.wait()
        return float(self.outcomes.pop()["cpu"])

    async def _give(self, jobs: Iterator[SessionJob]) -> int:
        job = next(jobs, None)
        if job is None or self.process.stdin is None:
            return 0
        self.process.stdin.write(f"{job.model_dump_json()}\n".encode())
        await self.process.stdin.drain()
        return 1


@asynccontextmanager
async def start_process(
    folder: Path, variables: Mapping[str, str]
) -> AsyncIterator[SessionProcess]:
    """Start a worker with a data folder of its own, and see that it has ended."""
    folder.mkdir(parents=True, exist_ok=True)
    own = {
        "FORAGER_DATA": str(folder),
        "FORAGER_MEMORY": "false",
        "FORAGER_ALLOW_PRIVATE": "127.0.0.1",
    }
    with (folder / "worker.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *(*begin_with({**own, **variables}), "-m", "bench.scale.session_worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            limit=LINE_BYTES,
            cwd=ROOT,
        )
    try:
        yield SessionProcess(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def model_variables(model: StubModel, at_once: int) -> dict[str, str]:
    """What a worker must know to ask the stub, so many calls at once."""
    return {"FORAGER_BASE_URL": model.url, "FORAGER_MODEL_CALLS_AT_ONCE": str(at_once)}


def endless_jobs(sites: Sequence[CountedSite], name: str) -> Iterator[SessionJob]:
    """Jobs on the sites in turn, whose questions differ for as long as there are different ones."""
    for number in count():
        site = sites[number % len(sites)]
        question = site.question(number // len(sites))
        yield SessionJob(id=f"{name}-{number}", question=question, site=site.url, model=MODEL)
