"""The Memory port over episodes and snippets in Chroma, and what a person may do with it."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from forager.episode import Episode
from forager.errors import ForagerError, ModelError, StoreError
from forager.frozen import Frozen
from forager.memory.chroma import Chroma
from forager.memory.episodic import Episodic
from forager.memory.shelf import Keeping
from forager.memory.vectors import NamedEmbedder
from forager.ports import Remembered
from forager.settings import Settings
from forager.snippet import Facets, Moment, Snippet

Result = TypeVar("Result")
PRUNE_AFTER = 500
"""So many are kept before it is looked whether it became too much."""


class Found(Frozen):
    """What a search in the memory brings, the best first."""

    episodes: tuple[tuple[Episode, float], ...] = ()
    snippets: tuple[tuple[Snippet, float], ...] = ()


class Tally(Frozen):
    """How much was learned on a site."""

    episodes: int = 0
    snippets: int = 0


class ChromaMemory:
    """The Memory port. It raises nothing; what people do with it raises StoreError, ModelError.

    Nothing is opened before the first call; safe for the runs of one process.
    """

    def __init__(self, settings: Settings, embedder: NamedEmbedder) -> None:
        self._settings = settings
        self._chroma = Chroma(settings)
        self._episodic = Episodic(self._chroma, embedder, settings.memory_days)
        self._unpruned = PRUNE_AFTER

    async def episodes(self, question: str, sites: Sequence[str], url: str = "") -> Remembered:
        """Those of the page, if one is named; else those of like questions on these sites."""

        def recall() -> Remembered:
            self._prune()
            return Remembered(episodes=self._episodic.alike(question, sites, url))

        return await _or_notes(recall, lambda notes: Remembered(notes=notes))

    async def snippets(self, moment: Moment, facets: Facets, count: int) -> Remembered:
        """The best snippet of each of the `count` clusters of like content nearest to a moment."""
        return Remembered()

    async def keep(
        self, episodes: Sequence[Episode], snippets: Sequence[Snippet]
    ) -> tuple[str, ...]:
        """Keep them, in place of those with the same ids; the notes."""

        def keep() -> tuple[str, ...]:
            self._episodic.keep(episodes)
            self._unpruned += len(episodes) + len(snippets)
            self._prune()
            return ()

        return await _or_notes(keep, lambda notes: notes)

    async def identity(self) -> str:
        """Another one whenever the memory began anew, empty."""
        return await asyncio.to_thread(lambda: self._episodic.collection.id)

    async def list(self, site: str = "") -> tuple[Episode | Snippet, ...]:
        """All that is kept, or what was learned on one site, the newest first."""
        found = await asyncio.to_thread(Keeping(self._episodic).list, site)
        return tuple(sorted(found, key=lambda each: -each.time))

    async def sites(self) -> dict[str, Tally]:
        """How much was learned on each site, by its host."""
        episodes = await asyncio.to_thread(Keeping(self._episodic).sites)
        return {host: Tally(episodes=count) for host, count in sorted(episodes.items())}

    async def search(self, text: str, count: int = 10) -> Found:
        """What is likest to a text: episodes by their question, snippets by their instruction."""
        found = await asyncio.to_thread(self._episodic.alike, text, count=count)
        return Found(episodes=tuple((each.episode, each.likeness) for each in found))

    async def forget(
        self, ids: Sequence[str] = (), site: str = "", session: str = "", *, all: bool = False
    ) -> int:
        """Those with these ids, of a site, of a session, or all; how many there were."""
        keeping = Keeping(self._episodic)
        if all:
            return await asyncio.to_thread(keeping.forget_all)
        return await asyncio.to_thread(keeping.forget, ids, site, session)

    async def clear(self) -> None:
        """Begin anew and empty, whatever state the memory is in."""
        await asyncio.to_thread(self._chroma.clear)

    def close(self) -> None:
        """Release the folder or the connection."""
        self._chroma.close()

    def _prune(self) -> None:
        """Forget what is too old or too much, now and then."""
        if self._unpruned < PRUNE_AFTER:
            return
        self._unpruned = 0
        Keeping(self._episodic).prune(self._settings.memory_days, self._settings.memory_items)


async def _or_notes(
    work: Callable[[], Result], instead: Callable[[tuple[str, ...]], Result]
) -> Result:
    """What the work gives, or else what went wrong; beside the event loop."""
    try:
        return await asyncio.to_thread(work)
    except (StoreError, ModelError) as error:
        return instead((_note(error),))


def _note(error: ForagerError) -> str:
    return f"The run goes on without memory. {error}"
