"""The memory that the sessions of a process share."""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from forager.adapters.memory.embeddings.embedder import open_embedder
from forager.adapters.memory.embeddings.vector_cache import CachedEmbedder, NamedEmbedder
from forager.adapters.memory.memory_port import ChromaMemory
from forager.adapters.memory.no_memory import NoMemory
from forager.ports import Memory
from forager.settings import Settings

_COMMON: dict[tuple[Path, str, str], ChromaMemory] = {}
"""By whose it is and where it lies."""


@contextmanager
def open_memory(settings: Settings, embedder: NamedEmbedder) -> Iterator[Memory]:
    """None where the settings want none, and where a run is recorded: it must not hang on it."""
    if not settings.memory or settings.record:
        yield NoMemory()
        return
    with chroma_memory(settings, embedder) as memory:
        yield memory


@contextmanager
def chroma_memory(settings: Settings, embedder: NamedEmbedder) -> Iterator[ChromaMemory]:
    """That which the process has in common, or else one for the body alone."""
    if memory := _COMMON.get(_key(settings)):
        yield memory
        return
    with closing(ChromaMemory(settings, embedder)) as memory:
        yield memory


@contextmanager
def in_common(settings: Settings) -> Iterator[None]:
    """While the body runs, all in this process have one memory: its folder bears one owner only.

    Nothing is opened before it is asked.
    """
    with ExitStack() as stack:
        embedder = open_embedder(settings)
        if isinstance(embedder, CachedEmbedder):
            stack.callback(embedder.close)
        _COMMON[_key(settings)] = stack.enter_context(closing(ChromaMemory(settings, embedder)))
        stack.callback(_COMMON.pop, _key(settings))
        yield


def _key(settings: Settings) -> tuple[Path, str, str]:
    return settings.data, settings.chroma_url, settings.user
