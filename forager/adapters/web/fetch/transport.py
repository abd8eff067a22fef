"""The shared HTTP client: HTTP/2, persistent connections, and every address checked."""

import select
import socket
import ssl
import sys
from collections.abc import AsyncIterator, Iterable
from functools import cache
from typing import Any

import httpcore2
import httpx2

from forager.adapters.web.fetch.address_guard import AddressGuard
from forager.settings import Settings


class GuardedNetwork(httpcore2.AsyncNetworkBackend):
    """Connects to the checked address, so that a second DNS lookup cannot change it."""

    def __init__(self, guard: AddressGuard) -> None:
        self._guard = guard
        self._network = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to the first of the host's addresses that answers."""
        *others, last = await self._guard.resolve(host, port)
        options = (port, timeout, local_address, socket_options)
        for address in others:
            try:
                return _Stream(await self._network.connect_tcp(address, *options))
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return _Stream(await self._network.connect_tcp(last, *options))

    async def sleep(self, seconds: float) -> None:
        """Sleep in this backend."""
        await self._network.sleep(seconds)


class _Stream(httpcore2.AsyncNetworkStream):
    """A stream that stores its socket, because the pool needs it at every request."""

    def __init__(self, stream: httpcore2.AsyncNetworkStream) -> None:
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
    ) -> httpcore2.AsyncNetworkStream:
        return _Stream(await self._stream.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable" and self._socket is not None:
            return _has_input(self._socket)
        return self._stream.get_extra_info(info)


def _has_input(connection: socket.socket) -> bool:
    """Has the peer sent data or closed the connection?"""
    if connection.fileno() < 0:
        return True
    if sys.platform == "win32":
        return bool(select.select([connection], [], [], 0)[0])
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    return bool(poll.poll(0))


CONNECTIONS = 64
IDLE_SECONDS = 15.0


@cache
def _tls_context() -> ssl.SSLContext:
    """The system's certificates, loaded once: loading takes longer than most requests."""
    return ssl.create_default_context()


class _ResponseBody(httpx2.AsyncByteStream):
    def __init__(self, response: httpcore2.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._response.aiter_stream():
            yield part

    async def aclose(self) -> None:
        await self._response.aclose()


class GuardedTransport(httpx2.AsyncBaseTransport):
    """An httpx2 transport with guarded connections; it raises httpcore2's exceptions."""

    def __init__(self, guard: AddressGuard, http2: bool = True) -> None:
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=_tls_context(),
            max_connections=CONNECTIONS,
            max_keepalive_connections=CONNECTIONS,
            keepalive_expiry=IDLE_SECONDS,
            http1=True,
            http2=http2,
            network_backend=GuardedNetwork(guard),
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request."""
        url = request.url
        response = await self._pool.handle_async_request(
            httpcore2.Request(
                method=request.method,
                url=httpcore2.URL(
                    scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
                ),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        return httpx2.Response(
            response.status,
            headers=response.headers,
            stream=_ResponseBody(response),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        """Close every connection."""
        await self._pool.aclose()


def open_client(settings: Settings, guard: AddressGuard) -> httpx2.AsyncClient:
    """Open a client that follows no redirects and ignores the environment's proxy settings."""
    return httpx2.AsyncClient(
        transport=GuardedTransport(guard),
        headers={
            "User-Agent": settings.user_agent,
            "Accept": "text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.8",
            "Accept-Language": "en,*;q=0.5",
            "Accept-Encoding": "gzip, deflate",
        },
        timeout=httpx2.Timeout(settings.request_seconds),
        follow_redirects=False,
        trust_env=False,
    )
