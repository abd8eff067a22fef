"""Scripted ports for the sessions that pages show."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from forager.ports import Ports
from forager.settings import Settings
from graphs.runtime.composition import OpenPorts
from tests.graphs.scripted_ports import scripted


@contextmanager
def scripted_doors(settings: Settings) -> Iterator[OpenPorts]:
    """Doors behind which every page exists."""

    @asynccontextmanager
    async def ports(model: str, since: float, session: str = "") -> AsyncIterator[Ports]:
        yield scripted()

    yield ports
