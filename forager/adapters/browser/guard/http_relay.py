"""Relays HTTP/1.1 messages between two connections, within limits."""

import asyncio
from collections.abc import Collection, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus

from forager.errors import ConnectError

HOP_BY_HOP = frozenset(
    {"connection", "keep-alive", "proxy-authorization", "proxy-connection", "te", "upgrade"}
)
CHUNKED = -1


class HeadError(Exception):
    """The received bytes are not the head of an HTTP message."""


@dataclass(frozen=True, slots=True)
class MessageHead:
    """The first line and the headers, in order."""

    first: str
    headers: list[tuple[str, str]]

    @property
    def method(self) -> str:
        """Of a request."""
        return self.first.partition(" ")[0].upper()

    @property
    def target(self) -> str:
        """Of a request."""
        return self.first.split(" ")[1]

    @property
    def status(self) -> int:
        """Of a response. Raises HeadError."""
        said = self.first.split(" ")[1]
        if not (said.isascii() and said.isdecimal()):
            raise HeadError(self.first)
        return int(said)

    def header_value(self, name: str) -> str:
        """The values of a header, with commas between them."""
        return ", ".join(value for key, value in self.headers if key.lower() == name)

    def headers_without(self, names: Collection[str]) -> list[tuple[str, str]]:
        """The headers except those with these names."""
        return [(name, value) for name, value in self.headers if name.lower() not in names]

    def body_length(self) -> int:
        """The length of a request's body in bytes, or CHUNKED. Raises HeadError."""
        if "chunked" in self.header_value("transfer-encoding").lower():
            return CHUNKED
        length = self.header_value("content-length")
        if length and not length.isdecimal():
            raise HeadError(f"Content-Length: {length}")
        return int(length or 0)

    def to_bytes(self) -> bytes:
        """The head as it is sent."""
        lines = [self.first, *(f"{name}: {value}" for name, value in self.headers), "", ""]
        return "\r\n".join(lines).encode("latin-1")


async def read_head(reader: asyncio.StreamReader) -> MessageHead | None:
    """Read the next head; None at the end of the stream. Raises HeadError."""
    try:
        data = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as error:
        if not error.partial.strip():
            return None
        raise HeadError("the head is incomplete") from error
    except asyncio.LimitOverrunError as error:
        raise HeadError("the head is too long") from error
    first, *lines = data.decode("latin-1").strip("\r\n").split("\r\n")
    if len(first.split(" ")) < 2:  # noqa: PLR2004  # method and target, or version and status
        raise HeadError(first)
    pairs = (line.partition(":") for line in lines)
    return MessageHead(first, [(name.strip(), value.strip()) for name, _, value in pairs])


CHUNK_BYTES = 65_536
CONNECTION_FAULTS = (OSError, TimeoutError, HeadError, asyncio.IncompleteReadError)
"""One side closed the connection, was silent for too long, or did not speak HTTP."""

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def first_of(*coroutines: Coroutine[None, None, None]) -> None:
    """Run coroutines concurrently until the first ends or fails; cancel the others."""
    tasks = [asyncio.create_task(each) for each in coroutines]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError, *CONNECTION_FAULTS):
                await task


async def send_body(
    head: MessageHead, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Send a request's body, then wait until the client sends more or disconnects."""
    left = head.body_length()
    while left == CHUNKED:
        left = await _send_chunk(reader, writer)
    while left:
        data = await reader.read(min(left, CHUNK_BYTES))
        if not data:
            return
        left -= len(data)
        writer.write(data)
        await writer.drain()
    await reader.read(1)


async def _send_chunk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
    """Send one chunk of a body; returns 0 after the last one, else CHUNKED."""
    line = await reader.readuntil(b"\r\n")
    try:
        size = int(line.partition(b";")[0], 16)
    except ValueError as error:
        raise HeadError("a chunk has no size") from error
    writer.write(line + await reader.readexactly(size + 2))
    await writer.drain()
    return CHUNKED if size else 0


async def relay_answer(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, most: int, idle: float
) -> None:
    """Relay a response, marked as the last one on its connection.

    Raises ConnectError for a response that asks for proxy credentials: the browser would take it
    for Forager's proxy and drop its password.
    """
    head = None
    while head is None or head.status < HTTPStatus.OK:
        async with asyncio.timeout(idle):
            head = await read_head(reader)
        if head is None:
            return
    if head.status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED:
        raise ConnectError("The server answered with error 407, which only a proxy may do.")
    kept = head.headers_without({"connection", "keep-alive", "proxy-connection"})
    writer.write(MessageHead(head.first, [*kept, ("Connection", "close")]).to_bytes())
    await copy_bytes(reader, writer, most, idle)


async def copy_bytes(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, most: int, idle: float
) -> None:
    """Copy until the stream ends, for at most `most` bytes (0: unlimited).

    Raises TimeoutError after `idle` seconds without data.
    """
    passed = 0
    while not most or passed <= most:
        async with asyncio.timeout(idle):
            data = await reader.read(CHUNK_BYTES)
        if not data:
            return
        passed += len(data)
        writer.write(data)
        await writer.drain()
