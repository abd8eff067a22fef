"""A worker's process as its parent sees it: jobs go in, and faults befall it."""

import asyncio
import json
import os
import resource
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from bench.soak.jobs import Job
from forager.domain.base import Frozen

BROWSER_NAMES = ("chrom", "headless_shell")
PAGE_BYTES = resource.getpagesize()
LINE_BYTES = 1 << 20
OWNED = "/memory/chroma/"
ROOT = Path(__file__).parents[2]


class Outcome(Frozen):
    """How a job ended: the status of its session, an error that was told, or the process died."""

    status: str = ""
    error: str = ""
    died: bool = False


class Sample(NamedTuple):
    """The resident memory of a process in MB, and its open files.

    `owner` says whether it has the memory of past runs open, which one process has for all.
    """

    megabytes: float
    files: int
    owner: bool = False


@dataclass(frozen=True)
class WorkerProcess:
    """A running worker."""

    process: asyncio.subprocess.Process
    given: asyncio.StreamWriter
    said: asyncio.StreamReader

    @property
    def pid(self) -> int:
        """Its process ID."""
        return self.process.pid

    async def lines(self) -> AsyncIterator[str]:
        """What it writes, line by line, until it ends."""
        while line := await self.said.readline():
            yield line.decode().strip()

    async def give(self, job: Job) -> None:
        """Give it a job; a worker that has just died takes none."""
        with suppress(ConnectionError):
            self.given.write(f"{job.model_dump_json()}\n".encode())
            await self.given.drain()

    def sample(self) -> Sample | None:
        """What it takes now; None once it has ended."""
        here = Path(f"/proc/{self.pid}")
        try:
            pages = int((here / "statm").read_text(encoding="ascii").split()[1])
            files = [str(each.readlink()) for each in (here / "fd").iterdir()]
            owner = any(OWNED in each for each in files)
            return Sample(pages * PAGE_BYTES / 1e6, len(files), owner)
        except OSError:
            return None

    def send(self, number: signal.Signals) -> None:
        """Send it a signal, if it still runs."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def limit_files(self, size: int) -> None:
        """Let none of its files grow beyond `size` bytes, as on a full disk; -1 lifts the limit."""
        with suppress(ProcessLookupError):
            _, hard = resource.prlimit(self.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (size if size >= 0 else hard, hard))

    def kill_browsers(self) -> int:
        """Kill the browsers that it started; how many processes."""
        found = [
            pid for pid in _descendants(self.pid) if _process_name(pid).startswith(BROWSER_NAMES)
        ]
        for pid in found:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return len(found)

    async def end(self) -> None:
        """Let it end by itself, or kill it where it does not."""
        self.send(signal.SIGCONT)
        self.given.close()
        try:
            await asyncio.wait_for(self.process.wait(), 30)
        except TimeoutError:
            self.send(signal.SIGKILL)
            await self.process.wait()


async def start_worker(data: Path, log: Path, *, memory: bool) -> WorkerProcess:
    """Start a worker on a data folder; its temporary files go beside the folder."""
    temporary = data.parent / "tmp"
    temporary.mkdir(exist_ok=True)
    with log.open("a", encoding="utf-8") as errors:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bench.soak.worker"),
            *(str(data), str(temporary), "memory" if memory else "none"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            limit=LINE_BYTES,
            cwd=ROOT,
        )
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("the worker has no pipes")
    return WorkerProcess(process, process.stdin, process.stdout)


def read_outcome(line: str) -> Outcome | None:
    """The outcome of a job in a line; None in a line that says something else."""
    if not line.startswith("{"):
        return None
    values: dict[str, Any] = json.loads(line)
    return Outcome(**values)


def _descendants(pid: int) -> Iterator[int]:
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text(encoding="ascii").split():
                yield int(child)
                yield from _descendants(int(child))


def _process_name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()
    except OSError:
        return ""
