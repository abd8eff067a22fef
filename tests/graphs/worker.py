"""Runs sessions in a process of their own: FOLDER WORLD VERB NUMBER ID [NUMBER ID]…

The verb is hold, limit, kill, or fork: die at that SQL statement of a fork of step 9. Or, in the
world `approvals`, asked or opened: die when a person is asked, or when the page is opened after a
yes. The world may be `scripted` too, or the port of a site on loopback that is asked with the real
nodes, and with a memory where `+` follows it.
"""

import asyncio
import os
import resource
import signal
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType

from forager.domain.approvals import ApprovalRequest
from forager.domain.documents import OpenedPage
from forager.errors import ForagerError
from forager.ports import Ports
from forager.settings import Settings
from graphs.runtime.composition import OpenPorts
from graphs.sessions.service import Event, Sessions, Watcher, open_sessions
from tests.graphs.approval_graphs import ASKING
from tests.graphs.scripted import REGISTRY
from tests.graphs.scripted_ports import ScriptedWeb, alone, scripted

DEADLY = frozenset({"kill", "fork", "asked", "opened"})
FORKED_STEP = 9
STATEMENTS = frozenset({"Cursor.execute", "Connection.execute", "Connection.commit"})


@contextmanager
def logged(settings: Settings) -> Iterator[OpenPorts]:
    """Ports that write what they are asked into a file per session."""

    @asynccontextmanager
    async def ports(model: str, since: float, session: str = "") -> AsyncIterator[Ports]:
        yield scripted(settings.data / f"{since}.asked")

    yield ports


class Dying(ScriptedWeb):
    """Takes the process along when it is asked for a page."""

    async def open(self, url: str) -> OpenedPage:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


@contextmanager
def deadly(settings: Settings) -> Iterator[OpenPorts]:
    """Ports with a web that kills."""

    @asynccontextmanager
    async def ports(model: str, since: float, session: str = "") -> AsyncIterator[Ports]:
        yield replace(scripted(), web=Dying([]))

    yield ports


async def dies(request: ApprovalRequest) -> bool:
    """Asked, it takes the process along."""
    os.kill(os.getpid(), signal.SIGKILL)
    return True


async def agrees(request: ApprovalRequest) -> bool:
    """Says yes."""
    return True


def watcher(verb: str, number: int) -> Watcher:
    """At the event of this number, die or wait for the end of the input.

    Progress is told as time passes, and does not count.
    """
    seen: list[Event] = []

    def watch(event: Event) -> None:
        if event.kind == "progress":
            return
        seen.append(event)
        if len(seen) == number and verb == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if len(seen) == number and verb == "hold":
            sys.stdout.write("running\n")
            sys.stdout.flush()
            sys.stdin.read()

    return watch


def die_at_statement(number: int) -> None:
    """Die when this process, in threads that begin from now on, runs an SQL statement."""
    left = [number]

    def count(frame: FrameType, event: str, called: object) -> None:
        if event == "c_call" and getattr(called, "__qualname__", "") in STATEMENTS:
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)

    threading.setprofile(count)


def limit(size: int) -> None:
    """No file may grow beyond `size` bytes, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def opened(folder: Path, world: str) -> AbstractAsyncContextManager[Sessions]:
    """The sessions of a folder, in their world."""
    if world == "scripted":
        return open_sessions(alone(folder), logged, REGISTRY)
    if world == "approvals":
        return open_sessions(alone(folder), deadly, ASKING)
    here = (f"127.0.0.1:{world.rstrip('+')}",)
    settings = Settings(data=folder, allow_private=here, memory=world.endswith("+"))
    return open_sessions(settings)


async def run(
    place: AbstractAsyncContextManager[Sessions], verb: str, number: int, id: str
) -> None:
    if verb == "limit":
        limit(number)
    if verb == "fork":
        die_at_statement(number)
    async with place as sessions:
        if verb == "fork":
            await sessions.forks.fork(id, FORKED_STEP, new=f"fork-{number}")
            return
        try:
            report = await sessions.run(
                id, watcher(verb, number), dies if verb == "asked" else agrees
            )
            sys.stdout.write(report.model_dump_json())
        except ForagerError as error:
            sys.stdout.write(f"{type(error).__name__}: {error}")


def main(folder: str, world: str, verb: str, *pairs: str) -> None:
    """Each pair in a fork, so that killing many costs one start of Python."""
    for number, id in zip(pairs[::2], pairs[1::2], strict=True):
        if verb in DEADLY and os.fork():
            os.wait()
        else:
            asyncio.run(run(opened(Path(folder), world), verb, int(number), id))
            if verb in DEADLY:
                return  # alive


if __name__ == "__main__":
    main(*sys.argv[1:])
