"""Bytes from one connection to another, within limits."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from http import HTTPStatus

from forager.adapters.browser.guard.http_heads import CHUNKED, HeadError, MessageHead, read_head
from forager.errors import ConnectError

CHUNK_BYTES = 65_536
CONNECTION_FAULTS = (OSError, TimeoutError, HeadError, asyncio.IncompleteReadError)
"""One of the two sides left, was silent for too long, or spoke no HTTP."""

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def first_of(*ways: Coroutine[None, None, None]) -> None:
    """Run them together until one of them ends, however it does."""
    tasks = [asyncio.create_task(way) for way in ways]
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
    """A request's body; then wait until the one who asked says more, or leaves."""
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
    """One piece of a body; 0 after the last one, else CHUNKED."""
    line = await reader.readuntil(b"\r\n")
    try:
        size = int(line.partition(b";")[0], 16)
    except ValueError as error:
        raise HeadError("a chunk without a size") from error
    writer.write(line + await reader.readexactly(size + 2))
    await writer.drain()
    return CHUNKED if size else 0


async def relay_answer(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, most: int, idle: float
) -> None:
    """An answer, told to be the last one on its connection.

    Raises ConnectError for one that asks for a proxy's password: the browser would take it for ours
    and give up the password that it has.
    """
    head = None
    while head is None or head.status < HTTPStatus.OK:
        async with asyncio.timeout(idle):
            head = await read_head(reader)
        if head is None:
            return
    if head.status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED:
        raise ConnectError("The server answered as only a proxy does, with the error 407.")
    kept = head.headers_without({"connection", "keep-alive", "proxy-connection"})
    writer.write(MessageHead(head.first, [*kept, ("Connection", "close")]).to_bytes())
    await copy_bytes(reader, writer, most, idle)


async def copy_bytes(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, most: int, idle: float
) -> None:
    """Until the end, `most` bytes (0: any number), or a pause of `idle` seconds."""
    passed = 0
    while not most or passed <= most:
        async with asyncio.timeout(idle):
            data = await reader.read(CHUNK_BYTES)
        if not data:
            return
        passed += len(data)
        writer.write(data)
        await writer.drain()
