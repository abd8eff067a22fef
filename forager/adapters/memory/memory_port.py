"""The Memory port on Chroma, and the functions by which people inspect and edit the memory."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from forager.adapters.memory.chroma import Chroma
from forager.adapters.memory.collection import ShelfUpkeep
from forager.adapters.memory.embeddings.vector_cache import NamedEmbedder
from forager.adapters.memory.episodic import Episodic
from forager.adapters.memory.index_probe import PROBE_SECONDS
from forager.adapters.memory.multifaceted import Multifaceted
from forager.domain.base import Frozen
from forager.domain.experience import Episode, Facets, Moment, Snippet
from forager.errors import ForagerError, ModelError, StoreError
from forager.ports import Remembered
from forager.settings import Settings

Result = TypeVar("Result")
PRUNE_AFTER = 500
"""Pruning runs once this many items were added."""


class MemoryMatches(Frozen):
    """The results of a search in the memory with their similarities, best first."""

    episodes: tuple[tuple[Episode, float], ...] = ()
    snippets: tuple[tuple[Snippet, float], ...] = ()


class SiteCounts(Frozen):
    """The number of items learned on a site."""

    episodes: int = 0
    snippets: int = 0


class ChromaMemory:
    """The Memory port, opened by the first call; safe for the runs of one process.

    The methods of the port turn faults into notes; all others raise StoreError and ModelError.
    """

    def __init__(
        self, settings: Settings, embedder: NamedEmbedder, patience: float = PROBE_SECONDS
    ) -> None:
        """`patience`: seconds to wait for the check of a folder that was not closed."""
        self._settings = settings
        self._chroma = Chroma(settings, patience)
        self._episodic = Episodic(self._chroma, embedder, settings.memory_days)
        self._multifaceted = Multifaceted(self._chroma, embedder)
        self._tried = ShelfUpkeep(self._episodic)
        self._steps = ShelfUpkeep(self._multifaceted)
        self._unpruned = PRUNE_AFTER

    async def find_episodes(self, question: str, sites: Sequence[str], url: str = "") -> Remembered:
        """Episodes of the page `url` if given, else of similar questions on these sites."""

        def find_episodes() -> Remembered:
            self._prune()
            return Remembered(episodes=self._episodic.find_similar(question, sites, url))

        return await _or_notes(find_episodes, lambda notes: Remembered(notes=notes))

    async def find_snippets(self, moment: Moment, facets: Facets, count: int) -> Remembered:
        """The best snippet of each of the `count` clusters nearest to a moment."""

        def find_snippets() -> Remembered:
            self._prune()
            return Remembered(snippets=self._multifaceted.find_similar(moment, facets, count))

        return await _or_notes(find_snippets, lambda notes: Remembered(notes=notes))

    async def keep(
        self, episodes: Sequence[Episode], snippets: Sequence[Snippet]
    ) -> tuple[str, ...]:
        """Store items; replaces those with the same ids. Returns notes."""

        def keep_items() -> tuple[str, ...]:
            self._episodic.keep(episodes)
            self._multifaceted.keep(snippets)
            self._unpruned += len(episodes) + len(snippets)
            self._prune()
            return ()

        return await _or_notes(keep_items, lambda notes: notes)

    async def generation(self) -> str:
        """An id that changes when the memory is cleared. Raises StoreError."""
        return await asyncio.to_thread(
            lambda: f"{self._episodic.collection.id} {self._multifaceted.collection.id}"
        )

    async def list(self, site: str = "") -> tuple[Episode | Snippet, ...]:
        """All items, or those of one site, newest first."""

        def list_items() -> tuple[Episode | Snippet, ...]:
            found: list[Episode | Snippet] = [
                *self._tried.list_newest(site),
                *self._steps.list_newest(site),
            ]
            return tuple(sorted(found, key=lambda each: -each.time))

        return await asyncio.to_thread(list_items)

    async def count_by_site(self) -> dict[str, SiteCounts]:
        """The number of items learned on each site, by its host."""

        def count_items() -> dict[str, SiteCounts]:
            tried, steps = self._tried.count_by_site(), self._steps.count_by_site()
            return {
                host: SiteCounts(episodes=tried.get(host, 0), snippets=steps.get(host, 0))
                for host in sorted({*tried, *steps})
            }

        return await asyncio.to_thread(count_items)

    async def search(self, text: str, count: int = 10) -> MemoryMatches:
        """The items most similar to a text: episodes by question, snippets by instruction."""

        def find_matches() -> MemoryMatches:
            tried = self._episodic.find_similar(text, count=count)
            return MemoryMatches(
                episodes=tuple((each.episode, each.likeness) for each in tried),
                snippets=self._multifaceted.find_by_instruction(text, count),
            )

        return await asyncio.to_thread(find_matches)

    async def forget(
        self, ids: Sequence[str] = (), site: str = "", session: str = "", *, all: bool = False
    ) -> int:
        """Delete items by id, site or session, or all of them; returns their number."""

        def forget_items() -> int:
            if all:
                return self._tried.forget_all() + self._steps.forget_all()
            selected = ids, site, session
            return self._tried.forget_matching(*selected) + self._steps.forget_matching(*selected)

        return await asyncio.to_thread(forget_items)

    async def purge(self, ids: Sequence[str]) -> None:
        """Remove from the files what is left of forgotten items."""
        await asyncio.to_thread(self._chroma.purge, ids)

    async def clear(self) -> None:
        """Empty the memory, even if its files are damaged."""
        await asyncio.to_thread(self._chroma.clear)

    def close(self) -> None:
        """Close the folder or the connection."""
        self._chroma.close()

    def _prune(self) -> None:
        """Delete items that are too old or too many, if enough were added since the last time."""
        if self._unpruned < PRUNE_AFTER:
            return
        self._unpruned = 0
        limits = self._settings.memory_days, self._settings.memory_items
        self._tried.prune(*limits)
        self._steps.prune(*limits)


async def _or_notes(
    work: Callable[[], Result], instead: Callable[[tuple[str, ...]], Result]
) -> Result:
    """Run `work` in a thread; on an error, the result of `instead` with a note."""
    try:
        return await asyncio.to_thread(work)
    except (StoreError, ModelError) as error:
        return instead((_note_error(error),))


def _note_error(error: ForagerError) -> str:
    return f"The run continues without memory. {error}"
