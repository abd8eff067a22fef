"""One HTTP request within limits, by a shared client; network faults are translated to WebErrors.

The client speaks HTTP/2, keeps connections, and checks every address.
"""

import asyncio
import select
import socket
import ssl
import sys
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Any

import httpcore2
import httpx2

from forager.adapters.web.fetch.address_guard import AddressGuard
from forager.domain import urls
from forager.domain.actions import ApiRequest
from forager.errors import AddressError, ConnectError, ContentError, TransferError, WebError
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


AcceptsType = Callable[[str], bool]
MAX_DRAINED = 65_536
REDIRECTS = frozenset({301, 302, 303, 307, 308})
MEND_LIMIT = "Raise FORAGER_MAX_BYTES to accept it."


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """Status, headers (names in lower case) and decompressed body, empty if it was not read."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def accept_any_type(_: str) -> bool:
    """Accept every content type."""
    return True


class BrokenConnectionError(ConnectError):
    """The connection broke during the exchange; a retry may succeed."""


async def send_request(
    client: httpx2.AsyncClient,
    request: ApiRequest,
    settings: Settings,
    accepts: AcceptsType = accept_any_type,
) -> HttpResponse:
    """Send a request; the body is read only for a success and accepted types. Raises WebError."""
    url = request.url
    async with (
        translate_errors(url, settings.request_seconds),
        client.stream(
            request.method, url, headers=request.headers, content=request.body or None
        ) as response,
    ):
        body = b""
        if response.is_success:
            _check_type(response, url, accepts)
            body = await read_body(response, url, settings.max_bytes)
        elif int(response.headers.get("content-length") or MAX_DRAINED) < MAX_DRAINED:
            await _drain_body(response)  # so that the connection can serve the next request
        return HttpResponse(response.status_code, dict(response.headers), body)


async def follow_redirects(
    url: str, asking: Callable[[str], Awaitable[HttpResponse]], hops: int
) -> HttpResponse:
    """Send requests until there is no redirect; 404 after more than `hops` redirects."""
    for _ in range(hops + 1):
        answer = await asking(url)
        target = urls.resolve_link(url, answer.headers.get("location", ""))
        if answer.status not in REDIRECTS or not target:
            return answer
        url = target
    return HttpResponse(HTTPStatus.NOT_FOUND, {}, b"")


@asynccontextmanager
async def translate_errors(url: str, seconds: float) -> AsyncIterator[None]:
    """Limit the time of a request to a URL, and raise its network faults as WebErrors."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except (TimeoutError, httpcore2.TimeoutException) as error:
        raise ConnectError(
            f"{url} did not answer within {seconds:g} s.",
            "Try again later or raise FORAGER_REQUEST_SECONDS.",
        ) from error
    except httpcore2.ConnectError as error:
        raise _connection_error(url, error) from error
    except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
        reason = str(error) or "closed early"
        raise BrokenConnectionError(
            f"The connection to {url} broke: {reason}.", "Try again."
        ) from error
    except (httpcore2.UnsupportedProtocol, httpx2.InvalidURL, httpx2.RequestError) as error:
        raise AddressError(f"{url} cannot be requested: {error}.", "Check the address.") from error


def _connection_error(url: str, error: httpcore2.ConnectError) -> WebError:
    host = httpx2.URL(url).netloc.decode("ascii")
    reason = error.args[0] if error.args else None  # the pool drops __cause__
    if isinstance(reason, ssl.SSLCertVerificationError):
        why = reason.verify_message.rstrip(".")
        return ConnectError(f"{host} has no valid certificate: {why}.", "Check the address.")
    if isinstance(reason, ssl.SSLError):
        return ConnectError(f"{host} does not speak TLS.", "Try the address with http://.")
    if url.startswith("https:"):
        return ConnectError(
            f"{host} refused the connection over https.",
            f"Check that the site is up; if it speaks http, write http://{host}/.",
        )
    return ConnectError(f"{host} refused the connection.", "Check that the site is up.")


def _check_type(response: httpx2.Response, url: str, accepts: AcceptsType) -> None:
    kind = response.headers.get("content-type", "")
    if not accepts(kind):
        shown = kind.partition(";")[0].strip()[:60]
        raise ContentError(f"{url} is {shown}, which holds no readable text.")


async def _drain_body(response: httpx2.Response) -> None:
    async for _ in response.aiter_raw():
        pass


async def read_body(response: httpx2.Response, url: str, max_bytes: int) -> bytes:
    """Read a body of at most `max_bytes`, both compressed and decompressed.

    Raises TransferError.
    """
    too_large = TransferError(f"{url} is larger than {max_bytes:,} bytes.", MEND_LIMIT)
    if int(response.headers.get("content-length") or 0) > max_bytes:
        raise too_large
    parts = _BodyDecoder(response.headers.get("content-encoding", ""), url, max_bytes)
    received = 0
    async for part in response.aiter_raw():
        received += len(part)
        if received > max_bytes:
            raise too_large
        parts.add_part(part)
    return parts.join_parts()


class _BodyDecoder:
    """Decompresses a body part by part, up to a limit."""

    def __init__(self, encoding: str, url: str, limit: int) -> None:
        encoding = encoding.strip().lower()
        self._url = url
        self._room = limit
        self._parts: list[bytes] = []
        self._deflate = encoding == "deflate"
        self._inflate = zlib.decompressobj(zlib.MAX_WBITS | 32) if encoding else None
        if encoding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise TransferError(f"{url} is compressed as {encoding[:40]}, which was not requested.")
        if encoding == "identity":
            self._inflate = None

    def add_part(self, part: bytes) -> None:
        """Add a part. Raises TransferError if the body is too large or damaged."""
        part = self._decompress(part)
        self._room -= len(part)
        if self._room < 0:
            raise TransferError(
                f"{self._url} decompresses to more than the size limit.", MEND_LIMIT
            )
        self._parts.append(part)

    def _decompress(self, part: bytes) -> bytes:
        if self._inflate is None:
            return part
        try:
            return self._inflate.decompress(part, self._room + 1)
        except zlib.error as error:
            if self._deflate and not self._parts:  # some servers send deflate without its header
                self._deflate, self._inflate = False, zlib.decompressobj(-zlib.MAX_WBITS)
                return self._decompress(part)
            raise TransferError(
                f"{self._url} is not compressed as its header says: {error}."
            ) from error

    def join_parts(self) -> bytes:
        """Return the whole body. Raises TransferError if its end is missing."""
        if self._inflate is not None and self._parts and not self._inflate.eof:
            raise TransferError(f"{self._url} broke off before its end.", "Try again.")
        return b"".join(self._parts)
