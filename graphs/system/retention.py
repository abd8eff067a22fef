"""How long sessions are kept, and how much space pages may take."""

import asyncio
import time
from collections import Counter
from contextlib import ExitStack, closing

from forager.adapters.browser.process.cookie_jar import CookieJar
from forager.adapters.store.blob_store import has_blobs
from forager.adapters.store.references import read_references
from forager.adapters.store.sessions.session_records import session_of
from forager.adapters.web.web_database import PageCache, WebDatabase
from forager.domain.base import Frozen
from forager.errors import SessionError
from forager.settings import Settings
from graphs.learning.admin import open_memory
from graphs.reports.stored_pages import open_blobs
from graphs.sessions.context import SessionContext
from graphs.sessions.service import Sessions
from graphs.system.deletion import (
    Traces,
    forget_pages,
    read_traces,
    remove_traces,
    runs_any,
    sweep_pages,
)

DAY = 24 * 3600.0
MEGA = 1_000_000
EVICT_TO = 0.9
"""A full store is emptied to this share of its limit, so that the next page does not fill it."""


class Cleaned(Frozen):
    """The sessions that were deleted, and the sites whose stored pages were."""

    sessions: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()


async def clean_data(sessions: Sessions, days: float, *, keep_pinned: bool = True) -> Cleaned:
    """Delete sessions that did not change for `days` (0: none), and pages beyond the limit.

    What the sessions taught and read goes with them. Those that run, and those of other users,
    stay; while one runs, so do all pages. Raises StoreError.
    """
    settings = sessions.context.settings
    deleted = await _delete_old(sessions, days, keep_pinned=keep_pinned) if days else ()
    if await runs_any(sessions):  # what it reads has no name yet
        return Cleaned(sessions=deleted)
    return Cleaned(sessions=deleted, sites=await asyncio.to_thread(evict_pages, settings))


async def sweep_leftovers(sessions: Sessions) -> None:
    """Delete steps without a session and blobs that nothing names, and rewrite the files.

    A process that was killed while it made a session leaves its steps. Nothing is done while a
    session runs: its newest pages have no name yet. Raises StoreError.
    """
    if not await runs_any(sessions):
        await _sweep_steps(sessions.context)
        await sweep_pages(sessions.context.settings)


async def _sweep_steps(context: SessionContext) -> None:
    store, checkpoints = await context.store(), await context.checkpoints()
    async with context.making():
        known = {line.id for line in await asyncio.to_thread(store.lines.find_lines)}
        for thread in await checkpoints.list_threads():
            if session_of(thread) not in known:
                await checkpoints.adelete_thread(thread)
                await CookieJar(context.settings, session_of(thread)).forget()


async def clean_as_set(sessions: Sessions) -> Cleaned:
    """Delete what the settings let go, if they name an age or a limit. Raises StoreError."""
    settings = sessions.context.settings
    if not (settings.keep_days or settings.cache_megabytes):
        return Cleaned()
    return await clean_data(sessions, settings.keep_days)


def evict_pages(settings: Settings) -> tuple[str, ...]:
    """Delete the pages of the sites not used for longest, until the rest fits; those sites.

    What a session names stays. Raises StoreError.
    """
    limit = settings.cache_megabytes * MEGA
    if not limit or not has_blobs(settings):
        return ()
    named = frozenset[str]().union(*read_references(settings).values())
    with ExitStack() as stack:
        blobs = stack.enter_context(open_blobs(settings))
        database = stack.enter_context(closing(WebDatabase(settings.data / "web.sqlite")))
        cache, sizes = PageCache(database), blobs.read_sizes()
        total, gone = sum(sizes.values()), list[str]()
        if total <= limit:
            return ()
        by_host = cache.blobs_by_host()
        owners = Counter(blob for blobs in by_host.values() for blob in blobs - named)
        for host in cache.hosts_by_use():
            if total <= limit * EVICT_TO:
                break
            own = by_host.get(host, frozenset()) - named
            owners.subtract(own)
            total -= sum(sizes.get(blob, 0) for blob in own if not owners[blob])
            gone.append(host)
    nothing = frozenset[str]()
    forget_pages(
        settings, Traces(nothing, frozenset(gone), nothing), Traces(named, nothing, nothing)
    )
    return tuple(gone)


async def _delete_old(sessions: Sessions, days: float, *, keep_pinned: bool) -> tuple[str, ...]:
    settings, oldest = sessions.context.settings, time.time() - days * DAY
    found = [
        item.line.id
        for item in await sessions.listing.search()
        if item.line.changed < oldest
        and not (item.line.pinned and keep_pinned)
        and item.status not in {"running", "waiting", "damaged"}
    ]
    traces = await asyncio.to_thread(read_traces, settings, found)
    deleted = [id for id in found if await _delete(sessions, id)]
    if deleted:
        async with open_memory(settings) as memory:
            for id in deleted:
                await memory.forget(session=id)
        await asyncio.to_thread(remove_traces, settings, deleted, traces)
    return tuple(deleted)


async def _delete(sessions: Sessions, id: str) -> bool:
    """Delete a session unless it began to run, or is another user's; whether it is deleted."""
    try:
        await sessions.delete(id)
    except SessionError:
        return False
    return True
