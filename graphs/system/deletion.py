"""Deletes a session, and on demand all text that only it brought into the data folder."""

import asyncio
import shutil
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from typing import Final, NamedTuple

from forager.adapters.search.page_index import PageIndex
from forager.adapters.store.blob_store import BlobStore
from forager.adapters.store.leases import hold_lease
from forager.adapters.store.recipe_store import Recipes
from forager.adapters.store.references import read_references, scrub_place
from forager.adapters.store.sessions.session_store import SessionStore
from forager.adapters.store.shared_crawls import open_crawls
from forager.adapters.web.crawl.site_indexes import delete_indexes
from forager.adapters.web.web_database import PageCache, WebDatabase, host_of
from forager.data_folder import DOWNLOADS
from forager.domain.state import Question
from forager.errors import DamagedError, StoreError
from forager.settings import Settings
from forager.util.place import Tables
from graphs.learning.admin import open_memory
from graphs.reports.stored_pages import open_blobs
from graphs.sessions.service import Sessions

SCRUBBED: Final[tuple[Tables, ...]] = ("sessions", "checkpoints", "recipes", "crawls")


class Traces(NamedTuple):
    """What sessions left outside their own rows: blobs, hosts that were read, and questions."""

    blobs: frozenset[str]
    hosts: frozenset[str]
    questions: frozenset[str]


async def delete_session(sessions: Sessions, id: str, *, forget: bool) -> int:
    """Delete a session; with `forget`, what it taught and its traces too. How many items it taught.

    Raises SessionError while it runs and for another user's, and StoreError.
    """
    if forget:
        traces = await delete_and_trace(sessions, id)
        return await forget_session(sessions.context.settings, id, traces)
    await sessions.context.store_for_owner(id)
    await sessions.delete(id)
    return 0


async def refuse_running(sessions: Sessions, id: str) -> None:
    """Raise SessionError for a session that runs, and for another user's."""
    await sessions.context.store_for_owner(id)
    with hold_lease(sessions.context.leases, id):
        pass


async def delete_and_trace(sessions: Sessions, id: str) -> Traces:
    """Delete a session; its traces are left, for `forget_session`.

    Where no session runs, so are all blobs without a name, as a run that was killed leaves them.
    Raises SessionError while it runs and for another user's, and StoreError.
    """
    settings = sessions.context.settings
    await sessions.context.store_for_owner(id)
    traces = await asyncio.to_thread(read_traces, settings, [id])
    await sessions.delete(id)
    if await runs_any(sessions):
        return traces
    return traces._replace(blobs=await asyncio.to_thread(_stored_blobs, settings))


async def runs_any(sessions: Sessions) -> bool:
    """Whether a session runs, whose newest pages have no name yet. Raises StoreError."""
    return bool(await sessions.listing.search(statuses=("running", "waiting")))


async def sweep_pages(settings: Settings) -> None:
    """Delete the blobs that nothing names. Raises StoreError."""
    stored = await asyncio.to_thread(_stored_blobs, settings)
    nothing = frozenset[str]()
    await asyncio.to_thread(remove_traces, settings, (), Traces(stored, nothing, nothing))


def _stored_blobs(settings: Settings) -> frozenset[str]:
    with open_blobs(settings) as blobs:
        return frozenset(blobs.read_sizes())


async def forget_session(settings: Settings, id: str, traces: Traces) -> int:
    """Forget what a deleted session taught, and remove its traces. How many items it taught.

    Raises StoreError.
    """
    async with open_memory(settings) as memory:
        forgotten = await memory.forget(session=id)
    await asyncio.to_thread(remove_traces, settings, [id], traces)
    return forgotten


def read_traces(settings: Settings, ids: Sequence[str]) -> Traces:
    """The traces of these sessions. Raises StoreError and NoSessionError."""
    references = read_references(settings)
    with ExitStack() as stack:
        store = stack.enter_context(closing(SessionStore(settings.place("sessions"))))
        database = stack.enter_context(closing(WebDatabase(settings.data / "web.sqlite")))
        asked = [question for id in ids for question in _questions(store, id)]
        blobs = frozenset[str]().union(*(references.get(id, frozenset()) for id in ids))
        sites = {host_of(site) for question in asked for site in question.sites}
        hosts = PageCache(database).hosts_of(blobs) | sites
    return Traces(blobs, frozenset(hosts), frozenset(question.text for question in asked))


def remove_traces(settings: Settings, ids: Sequence[str], traces: Traces) -> None:
    """Delete the traces of deleted sessions that no other session shares. Raises StoreError.

    Pages of their sites are deleted unless another session read the site, too.
    """
    data = settings.data
    try:
        with closing(SessionStore(settings.place("sessions"))) as store:
            others = [line.id for line in store.lines.find_lines()]
        kept = read_traces(settings, others)
        forget_pages(settings, traces, kept)
        for id in ids:
            shutil.rmtree(data / DOWNLOADS / id, ignore_errors=True)
        if (place := settings.place("recipes")).exists():
            with closing(Recipes(place)) as recipes:
                recipes.forget_traces(traces.questions - kept.questions, traces.hosts - kept.hosts)
        for tables in SCRUBBED:
            scrub_place(settings.place(tables))
    except StoreError as error:
        deleted = f"Deleted: {', '.join(ids)}, but traces" if ids else "Traces"
        raise StoreError(
            f"{deleted} remain. {error.what}",
            f"{error.mend} Then: forager clean",
        ) from error


def forget_pages(settings: Settings, traces: Traces, kept: Traces) -> None:
    """Delete pages of hosts that nobody else read, and blobs that nobody else names."""
    data = settings.data
    with ExitStack() as stack:
        database = stack.enter_context(closing(WebDatabase(data / "web.sqlite")))
        blobs = stack.enter_context(open_blobs(settings))
        cache = PageCache(database)
        hosts = traces.hosts - kept.hosts
        gone = cache.forget_hosts(hosts)
        with closing(open_crawls(settings)) as crawls:
            crawls.forget(lambda name: host_of(name if "://" in name else f"//{name}") in hosts)
        blobs.delete_blobs((traces.blobs | gone.blobs) - kept.blobs - cache.named_blobs())
        database.shrink()
        for site in gone.sites:
            delete_indexes(data / "index", site)
        _scrub_index(settings, blobs)


def _scrub_index(settings: Settings, blobs: BlobStore) -> None:
    with closing(PageIndex(settings.data, blobs)) as index:
        index.scrub()


def _questions(store: SessionStore, id: str) -> tuple[Question, ...]:
    """The questions of all turns of a session; none of one that is damaged."""
    with suppress(DamagedError):
        return (store.get(id).question, *(turn.question for turn in store.list_turns(id)))
    return ()
