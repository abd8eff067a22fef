"""What the memory holds, for the faces: listed, searched, forgotten, and restored from sessions."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from typing import Literal

from forager.adapters.memory.embeddings.embedder import open_embedder
from forager.adapters.memory.embeddings.vector_cache import CachedEmbedder
from forager.adapters.memory.memory_port import ChromaMemory
from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.store.checkpoints.saver import open_checkpoints
from forager.adapters.store.sessions.session_store import SessionStore
from forager.domain.base import Frozen
from forager.domain.experience import Episode, Snippet
from forager.errors import UsageError
from forager.settings import Settings
from graphs.learning.keeper import Keeper, LearningResult, Progress, ignore_progress
from graphs.runtime.branches import JoiningState
from graphs.runtime.composition import open_chroma_memory

__all__ = ["LearningResult", "MemoryAdmin", "MemoryItem", "open_memory"]


class MemoryItem(Frozen):
    """One thing remembered: an attempt (`episode`) or a step (`snippet`).

    `asked` is the question it was learned from, `told` what was done or learned, in words that may
    be a page's; `time` in seconds since the epoch, `likeness` to what was searched for.
    """

    id: str
    kind: Literal["episode", "snippet"]
    session: str
    turn: int
    time: float
    site: str
    url: str = ""
    asked: str
    outcome: str
    told: str
    likeness: float | None = None


@dataclass(frozen=True, kw_only=True)
class MemoryAdmin:
    """The memory of the settings' user. Every method raises StoreError."""

    memory: ChromaMemory
    keeper: Keeper

    async def list(self, site: str = "") -> tuple[MemoryItem, ...]:
        """All of it, or what was learned on one site, the newest first."""
        return tuple(_memory_item(each) for each in await self.memory.list(site))

    async def search(self, text: str) -> tuple[MemoryItem, ...]:
        """What is likest to a text, the likest first. Raises UsageError when it has no words."""
        if not text.strip():
            raise UsageError(
                "There are no words to search for.", "Write a question, or words of one."
            )
        found = await self.memory.search(text)
        items = [_memory_item(each, like) for each, like in found.episodes]
        items += [_memory_item(each, like) for each, like in found.snippets]
        return tuple(sorted(items, key=lambda item: -(item.likeness or 0.0)))

    async def forget(
        self, ids: Sequence[str] = (), site: str = "", session: str = "", *, all: bool = False
    ) -> int:
        """Let go of these ids, of a site, of a session or of all, for good; how many there were.

        It does not come back when the memory is rebuilt. Raises UsageError when nothing is named,
        when all is named beside a part, and for another user's session.
        """
        if not (any(ids) or site or session or all):
            raise UsageError(
                "Nothing is named to forget.", "Name an id, a site, a session, or all."
            )
        if all and (ids or site or session):
            raise UsageError(
                "All was named, and a part of it as well.",
                "Name the part alone to keep the rest, or all alone.",
            )
        remembered = self.keeper.store.remembered
        await asyncio.to_thread(remembered.refuse_other, session, self.keeper.user)
        kept = await self.memory.list()
        there = {each.id for each in await self.memory.list(site)} if site else set[str]()
        wanted = there.union(ids)
        gone = [each.id for each in kept if all or each.id in wanted or each.session == session]
        await asyncio.to_thread(remembered.forget, gone)
        await self.memory.forget(ids, site, session, all=all)
        if all or session:
            await asyncio.to_thread(remembered.never, None if all else [session], self.keeper.user)
        return len(gone)

    async def rebuild(self, progress: Progress = ignore_progress) -> LearningResult:
        """Begin anew, and learn from all sessions but those that were not to be learned from."""
        await self.memory.clear()
        return await self.keeper.catch_up(progress=progress)


@asynccontextmanager
async def open_memory(settings: Settings) -> AsyncIterator[MemoryAdmin]:
    """The memory in the settings' data folder or at their Chroma server. Raises StoreError."""
    async with AsyncExitStack() as stack:
        embedder = open_embedder(settings)
        if isinstance(embedder, CachedEmbedder):
            stack.callback(embedder.close)
        store = await asyncio.to_thread(SessionStore, settings.data / "sessions.sqlite")
        stack.enter_context(closing(store))
        blobs = stack.enter_context(closing(SqliteBlobs(settings.data / "blobs.sqlite")))
        states = open_checkpoints(settings.data / "checkpoints.sqlite", JoiningState)
        memory = stack.enter_context(open_chroma_memory(settings, embedder))
        keeper = Keeper(
            memory=memory,
            blobs=blobs,
            embedder=embedder,
            store=store,
            checkpoints=await stack.enter_async_context(states),
            leases=settings.data / "leases",
            user=settings.user,
        )
        yield MemoryAdmin(memory=memory, keeper=keeper)


def _memory_item(kept: Episode | Snippet, likeness: float | None = None) -> MemoryItem:
    if isinstance(kept, Episode):
        return MemoryItem(
            id=kept.id,
            kind="episode",
            session=kept.session,
            turn=kept.turn,
            time=kept.time,
            site=kept.site,
            url=kept.url,
            asked=kept.question,
            outcome=kept.outcome,
            told=kept.lesson,
            likeness=likeness,
        )
    return MemoryItem(
        id=kept.id,
        kind="snippet",
        session=kept.session,
        turn=kept.turn,
        time=kept.time,
        site=kept.moment.site,
        asked=kept.moment.instruction,
        outcome=kept.outcome,
        told=kept.told,
        likeness=likeness,
    )
