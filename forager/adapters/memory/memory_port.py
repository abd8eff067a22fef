"""The Memory port over episodes and snippets in Chroma, and what a person may do with it."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from forager.adapters.memory.chroma import Chroma
from forager.adapters.memory.embeddings.vector_cache import NamedEmbedder
from forager.adapters.memory.episodic import Episodic
from forager.adapters.memory.multifaceted import Multifaceted
from forager.adapters.memory.shelf import ShelfUpkeep
from forager.domain.base import Frozen
from forager.domain.experience import Episode, Facets, Moment, Snippet
from forager.errors import ForagerError, ModelError, StoreError
from forager.ports import Remembered
from forager.settings import Settings

Result = TypeVar("Result")
PRUNE_AFTER = 500
"""So many are kept before it is looked whether it became too much."""


class MemoryMatches(Frozen):
    """What a search in the memory brings, the best first."""

    episodes: tuple[tuple[Episode, float], ...] = ()
    snippets: tuple[tuple[Snippet, float], ...] = ()


class SiteCounts(Frozen):
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
        self._multifaceted = Multifaceted(self._chroma, embedder)
        self._tried = ShelfUpkeep(self._episodic)
        self._steps = ShelfUpkeep(self._multifaceted)
        self._unpruned = PRUNE_AFTER

    async def find_episodes(self, question: str, sites: Sequence[str], url: str = "") -> Remembered:
        """Those of the page, if one is named; else those of like questions on these sites."""

        def recall() -> Remembered:
            self._prune()
            return Remembered(episodes=self._episodic.find_similar(question, sites, url))

        return await _or_notes(recall, lambda notes: Remembered(notes=notes))

    async def find_snippets(self, moment: Moment, facets: Facets, count: int) -> Remembered:
        """The best snippet of each of the `count` clusters of like content nearest to a moment."""

        def recall() -> Remembered:
            self._prune()
            return Remembered(snippets=self._multifaceted.find_similar(moment, facets, count))

        return await _or_notes(recall, lambda notes: Remembered(notes=notes))

    async def keep(
        self, episodes: Sequence[Episode], snippets: Sequence[Snippet]
    ) -> tuple[str, ...]:
        """Keep them, in place of those with the same ids; the notes."""

        def keep() -> tuple[str, ...]:
            self._episodic.keep(episodes)
            self._multifaceted.keep(snippets)
            self._unpruned += len(episodes) + len(snippets)
            self._prune()
            return ()

        return await _or_notes(keep, lambda notes: notes)

    async def generation(self) -> str:
        """Another one whenever the memory began anew, empty. Raises StoreError."""
        return await asyncio.to_thread(
            lambda: f"{self._episodic.collection.id} {self._multifaceted.collection.id}"
        )

    async def list(self, site: str = "") -> tuple[Episode | Snippet, ...]:
        """All that is kept, or what was learned on one site, the newest first."""

        def listed() -> tuple[Episode | Snippet, ...]:
            found: list[Episode | Snippet] = [
                *self._tried.list_newest(site),
                *self._steps.list_newest(site),
            ]
            return tuple(sorted(found, key=lambda each: -each.time))

        return await asyncio.to_thread(listed)

    async def count_by_site(self) -> dict[str, SiteCounts]:
        """How much was learned on each site, by its host."""

        def counted() -> dict[str, SiteCounts]:
            tried, steps = self._tried.count_by_site(), self._steps.count_by_site()
            return {
                host: SiteCounts(episodes=tried.get(host, 0), snippets=steps.get(host, 0))
                for host in sorted({*tried, *steps})
            }

        return await asyncio.to_thread(counted)

    async def search(self, text: str, count: int = 10) -> MemoryMatches:
        """What is likest to a text: episodes by their question, snippets by their instruction."""

        def found() -> MemoryMatches:
            tried = self._episodic.find_similar(text, count=count)
            return MemoryMatches(
                episodes=tuple((each.episode, each.likeness) for each in tried),
                snippets=self._multifaceted.find_by_instruction(text, count),
            )

        return await asyncio.to_thread(found)

    async def forget(
        self, ids: Sequence[str] = (), site: str = "", session: str = "", *, all: bool = False
    ) -> int:
        """Those with these ids, of a site, of a session, or all; how many there were."""

        def forgotten() -> int:
            if all:
                return self._tried.forget_all() + self._steps.forget_all()
            what = ids, site, session
            return self._tried.forget_matching(*what) + self._steps.forget_matching(*what)

        return await asyncio.to_thread(forgotten)

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
        limits = self._settings.memory_days, self._settings.memory_items
        self._tried.prune(*limits)
        self._steps.prune(*limits)


async def _or_notes(
    work: Callable[[], Result], instead: Callable[[tuple[str, ...]], Result]
) -> Result:
    """What the work gives, or else what went wrong; beside the event loop."""
    try:
        return await asyncio.to_thread(work)
    except (StoreError, ModelError) as error:
        return instead((_note_error(error),))


def _note_error(error: ForagerError) -> str:
    return f"The run goes on without memory. {error}"
