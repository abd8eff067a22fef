"""The memory that the sessions of a process share."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from forager.memory.door import ChromaMemory
from forager.memory.none import NoMemory
from forager.memory.vectors import NamedEmbedder
from forager.ports import Memory
from forager.settings import Settings


@contextmanager
def open_memory(settings: Settings, embedder: NamedEmbedder) -> Iterator[Memory]:
    """None where the settings want none, and where a run is recorded: it must not hang on it."""
    if not settings.memory or settings.record:
        yield NoMemory()
        return
    with closing(ChromaMemory(settings, embedder)) as memory:
        yield memory
