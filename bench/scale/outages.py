"""Runs on a PostgreSQL that starts anew, and one whose network falls silent or breaks."""

import asyncio
import os
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from bench.scale.counted_sites import serve_counted_sites
from bench.scale.postgres_server import PostgresServer, serve_postgres
from bench.scale.stub_model import serve_stub_model
from bench.scale.worker_pool import (
    Say,
    SessionProcess,
    endless_jobs,
    model_variables,
    start_process,
)

SITES = 4
CHUNK = 1 << 16
DOWN_SECONDS = 3.0


class Relay:
    """Hands a TCP connection on to a port of this machine; `well` is unset while it is silent."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._writers: set[asyncio.StreamWriter] = set()
        self._is_broken = False
        self.well = asyncio.Event()
        self.well.set()

    async def open(self) -> asyncio.Server:
        """Take connections on a free port."""
        return await asyncio.start_server(self._serve, "127.0.0.1", 0)

    async def be_silent(self, seconds: float) -> None:
        """Hand nothing on for so long; nothing is lost."""
        self.well.clear()
        await asyncio.sleep(seconds)
        self.well.set()

    async def be_broken(self, seconds: float) -> None:
        """Reset all connections, and for so long new ones, too."""
        self._is_broken = True
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.sleep(seconds)
        self._is_broken = False

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self.well.wait()
        if self._is_broken:
            writer.transport.abort()
            return
        with suppress(OSError):
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
            both = {writer, far_writer}
            self._writers |= both
            await asyncio.gather(self._pump(reader, far_writer), self._pump(far_reader, writer))
            self._writers -= both
        writer.close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                await self.well.wait()
                writer.write(data)
                await writer.drain()
        writer.close()


@dataclass
class OutageOutcome:
    """How the sessions ended, and how many had when each fault came and when it was over."""

    sessions: int
    statuses: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    calls: int = 0
    repeated: int = 0
    load: float = 0.0

    @property
    def has_passed(self) -> bool:
        """Whether all sessions were answered."""
        return self.statuses["answered"] == self.sessions


def measure_outages(
    folder: Path, sessions: int, silent_seconds: float, latency: float, say: Say
) -> OutageOutcome:
    """Run sessions, four at once; restart the server after a quarter, cut it off after two, three.

    First the network is silent, then connections are reset for as long.
    """
    with serve_postgres() as server:
        return asyncio.run(_measure(folder, sessions, silent_seconds, latency, server, say))


def outage_lines(found: OutageOutcome) -> Iterator[tuple[str, str]]:
    """Names and figures."""
    statuses = ", ".join(f"{count} {name or 'none'}" for name, count in found.statuses.items())
    yield "sessions", f"{found.sessions} ({statuses})"
    for number, fault in enumerate(found.faults, 1):
        yield f"fault {number}", fault
    yield "model calls, of these word for word again", f"{found.calls}, {found.repeated}"
    yield "load of the machine", f"{found.load:.1f}"
    for error, count in found.errors.most_common():
        yield f"told {count} times", error


async def _measure(  # noqa: PLR0913, PLR0917
    folder: Path,
    sessions: int,
    silent_seconds: float,
    latency: float,
    server: PostgresServer,
    say: Say,
) -> OutageOutcome:
    found, relay = OutageOutcome(sessions), Relay(server.port)
    listening = await relay.open()
    port = listening.sockets[0].getsockname()[1]
    url = server.make_database().url.replace(f":{server.port}/", f":{port}/")

    async def restart() -> None:
        await asyncio.to_thread(server.stop)
        await asyncio.sleep(DOWN_SECONDS)
        await asyncio.to_thread(server.start)

    with serve_counted_sites(SITES) as sites, serve_stub_model(latency) as model:
        variables = model_variables(model, 8) | {"FORAGER_DATABASE_URL": url}
        async with start_process(folder, variables) as process:
            jobs = islice(endless_jobs(sites, "outage"), sessions)
            running = asyncio.create_task(process.run_jobs(jobs, 4))
            cuts: tuple[tuple[str, Callable[[], Awaitable[None]]], ...] = (
                ("the server starts anew", restart),
                ("the network is silent", lambda: relay.be_silent(silent_seconds)),
                ("connections are reset", lambda: relay.be_broken(silent_seconds)),
            )
            for number, (name, cut) in enumerate(cuts, 1):
                while len(process.outcomes) < sessions * number // 4 and not running.done():
                    await asyncio.sleep(0.05)
                found.faults.append(await _time_fault(name, cut, process))
                say(found.faults[-1])
            await running
            found.load = os.getloadavg()[0]
            found.statuses = Counter(each["status"] for each in process.outcomes)
            found.errors = Counter(each["error"] for each in process.outcomes if each["error"])
            await process.end()
        found.calls, found.repeated = model.asked.total(), model.repeated
    listening.close()
    return found


async def _time_fault(
    name: str, cut: Callable[[], Awaitable[None]], process: SessionProcess
) -> str:
    began, before = time.monotonic(), len(process.outcomes)
    await cut()
    seconds, during = time.monotonic() - began, len(process.outcomes) - before
    return f"{name}: {seconds:.1f} s, {before} sessions had ended before and {during} in it"
