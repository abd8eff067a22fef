"""Leases on a PostgreSQL server: advisory locks of one connection, which end with its process."""

import logging
import threading
from functools import cache

from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from forager.adapters.store.server import (
    CONNECTING,
    TRY_LOCK,
    UNLOCK,
    connected,
    lock_number,
    open_patiently,
    server_address,
    server_error,
)
from forager.errors import StoreError
from forager.util.place import Server

LOG = logging.getLogger(__name__)
LOOK_SECONDS = 2.0
"""How often the connection is looked at: a server that starts anew has forgotten the locks."""
IS_LOCKED = text(
    "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1 "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
    "AND (classid::bigint << 32) | objid::bigint = :key"
)


class ServerLeases:
    """The leases that this process holds on a server; safe for threads."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._guard = threading.Lock()
        self._held: set[str] = set()
        self._lost: set[str] = set()
        self._connection: Connection | None = None

    def take(self, id: str) -> bool:
        """Take the lease of a session; False if this or another process holds it.

        A server that starts anew is waited for. Raises StoreError.
        """
        with self._guard:
            if id in self._held:
                return False
            if not self._is_connected():
                self._connection = open_patiently(self._server, _lease_engine(self._server))
            if not self._lock(id):
                return False
            if not self._held:
                threading.Thread(target=self._keep, name="leases", daemon=True).start()
            self._held.add(id)
            return True

    def release(self, id: str) -> None:
        """Give a lease back; with the last one the connection is closed."""
        with self._guard:
            self._held.discard(id)
            self._lost.discard(id)
            if self._connection is None:
                return
            try:
                self._connection.execute(UNLOCK, {"key": self._key(id)})
            except DBAPIError:
                self._drop_connection()  # the lock went with it
            if not self._held:
                self._drop_connection()

    def is_held(self, id: str) -> bool:
        """Whether this process or another holds the lease. Raises StoreError."""
        if id in self._held:
            return True
        try:
            with connected(self._server) as db:
                return db.execute(IS_LOCKED, {"key": self._key(id)}).first() is not None
        except DBAPIError as error:
            raise server_error(error, self._server) from error

    def _lock(self, id: str) -> bool:
        try:
            if self._connection is None:
                self._connection = _lease_engine(self._server).connect()
            return bool(self._connection.execute(TRY_LOCK, {"key": self._key(id)}).scalar())
        except DBAPIError as error:
            self._drop_connection()
            raise server_error(error, self._server) from error

    def _key(self, id: str) -> int:
        """The number of a lease; sessions of two spaces on one server may have the same ID."""
        space = server_address(self._server).query.get("options", "")
        return lock_number(f"forager lease {id} {space}".strip())

    def _drop_connection(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _keep(self) -> None:
        """Take the leases anew where the connection broke, until none is held."""
        pause = threading.Event()
        while not pause.wait(LOOK_SECONDS):
            with self._guard:
                if not self._held:
                    return
                if not self._is_connected():
                    self._take_again()

    def _is_connected(self) -> bool:
        try:
            return self._connection is not None and bool(
                self._connection.execute(text("SELECT 1")).scalar()
            )
        except DBAPIError:
            self._drop_connection()
            return False

    def _take_again(self) -> None:
        for id in self._held - self._lost:
            try:
                taken = self._lock(id)
            except StoreError as error:
                LOG.warning("leases: %s", error)
                return  # tried again at the next look
            if not taken:
                self._lost.add(id)
                LOG.error("session %s is run by another process, too: stop one of them", id)


def _lease_engine(server: Server) -> Engine:
    """Connections that are not shared, since a lock is of its connection."""
    return create_engine(
        server_address(server),
        poolclass=NullPool,
        isolation_level="AUTOCOMMIT",
        connect_args=CONNECTING,
    )


@cache
def leases_on(server: Server) -> ServerLeases:
    """The leases of this process on a server."""
    return ServerLeases(server)
