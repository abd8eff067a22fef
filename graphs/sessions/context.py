"""The files of a data folder, opened when they are first needed."""

import asyncio
import logging
import re
import secrets
import time
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import (
    AbstractContextManager,
    AsyncExitStack,
    ExitStack,
    asynccontextmanager,
    closing,
    suppress,
)
from dataclasses import dataclass, field
from typing import Final

from forager.adapters.browser.process.cookie_jar import CookieJar
from forager.adapters.store.checkpoints.lineage import Lineage
from forager.adapters.store.checkpoints.saver import Checkpoints, open_checkpoints
from forager.adapters.store.leases import hold_lease, is_taken
from forager.adapters.store.sessions.session_records import session_of
from forager.adapters.store.sessions.session_store import Session, SessionStore
from forager.adapters.store.webhook_queue import WebhookQueue
from forager.adapters.web.secrets import read_secrets
from forager.budget import Allowance
from forager.domain.state import State
from forager.errors import SessionError, StoreError
from forager.node_type import Registry
from forager.settings import Settings
from forager.util.place import Place
from graphs.runtime.branches import JoiningState
from graphs.runtime.composition import OpenPorts
from graphs.runtime.state_reader import read_state
from graphs.sessions.webhooks import LAST_SECONDS, LOOK_SECONDS, Webhooks
from graphs.spec.library import open_library
from graphs.spec.plugins import load_registry
from graphs.spec.spec import GraphSpec, load_graph

LOG = logging.getLogger(__name__)
SESSION_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
MAKING: Final = "-imports"
"""The lease of whoever makes a session from another one or from a file; no session has this ID."""
PAUSE_SECONDS = 0.05
OpenAdapters = Callable[[Settings], AbstractContextManager[OpenPorts]]
"""Opens the adapters that all runs of a process share."""


def new_session_id() -> str:
    """An unused session ID: the month and day, and a random number."""
    return f"{time.strftime('%m%d')}-{secrets.token_hex(5)}"


def choose_session_id(id: str | None) -> str:
    """The ID, which is a part of file names, or a new one. Raises SessionError for no ID."""
    if id is not None and not SESSION_ID.fullmatch(id):
        raise SessionError(
            f"{id!r} is not a session ID.",
            "Use at most 64 letters, digits, dots, underscores and hyphens.",
        )
    return id or new_session_id()


