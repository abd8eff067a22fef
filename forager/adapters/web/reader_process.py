"""A second process that reads pages while the first one fetches, on a core of its own.

Request and reply are lengths followed by bytes; the helper ends when its input does.
"""

import gc
import struct
import subprocess
import sys
import threading
from typing import BinaryIO

from forager.adapters.web.read import page_reader
from forager.errors import ContentError

REQUEST = struct.Struct(">III")
REPLY = struct.Struct(">?I")


class HelperGoneError(Exception):
    """The helper ended or never started; what it was to read has to be read here."""


class Helper:
    """A running helper; one request at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.waiting = 0
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "forager.adapters.web.reader_process"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise HelperGoneError(str(error)) from error

    def read(self, body: bytes, content_type: str, url: str) -> bytes:
        """The document in a body as JSON. Raises ContentError, and HelperGoneError."""
        self.waiting += 1
        try:
            with self._lock:
                done, data = self._ask(body, content_type, url)
        except (OSError, ValueError, struct.error) as error:
            raise HelperGoneError(str(error)) from error
        finally:
            self.waiting -= 1
        if not done:
            raise ContentError(data.decode())
        return data

    def _ask(self, body: bytes, content_type: str, url: str) -> tuple[bool, bytes]:
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise ValueError("no pipes")
        head = (content_type.encode(), url.encode())
        stdin.write(REQUEST.pack(len(head[0]), len(head[1]), len(body)) + head[0] + head[1])
        stdin.write(body)
        stdin.flush()
        done, length = REPLY.unpack(stdout.read(REPLY.size))
        return done, stdout.read(length)

    def close(self) -> None:
        """End the process and wait for it."""
        self._process.kill()
        self._process.communicate()


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer requests until there are no more."""
    while len(head := source.read(REQUEST.size)) == REQUEST.size:
        kind, url, body = (source.read(length) for length in REQUEST.unpack(head))
        try:
            data = page_reader.read(body, kind.decode(), url.decode()).model_dump_json().encode()
            done = True
        except ContentError as error:
            data, done = str(error).encode(), False
        sink.write(REPLY.pack(done, len(data)) + data)
        sink.flush()


if __name__ == "__main__":
    gc.set_threshold(100_000)  # reading makes many objects and no cycles
    serve(sys.stdin.buffer, sys.stdout.buffer)
