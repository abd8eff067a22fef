"""The composition root: which adapters stand behind the ports."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, contextmanager

from forager.errors import UsageError
from forager.memory.embed import open_embedder
from forager.memory.vectors import CachedEmbedder, NamedEmbedder
from forager.models.offline import OfflineModel
from forager.ports import Model, Ports
from forager.settings import Settings
from forager.store.blobs import SqliteBlobs
from forager.web.door import WebDoor

OpenPorts = Callable[[str, float], AbstractAsyncContextManager[Ports]]
"""Opens the ports of one run: the model's name, and the session's start in epoch seconds."""

OFFLINE = "offline"


@contextmanager
def open_doors(settings: Settings) -> Iterator[OpenPorts]:
    """What runs in one process share: the embedder stays loaded between them."""
    embedder = open_embedder(settings)

    @asynccontextmanager
    async def ports(model: str, since: float) -> AsyncIterator[Ports]:
        path = settings.data / "blobs.sqlite"
        with closing(await asyncio.to_thread(SqliteBlobs, path)) as blobs:
            web = WebDoor(settings, blobs, embedder, since)
            try:
                yield Ports(
                    model=open_model(model, embedder), web=web, blobs=blobs, embedder=embedder
                )
            finally:
                await web.aclose()

    try:
        yield ports
    finally:
        if isinstance(embedder, CachedEmbedder):
            embedder.close()


def open_model(name: str, embedder: NamedEmbedder) -> Model:
    """The model of that name. Raises UsageError when there is none."""
    check_model(name)
    return OfflineModel(embedder)


def check_model(name: str) -> None:
    """Raises UsageError when there is no model of that name."""
    if name != OFFLINE:
        raise UsageError(f"There is no model {name!r}.", "Use the one built in: --model offline.")
