"""The files of a data folder, opened when a verb first needs them."""

import asyncio
import re
import secrets
import time
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, AsyncExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

from forager.adapters.browser.process.cookie_jar import Jar
from forager.adapters.store.checkpoints.lineage import Lineage
from forager.adapters.store.checkpoints.saver import Checkpoints, open_checkpoints
from forager.adapters.store.leases import held
from forager.adapters.store.sessions.session_store import SessionStore, thread
from forager.node_type import Registry
from forager.settings import Settings
from graphs.runtime.branches import JoiningState
from graphs.runtime.composition import OpenPorts
from graphs.spec.library import open_library
from graphs.spec.plugins import registry
from graphs.spec.spec import GraphSpec

SESSION_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
OpenAdapters = Callable[[Settings], AbstractContextManager[OpenPorts]]
"""Opens what the runs of one process share."""


def new_session_id() -> str:
    """An id that no session has: the day and a number drawn."""
    return f"{time.strftime('%m%d')}-{secrets.token_hex(5)}"


@dataclass(kw_only=True)
class SessionContext:
    """What the verbs of a face stand on."""

    settings: Settings
    open_doors: OpenAdapters
    stack: AsyncExitStack
    types: Registry | None = None
    coming: Collection[str] = ()
    """The sessions whose run is about to begin in this process."""
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    _store: SessionStore | None = None
    _checkpoints: Checkpoints | None = None
    _doors: OpenPorts | None = None

    @property
    def registry(self) -> Registry:
        """The node types: those that were given, or those that the settings name."""
        return registry(self.settings) if self.types is None else self.types

    async def resolved(self, graph: str | GraphSpec) -> GraphSpec:
        """A graph, also by the name of a preset, a saved graph or a file. Raises GraphError."""
        if isinstance(graph, GraphSpec):
            return graph
        return await asyncio.to_thread(open_library(self.settings).resolve, graph)

    @property
    def _leases(self) -> Path:
        return self.settings.data / "leases"

    def _runs(self, id: str) -> bool:
        return id in self.coming or held(self._leases, id)

    async def _sessions(self) -> SessionStore:
        async with self._opening:
            if self._store is None:
                path = self.settings.data / "sessions.sqlite"
                self._store = await asyncio.to_thread(SessionStore, path)
                self.stack.enter_context(closing(self._store))
            return self._store

    async def _own(self, id: str) -> SessionStore:
        """The store, for a session of the settings' user. Raises SessionError for any other."""
        store = await self._sessions()
        await asyncio.to_thread(store.get, id)
        await asyncio.to_thread(store.remembered.refuse_other, id, self.settings.user)
        return store

    async def _states(self) -> Checkpoints:
        async with self._opening:
            if self._checkpoints is None:
                path = self.settings.data / "checkpoints.sqlite"
                self._checkpoints = await self.stack.enter_async_context(
                    open_checkpoints(path, JoiningState)
                )
            return self._checkpoints

    async def _ports(self) -> OpenPorts:
        async with self._opening:
            if self._doors is None:
                self._doors = self.stack.enter_context(self.open_doors(self.settings))
            return self._doors

    async def renew(self, settings: Settings) -> None:
        """What is begun from now on has these settings; the data folder stays the same."""
        async with self._opening:
            self.settings = settings.model_copy(update={"data": self.settings.data})
            self._doors = None

    async def _forget(self, id: str, turns: int) -> None:
        """Let go of a session and all that it has."""
        store, states = await self._sessions(), await self._states()
        for number in range(1, turns + 1):
            await states.adelete_thread(thread(id, number))
        await Jar(self.settings, id).forget()
        await asyncio.to_thread(store.delete, id)

    async def _lineage(self) -> Lineage:
        return Lineage(await self._states())
