"""A server on loopback in its own thread; it can be stopped and started again on the same port."""

import asyncio
import socket
import threading
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

from tests.endpoint.wire import reset

Serve = Callable[[StreamReader, StreamWriter], Awaitable[None]]


class Host:
    """Gives each connection to `serve`; what that raises is kept in `broken`."""

    def __init__(self, serve: Serve) -> None:
        self.port = 0
        self.broken: list[BaseException] = []
        self._serve = serve
        self._writers: set[StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._seat: socket.socket | None = None

    def start(self, port: int) -> None:
        """Listens on a port, any free one for 0. Raises OSError when it is taken."""
        self._seat = _bound(port)
        self.port = int(self._seat.getsockname()[1])
        ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main(ready)))
        self._thread.start()
        ready.wait()

    def stop(self) -> None:
        """Ends every connection and the thread."""
        self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join()

    def die(self) -> None:
        """From any other thread: resets all connections and refuses new ones."""
        asyncio.run_coroutine_threadsafe(self.fall(None), self._loop).result()

    def revive(self) -> None:
        """From any other thread: listens again, on the same port."""
        asyncio.run_coroutine_threadsafe(self._rise(), self._loop).result()

    async def fall(self, seconds: float | None) -> None:
        """Dies, and revives after so many seconds unless they are None."""
        if self._server is not None:
            self._server.close()
            self._server = None
            self._seat = _bound(self.port)  # bound but not listening: nobody else gets the port
        for writer in self._writers:
            reset(writer)
        if seconds is not None:
            self._start(self._rise_after(seconds))

    async def _main(self, ready: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._closing = asyncio.Event()
        await self._rise()
        ready.set()
        await self._closing.wait()
        await self.fall(None)
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._seat is not None:
            self._seat.close()

    async def _rise(self) -> None:
        if self._seat is None:
            return
        seat, self._seat = self._seat, None
        self._server = await asyncio.start_server(self._accept, sock=seat)

    async def _rise_after(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await self._rise()

    def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._writers.add(writer)
        self._start(self._connection(reader, writer))

    async def _connection(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            with suppress(ConnectionError):  # the client left
                await self._serve(reader, writer)
        finally:
            self._writers.discard(writer)
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self.broken.append(error)


def _bound(port: int) -> socket.socket:
    seat = socket.socket()
    seat.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        seat.bind(("127.0.0.1", port))
    except OSError:
        seat.close()
        raise
    return seat
