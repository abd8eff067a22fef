"""A helper process that reads pages on a core of its own; its crash does not end this process.

Requests and replies are lengths followed by bytes. The process ends when its input does.
"""

import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import BinaryIO

from forager.errors import ContentError

PART_COUNT = struct.Struct(">B")
"""The number of parts of a request, whose lengths follow."""
LENGTH = struct.Struct(">I")
REPLY = struct.Struct(">?I")


class ReaderGoneError(Exception):
    """The process has ended or did not start."""


class ReaderProcess:
    """A running reader process; it serves one request at a time."""

    def __init__(self, module: str) -> None:
        """Run a module that calls `serve_requests`. Raises ReaderGoneError."""
        self._lock = threading.Lock()
        self.waiting = 0
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

    def ask(self, *parts: bytes) -> bytes:
        """Send a request and return the reply. Raises ContentError and ReaderGoneError."""
        self.waiting += 1
        try:
            with self._lock:
                done, data = self._exchange(parts)
        except (OSError, ValueError, struct.error) as error:
            raise ReaderGoneError(str(error)) from error
        finally:
            self.waiting -= 1
        if not done:
            raise ContentError(data.decode())
        return data

    def _exchange(self, parts: tuple[bytes, ...]) -> tuple[bool, bytes]:
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise ValueError("no pipes")
        stdin.write(
            PART_COUNT.pack(len(parts)) + b"".join(LENGTH.pack(len(part)) for part in parts)
        )
        stdin.writelines(parts)
        stdin.flush()
        done, length = REPLY.unpack(stdout.read(REPLY.size))
        return done, stdout.read(length)

    def close(self) -> None:
        """End the process and wait for it."""
        self._process.kill()
        self._process.communicate()


def serve_requests(answer: Callable[..., bytes]) -> None:
    """Answer requests until the input ends; a ContentError is sent back as a reply."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while parts := _read_request(source):
        try:
            data, done = answer(*parts), True
        except ContentError as error:
            data, done = str(error).encode(), False
        sink.write(REPLY.pack(done, len(data)) + data)
        sink.flush()


def _read_request(source: BinaryIO) -> list[bytes]:
    """Read the parts of the next request; empty at the end of the input."""
    head = source.read(PART_COUNT.size)
    if not head:
        return []
    [count] = PART_COUNT.unpack(head)
    lengths = [LENGTH.unpack(source.read(LENGTH.size))[0] for _ in range(count)]
    return [source.read(length) for length in lengths]
