"""A helper process that reads pages on a core of its own, each within its time.

Its crash does not end this process. Requests and replies are lengths followed by bytes. The process
ends when its input does, or when a request takes longer than it may.
"""

import faulthandler
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import BinaryIO

from forager.errors import ContentError

HEAD = struct.Struct(">Bd")
"""The number of parts of a request, whose lengths follow, and the seconds it may take."""
LENGTH = struct.Struct(">I")
REPLY = struct.Struct(">?I")


class ReaderGoneError(Exception):
    """The process has ended or did not start, or the request took too long."""


class ReaderProcess:
    """A running reader process; it serves one request at a time."""

    def __init__(self, module: str) -> None:
        """Run a module that calls `serve_requests`. Raises ReaderGoneError."""
        try:
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", module],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise ReaderGoneError(str(error)) from error

    def is_running(self) -> bool:
        """Is the process still running?"""
        return self._process.poll() is None

    def ask(self, *parts: bytes, seconds: float) -> bytes:
        """Send a request and return the reply. Raises ContentError and ReaderGoneError."""
        try:
            done, data = self._exchange(parts, seconds)
        except (OSError, ValueError, struct.error) as error:
            raise ReaderGoneError(str(error)) from error
        if not done:
            raise ContentError(data.decode())
        return data

    def _exchange(self, parts: tuple[bytes, ...], seconds: float) -> tuple[bool, bytes]:
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise ValueError("no pipes")
        stdin.write(
            HEAD.pack(len(parts), seconds) + b"".join(LENGTH.pack(len(part)) for part in parts)
        )
        stdin.writelines(parts)
        stdin.flush()
        done, length = REPLY.unpack(stdout.read(REPLY.size))
        data = stdout.read(length)
        if len(data) < length:
            raise ValueError("the reply was cut off")
        return done, data

    def kill(self) -> None:
        """End the process; a request that it serves fails."""
        self._process.kill()

    def close(self) -> None:
        """End the process and wait for it. No request may be served."""
        self.kill()
        self._process.communicate()


class Reader:
    """A reader process that is started by the first request, and again after it has ended.

    Safe for threads, which take turns.
    """

    def __init__(self, module: str) -> None:
        self._module = module
        self._turn = threading.Lock()
        self._process: ReaderProcess | None = None
        self._closed = threading.Event()
        self.waiting = 0

    @property
    def is_started(self) -> bool:
        """Is there a process, or a request that starts it?"""
        return self._process is not None

    def start(self) -> None:
        """Start the process, if it does not run yet. Raises ReaderGoneError."""
        with self._turn:
            self._running_process()

    def ask(self, *parts: bytes, seconds: float) -> bytes:
        """Send a request and return the reply, which may take `seconds` from now.

        Raises ContentError, and ReaderGoneError if it takes longer or the process crashes.
        """
        end = time.monotonic() + seconds
        self.waiting += 1
        try:
            with self._turn:
                left = end - time.monotonic()
                if left <= 0:
                    raise ReaderGoneError("others took too long")
                try:
                    return self._running_process().ask(*parts, seconds=left)
                except ReaderGoneError:
                    self._end_process()
                    raise
        finally:
            self.waiting -= 1

    def close(self) -> None:
        """End the process for good; requests fail."""
        self._closed.set()
        process = self._process
        if process is not None:
            process.kill()
        with self._turn:
            self._end_process()

    def _running_process(self) -> ReaderProcess:
        if self._closed.is_set():
            raise ReaderGoneError("it was closed")
        if self._process is None or not self._process.is_running():
            self._end_process()
            self._process = ReaderProcess(self._module)
            if self._closed.is_set():
                self._process.kill()
        return self._process

    def _end_process(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None


def serve_requests(answer: Callable[..., bytes]) -> None:
    """Answer requests until the input ends; a ContentError is sent back as a reply.

    A request that takes longer than it may ends the process.
    """
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while head := source.read(HEAD.size):
        count, seconds = HEAD.unpack(head)
        parts = _read_parts(source, count)
        faulthandler.dump_traceback_later(seconds, exit=True)
        try:
            data, done = answer(*parts), True
        except ContentError as error:
            data, done = str(error).encode(), False
        finally:
            faulthandler.cancel_dump_traceback_later()
        sink.write(REPLY.pack(done, len(data)) + data)
        sink.flush()


def _read_parts(source: BinaryIO, count: int) -> list[bytes]:
    lengths = [LENGTH.unpack(source.read(LENGTH.size))[0] for _ in range(count)]
    return [source.read(length) for length in lengths]
