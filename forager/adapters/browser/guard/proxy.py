"""The guard proxy: everything that the browser sends goes through it.

Playwright's routes see no redirects, WebSockets or requests of workers. And since a browser
resolves names by itself, a checked name may resolve differently a moment later (DNS rebinding). The
proxy resolves each host once, has the guard check the addresses, and connects to one of them.
"""

import asyncio
import secrets
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Iterable
from contextlib import suppress
from http import HTTPStatus
from urllib.parse import urlsplit

from forager.adapters.browser.guard.http_relay import (
    CONNECTION_FAULTS,
    HOP_BY_HOP,
    MessageHead,
    Streams,
    copy_bytes,
    first_of,
    read_head,
    relay_answer,
    send_body,
)
from forager.adapters.web.fetch.address_guard import AddressGuard
from forager.errors import AddressError, ConnectError, WebError

LOGIN_URL = "http://forager.invalid/"
"""The proxy itself answers this URL; opening it teaches a context the proxy's password."""
LOOPBACK = "127.0.0.1"
IDLE_SECONDS = 300.0
CONNECT_SECONDS = 15.0
KNOWN_REFUSALS = 1000
HTTP, HTTPS = 80, 443


class GuardProxy:
    """A forward proxy for one browser, which alone knows the password."""

    def __init__(
        self,
        guard: AddressGuard,
        hosts: Iterable[str] = (),
        most_bytes: int = 0,
        host: str = LOOPBACK,
    ) -> None:
        """If `hosts` is not empty, only these hosts and their subdomains may be reached.

        A connection may receive `most_bytes` at most; 0 means no limit. The browser reaches this
        machine at `host`.
        """
        self._host = host
        self._guard = guard
        self._hosts = tuple(host.strip().lower().lstrip("*.").rstrip(".") for host in hosts)
        self._most = most_bytes
        self._server: asyncio.Server | None = None
        self._tasks: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._refused: OrderedDict[tuple[str, int], WebError] = OrderedDict()
        self.last_refusal: WebError | None = None
        self.user, self.password = "forager", secrets.token_urlsafe(24)
        given = b64encode(f"{self.user}:{self.password}".encode()).decode()
        self._credential = f"basic {given}"

    async def start(self) -> None:
        """Listen on a free port, for this machine alone unless the browser is elsewhere."""
        listen = LOOPBACK if self._host == LOOPBACK else None
        self._server = await asyncio.start_server(self._accept_client, listen, 0)

    @property
    def address(self) -> str:
        """The proxy's URL for the browser."""
        assert self._server is not None, "not started"  # noqa: S101
        return f"http://{self._host}:{self._server.sockets[0].getsockname()[1]}"

    def refusal_for(self, url: str) -> WebError | None:
        """Why the last connection to the host of a URL was refused; None if it was not."""
        try:
            host, port = _host_and_port(url)
        except ValueError:
            return None
        return self._refused.get((host, port))

    async def close(self) -> None:
        """Cut every connection."""
        if self._server is None:
            return
        self._server.close()
        for task, writer in tuple(self._tasks.items()):
            writer.transport.abort()
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()
        self._server = None

    async def _accept_client(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101
        self._tasks[task] = writer
        try:
            async with asyncio.timeout(None) as limit:
                await self._serve_client((reader, writer), limit)
        except CONNECTION_FAULTS:
            pass
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
            del self._tasks[task]

    async def _serve_client(self, client: Streams, limit: asyncio.Timeout) -> None:
        """Answer one request; one without the password may be repeated with it."""
        loop = asyncio.get_running_loop()
        while True:
            limit.reschedule(loop.time() + IDLE_SECONDS)
            head = await read_head(client[0])
            if head is None:
                return
            limit.reschedule(None)
            if head.header_value("proxy-authorization").lower() == self._credential.lower():
                break
            if head.body_length():
                return
            await _send_challenge(client[1])
        try:
            await self._forward_request(head, client)
        except WebError as error:
            await _send_refusal(client[1], error)

    async def _forward_request(self, head: MessageHead, client: Streams) -> None:
        method, target = head.method, head.target
        if target == LOGIN_URL:
            await _send_answer(client[1], HTTPStatus.OK, "")
            return
        tunnel = method == "CONNECT"
        try:
            host, port = _host_and_port(f"https://{target}" if tunnel else target)
        except ValueError as error:
            raise AddressError(f"{target[:200]!r} is not a web address.") from error
        upstream = await self._connect_to(host, port)
        try:
            if tunnel:
                client[1].write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await first_of(
                    copy_bytes(client[0], upstream[1], 0, IDLE_SECONDS),
                    copy_bytes(upstream[0], client[1], self._most, IDLE_SECONDS),
                )
            else:
                await self._exchange_messages(head, client, upstream)
        finally:
            upstream[1].transport.abort()

    async def _exchange_messages(
        self, head: MessageHead, client: Streams, upstream: Streams
    ) -> None:
        """Send one request and relay the response, until either side disconnects."""
        parts = urlsplit(head.target)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        kept = [*head.headers_without(HOP_BY_HOP), ("Connection", "close")]
        upstream[1].write(MessageHead(f"{head.method} {path} HTTP/1.1", kept).to_bytes())
        await first_of(
            send_body(head, client[0], upstream[1]),
            relay_answer(upstream[0], client[1], self._most, IDLE_SECONDS),
        )

    async def _connect_to(self, host: str, port: int) -> Streams:
        """Connect to a host. Raises WebError, which is remembered for this host."""
        try:
            streams = await self._open_connection(host, port)
        except WebError as error:
            self._refused[host, port] = self.last_refusal = error
            self._refused.move_to_end((host, port))
            if len(self._refused) > KNOWN_REFUSALS:
                self._refused.popitem(last=False)
            raise
        self._refused.pop((host, port), None)
        return streams

    async def _open_connection(self, host: str, port: int) -> Streams:
        if self._hosts and not any(
            host == each or host.endswith(f".{each}") for each in self._hosts
        ):
            raise AddressError(
                f"The browser may not access the host {host}.",
                "If it should, add it to FORAGER_BROWSER_HOSTS.",
            )
        for address in await self._guard.resolve(host, port):
            try:
                async with asyncio.timeout(CONNECT_SECONDS):
                    return await asyncio.open_connection(address, port)
            except (OSError, TimeoutError):
                continue
        raise ConnectError(f"{host}:{port} cannot be reached.", "Check the URL, or try again.")


def _host_and_port(url: str) -> tuple[str, int]:
    """The host and port of a URL. Raises ValueError if it is not a web address."""
    parts = urlsplit(url)
    ports = {"http": HTTP, "ws": HTTP, "https": HTTPS, "wss": HTTPS}
    if parts.scheme not in ports or not parts.hostname:
        raise ValueError(url)
    return parts.hostname.rstrip("."), parts.port or ports[parts.scheme]


async def _send_challenge(writer: asyncio.StreamWriter) -> None:
    writer.write(
        b"HTTP/1.1 407 Proxy Authentication Required\r\n"
        b'Proxy-Authenticate: Basic realm="forager"\r\nContent-Length: 0\r\n\r\n'
    )
    await writer.drain()


async def _send_refusal(writer: asyncio.StreamWriter, error: WebError) -> None:
    address = isinstance(error, AddressError)
    status = HTTPStatus.FORBIDDEN if address else HTTPStatus.BAD_GATEWAY
    await _send_answer(writer, status, str(error))


async def _send_answer(writer: asyncio.StreamWriter, status: HTTPStatus, text: str) -> None:
    body = text.encode()
    headers = [
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Content-Length", str(len(body))),
        ("Cache-Control", "no-store"),
        ("Connection", "close"),
    ]
    writer.write(MessageHead(f"HTTP/1.1 {status.value} {status.phrase}", headers).to_bytes() + body)
    await writer.drain()
