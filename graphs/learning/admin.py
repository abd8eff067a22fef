"""The memory as a user sees it: list it, search it, forget items, rebuild it from the sessions."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from typing import Literal

from forager.adapters.memory.embeddings.embedder import closing_embedder
from forager.adapters.memory.memory_port import ChromaMemory
from forager.adapters.store.blob_store import open_blob_store
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
    """An item of the memory: an attempt (`episode`) or a step (`snippet`).

    `asked` is the question it was learned from; `told` what was done or learned, perhaps in words
    of a page; `time` in seconds since the epoch; `likeness` the similarity to the search text.
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
        """All items, or those of one site, newest first."""
        return tuple(_memory_item(each) for each in await self.memory.list(site))

    async def uses(self) -> dict[str, tuple[str, ...]]:
        """The sessions that recalled an item, by the item's ID, newest first."""
        return await asyncio.to_thread(self.keeper.store.remembered.list_uses)

    async def search(self, text: str) -> tuple[MemoryItem, ...]:
        """The items most similar to a text, best first. Raises UsageError for an empty text."""
        if not text.strip():
            raise UsageError("The search text is empty.", "Write a question, or words of one.")
        found = await self.memory.search(text)
        items = [_memory_item(each, like) for each, like in found.episodes]
        items += [_memory_item(each, like) for each, like in found.snippets]
        return tuple(sorted(items, key=lambda item: -(item.likeness or 0.0)))

    async def forget(
        self, ids: Sequence[str] = (), site: str = "", session: str = "", *, all: bool = False
    ) -> int:
        """Forget these ids, a site, a session or all, for good; how many items that were.

        Forgotten items do not come back when the memory is rebuilt. Raises UsageError when nothing
        is named and when all is named beside a part, SessionError for another user's session.
        """
        if not (any(ids) or site or session or all):
            raise UsageError(
                "Nothing to forget is named.", "Name an id, a site, a session, or all."
            )
        if all and (ids or site or session):
            raise UsageError(
                "All is named, and a part of it too.",
                "Name only the part to keep the rest, or only all.",
            )
        remembered = self.keeper.store.remembered
        await asyncio.to_thread(remembered.refuse_other, session, self.keeper.user)
        kept = await self.memory.list()
        on_site = {each.id for each in await self.memory.list(site)} if site else set[str]()
        wanted = on_site.union(ids)
        gone = [each.id for each in kept if all or each.id in wanted or each.session == session]
        await asyncio.to_thread(remembered.forget_items, gone)
        await self.memory.forget(ids, site, session, all=all)
        await self.memory.purge(gone)
        if all or session:
            await asyncio.to_thread(
                remembered.never_learn, None if all else [session], self.keeper.user
            )
        return len(gone)

    async def rebuild(self, progress: Progress = ignore_progress) -> LearningResult:
        """Clear the memory and learn again from all sessions that may be learned from."""
        await self.memory.clear()
        return await self.keeper.catch_up(progress=progress)


@asynccontextmanager
async def open_memory(settings: Settings) -> AsyncIterator[MemoryAdmin]:
    """The memory in the settings' data folder or on their Chroma server. Raises StoreError."""
    async with AsyncExitStack() as stack:
        embedder = stack.enter_context(closing_embedder(settings))
        store = await asyncio.to_thread(SessionStore, settings.place("sessions"))
        stack.enter_context(closing(store))
        blobs = stack.enter_context(open_blob_store(settings))
        checkpoints = open_checkpoints(settings.place("checkpoints"), JoiningState)
        memory = stack.enter_context(open_chroma_memory(settings, embedder))
        keeper = Keeper(
            memory=memory,
            blobs=blobs,
            embedder=embedder,
            store=store,
            checkpoints=await stack.enter_async_context(checkpoints),
            leases=settings.leases,
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
