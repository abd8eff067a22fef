"""A process that does jobs: DATA TEMPORARY MEMORY. A line of standard input is a job, as JSON.

For each event of a run it writes a line `event`, and at the end of a job one with its outcome. A
job that was interrupted may be given again. An error that nobody expects ends the process. SIGUSR1
puts its clock forward two hours, the next stops it, the third sets it right; SIGUSR2 prints where
each thread is.
"""

import asyncio
import faulthandler
import json
import signal
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from bench.soak.jobs import Job
from forager.errors import ForagerError, NoSessionError, StoreError
from forager.settings import Settings
from graphs.runtime.steers import ForkChange
from graphs.sessions.service import Event, Sessions, open_sessions
from graphs.system.page_cache import delete_page_cache
from graphs.system.retention import evict_pages, sweep_leftovers

OFFLINE = "offline"
JUMP_SECONDS = 2 * 3600.0
SMALL_CACHE = 0.01
"""Megabytes: so little that pages of some sites must go."""


def say(line: str) -> None:
    """Write a line to the soak."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def tell_event(event: Event) -> None:
    """Say that a run has come one event further."""
    say("event")


async def do_job(sessions: Sessions, job: Job) -> str:
    """Do a job, or what an interruption has left of it; the status of its session."""
    if job.verb == "clean":
        await _clean_up(sessions, job.draw)
        return "done"
    if job.verb == "delete":
        with suppress(NoSessionError):
            await sessions.delete(job.id)
        return "done"
    if job.verb == "move":
        await _move_session(sessions, job.id)
        return "done"
    await _begin(sessions, job)
    say("begun")
    return (await sessions.run(job.id, tell_event)).status


async def _begin(sessions: Sessions, job: Job) -> None:
    """Have the session of a job ready to run, unless it is already."""
    if job.verb == "follow":
        if (await sessions.get(job.id)).turn < job.turn:
            await sessions.follow(job.id, job.text)
        return
    with suppress(NoSessionError):
        await sessions.get(job.id)
        return
    if job.question:
        await sessions.start(job.question, job.graph, OFFLINE, job.id)
        return
    steps = await sessions.history.checkpoints(job.source)
    before_end = [step.number for step in steps if step.on_path][:-1]
    step = before_end[int(job.draw * len(before_end))]
    await sessions.forks.fork(job.source, step, ForkChange(), new=job.id)


async def _move_session(sessions: Sessions, id: str) -> None:
    """Export a session, delete it and import it again, under the same ID."""
    file = sessions.context.settings.data.parent / f"{id}.zip"
    if not file.exists():
        data = await sessions.export(id, "zip")
        draft = file.with_suffix(".part")
        try:
            draft.write_bytes(data)
        except OSError as error:
            raise StoreError(f"{draft} could not be written: {error}.", "Try again.") from error
        draft.replace(file)
        await sessions.delete(id)
    else:
        with suppress(NoSessionError):
            await sessions.get(id)
            file.unlink()
            return
    data = file.read_bytes()
    imported = await sessions.archive.import_zip(data)
    if imported != id:
        raise AssertionError(f"{id} was imported as {imported}")
    file.unlink()


async def _clean_up(sessions: Sessions, draw: float) -> None:
    settings = sessions.context.settings
    if draw < 1 / 3:
        await asyncio.to_thread(delete_page_cache, settings)
    elif draw < 2 / 3:
        small = settings.model_copy(update={"cache_megabytes": SMALL_CACHE})
        await asyncio.to_thread(evict_pages, small)
    else:
        await sweep_leftovers(sessions)


def let_clock_err() -> None:
    """Have SIGUSR1 put the clock of this process forward, then stop it, then set it right."""
    real = time.time

    def go_ahead() -> float:
        return real() + JUMP_SECONDS

    def err(number: int, frame: object) -> None:
        now = time.time()
        if time.time is real:
            time.time = go_ahead
        elif time.time is go_ahead:
            time.time = lambda: now
        else:
            time.time = real

    signal.signal(signal.SIGUSR1, err)


async def work(folder: Path, *, memory: bool) -> None:
    """Do the jobs of standard input until it ends."""
    settings = Settings(data=folder, allow_private=("127.0.0.1",), memory=memory, screenshots=False)
    async with open_sessions(settings) as sessions:
        say("ready")
        while line := await asyncio.to_thread(sys.stdin.readline):
            try:
                outcome = {"status": await do_job(sessions, Job.model_validate_json(line))}
            except ForagerError as error:
                outcome = {"error": str(error)}
            say(json.dumps(outcome))


if __name__ == "__main__":
    let_clock_err()
    faulthandler.register(signal.SIGUSR2)
    data, tempfile.tempdir, memory = sys.argv[1:]
    asyncio.run(work(Path(data), memory=memory == "memory"))
