"""TCP connections for the HTTP client, to guarded addresses alone."""

import select
import socket
import ssl
from collections.abc import Iterable
from typing import Any

import httpcore

from forager.web.guard import Guard


class GuardedNetwork(httpcore.AsyncNetworkBackend):
    """Connects to the very address that was checked, so that a second look-up cannot change it."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._network = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A stream to the first of the host's addresses that answers."""
        *others, last = await self._guard.resolve(host, port)
        options = (port, timeout, local_address, socket_options)
        for address in others:
            try:
                return _Stream(await self._network.connect_tcp(address, *options))
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return _Stream(await self._network.connect_tcp(last, *options))

    async def sleep(self, seconds: float) -> None:
        """Pause, in the manner of this backend."""
        await self._network.sleep(seconds)


class _Stream(httpcore.AsyncNetworkStream):
    """A stream that keeps its socket at hand: the pool asks each one for it at every request."""

    def __init__(self, stream: httpcore.AsyncNetworkStream) -> None:
        self._stream = stream
        self._socket: socket.socket | None = stream.get_extra_info("socket")

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return await self._stream.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.AsyncNetworkStream:
        return _Stream(await self._stream.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable" and self._socket is not None:
            return _readable(self._socket)
        return self._stream.get_extra_info(info)


def _readable(connection: socket.socket) -> bool:
    """Has the other side sent something, or closed?"""
    if connection.fileno() < 0:
        return True
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    return bool(poll.poll(0))