@dataclass(kw_only=True)
class SessionContext:
    """What every part of the sessions service works on: settings, stores and adapters.

    `types` are the node types, unless the settings decide. `starting` holds the sessions whose run
    is about to start in this process. `stack` closes what was opened. `admit` refuses to start a
    session, `allowance` limits what models may cost, where somebody sees to that.
    """

    settings: Settings
    open_adapters: OpenAdapters
    stack: AsyncExitStack
    types: Registry | None = None
    starting: Collection[str] = ()
    admit: Callable[[], None] = lambda: None
    allowance: Allowance | None = None
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    _store: SessionStore | None = None
    _checkpoints: Checkpoints | None = None
    _open_ports: OpenPorts | None = None

    @property
    def registry(self) -> Registry:
        """The node types that were given, or else those that the settings name."""
        return load_registry(self.settings) if self.types is None else self.types

    @property
    def webhooks(self) -> Webhooks:
        """Tells other programs, as the present settings say."""
        return Webhooks(self.settings)

    @asynccontextmanager
    async def sending_webhooks(self) -> AsyncIterator[None]:
        """Send what becomes due to webhooks, as the settings then say, during the body."""
        sending = asyncio.create_task(self._send_webhooks())
        try:
            yield
        finally:
            sending.cancel()
            with suppress(StoreError, TimeoutError):
                async with asyncio.timeout(LAST_SECONDS):
                    await self.webhooks.send_due()

    async def _send_webhooks(self) -> None:
        while True:
            try:
                await self.webhooks.send_due()
            except StoreError as error:
                LOG.error("webhooks: %s", error)
            await asyncio.sleep(LOOK_SECONDS)

    @property
    def leases(self) -> Place:
        """Where the locks on running sessions are."""
        return self.settings.leases

    def is_running(self, id: str) -> bool:
        """Whether the session runs, or is about to, in this or another process."""
        return id in self.starting or is_taken(self.leases, id)

    async def store(self) -> SessionStore:
        """The session database. Raises StoreError."""
        async with self._opening:
            if self._store is None:
                place = self.settings.place("sessions")
                self._store = await asyncio.to_thread(SessionStore, place)
                self.stack.enter_context(closing(self._store))
            return self._store

    async def store_for_owner(self, id: str) -> SessionStore:
        """The session database, if the session belongs to the settings' user.

        Raises SessionError for an unknown session and for another user's.
        """
        store = await self.store()
        await asyncio.to_thread(store.count_turns, id)
        await asyncio.to_thread(store.remembered.refuse_other, id, self.settings.user)
        return store

    async def checkpoints(self) -> Checkpoints:
        """The checkpoint database. Raises StoreError."""
        async with self._opening:
            if self._checkpoints is None:
                place = self.settings.place("checkpoints")
                self._checkpoints = await self.stack.enter_async_context(
                    open_checkpoints(place, JoiningState)
                )
            return self._checkpoints

    async def lineage(self) -> Lineage:
        """The checkpoints as lines that can be followed and edited."""
        return Lineage(await self.checkpoints())

    async def ports(self) -> OpenPorts:
        """Opens the ports of a run, on adapters that all runs of this process share."""
        async with self._opening:
            if self._open_ports is None:
                self._open_ports = self.stack.enter_context(self.open_adapters(self.settings))
            return self._open_ports

    async def get_session(self, id: str) -> Session:
        """The session as stored. Raises SessionError when there is none."""
        return await asyncio.to_thread((await self.store()).get, id)

    async def read_state(self, id: str) -> State:
        """The present state of the session's turn. Raises SessionError."""
        store = await self.store()
        session, past = await asyncio.to_thread(lambda: (store.get(id), store.list_turns(id)))
        return await read_state(await self.checkpoints(), session.thread, session.question, past)

    async def check_secrets(self) -> None:
        """Raise UsageError if there are secrets that cannot be used."""
        if path := self.settings.secrets:
            await asyncio.to_thread(read_secrets, path)

    async def resolve_graph(self, graph: str | GraphSpec) -> GraphSpec:
        """A graph, or the preset, saved graph or file of this name. Raises GraphError."""
        if isinstance(graph, GraphSpec):
            return graph
        return await asyncio.to_thread(load_graph, graph, self._find_saved)

    def _find_saved(self, reference: str) -> GraphSpec | None:
        return open_library(self.settings).find(reference, files=True)

    async def change_settings(self, settings: Settings) -> None:
        """Use these settings for what starts from now on; where things are kept stays the same."""
        async with self._opening:
            fixed = {"data": self.settings.data, "database_url": self.settings.database_url}
            self.settings = settings.model_copy(update=fixed)
            self._open_ports = None

    @asynccontextmanager
    async def making(self) -> AsyncIterator[None]:
        """Whoever makes a session that has steps from its beginning is alone in the body.

        Its steps are stored before its row, so that none is there by half; a process that is killed
        in between leaves steps without a session. Another one could take the same ID meanwhile.
        """
        with ExitStack() as held:
            while True:
                with suppress(SessionError):
                    held.enter_context(hold_lease(self.leases, MAKING, attempts=1))
                    break
                await asyncio.sleep(PAUSE_SECONDS)
            yield

    async def delete_session(self, id: str) -> None:
        """Delete a session with its checkpoints and cookies.

        Its row goes first: no session is there by half, wherever that ends. Steps that are left
        are removed by `clean`, or when a session takes the ID.
        """
        store = await self.store()
        await asyncio.to_thread(store.delete, id)
        await asyncio.to_thread(WebhookQueue(self.settings.place("webhooks")).forget_session, id)
        await self.delete_threads(id)

    async def drop_leftovers(self, id: str) -> None:
        """Delete the steps that a killed process left of this ID, before a session takes it.

        Raises SessionError if there is a session with the ID.
        """
        checkpoints, store = await self.checkpoints(), await self.store()
        if id in map(session_of, await checkpoints.list_threads()):
            async with self.making():
                await asyncio.to_thread(store.refuse_taken, id)
                await self.delete_threads(id)

    async def delete_threads(self, id: str) -> None:
        """Delete the checkpoints of all turns under an ID, and its cookies."""
        checkpoints = await self.checkpoints()
        for thread in await checkpoints.list_threads():
            if session_of(thread) == id:
                await checkpoints.adelete_thread(thread)
        await CookieJar(self.settings, id).forget()
