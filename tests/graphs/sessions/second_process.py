"""A second process on a data folder: it runs sessions, and may be killed on the way."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

from forager.domain.documents import OpenedPage
from forager.ports import Blobs, Ports
from forager.settings import Settings
from graphs.reports.stored_pages import open_blobs
from graphs.runtime.composition import OpenPorts
from graphs.sessions.service import Event, Watcher, open_sessions
from tests.graphs.scripted import REGISTRY
from tests.graphs.scripted_nodes import Look
from tests.graphs.scripted_ports import ScriptedWeb, alone, scripted
from tests.programs import CONTEXT

PATIENCE = 60


class StoringWeb(ScriptedWeb):
    """Stores what its pages say, all that the scripted extractor quotes."""

    def __init__(self, blobs: Blobs) -> None:
        super().__init__([])
        self.blobs = blobs

    async def open(self, url: str) -> OpenedPage:
        opened = await super().open(url)
        whole = opened.document.model_copy(update={"text": Look(page=url).offline(None).text})
        body = whole.model_dump_json().encode()
        blob = await asyncio.to_thread(self.blobs.put, body, "document")
        return opened.model_copy(update={"blob": blob})


@contextmanager
def storing(settings: Settings) -> Iterator[OpenPorts]:
    """Ports whose pages are stored in the data folder."""
    with open_blobs(settings) as blobs:

        @asynccontextmanager
        async def ports(model: str, since: float, session: str = "") -> AsyncIterator[Ports]:
            yield replace(scripted(), web=StoringWeb(blobs))

        yield ports


def dies_at(node: str) -> Watcher:
    """Takes the process along when this node has finished; an empty name is none's."""

    def watch(event: Event) -> None:
        if (event.node, event.kind) == (node, "finished"):
            os.kill(os.getpid(), signal.SIGKILL)

    return watch


async def _serve(folder: Path, line: Connection) -> None:
    async with open_sessions(alone(folder), storing, REGISTRY) as sessions:
        while asked := await asyncio.to_thread(line.recv):
            id, node = asked
            line.send((await sessions.run(id, dies_at(node))).status)


def _main(folder: str, line: Connection) -> None:
    asyncio.run(_serve(Path(folder), line))


class SecondProcess:
    """Runs sessions of a folder in a process of its own, begun anew after it was killed."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._start()

    def _start(self) -> None:
        self._line, theirs = CONTEXT.Pipe()
        self._process = CONTEXT.Process(target=_main, args=(self._folder, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def run(self, id: str, node: str = "") -> str:
        """Run a session to its end; the status, or "killed" where it dies at a node."""
        self._line.send((id, node))
        try:
            assert self._line.poll(PATIENCE)
            return str(self._line.recv())
        except EOFError:
            self._process.join(PATIENCE)
            self._line.close()
            self._start()
            return "killed"

    def close(self) -> None:
        """End it."""
        self._line.send(None)
        self._process.join(PATIENCE)
        self._line.close()
        self._process.close()
