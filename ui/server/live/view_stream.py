"""A session's view as it changes: JSON lines, the first the whole document, then merge patches.

All readers of a session share one tracker of it, and the lines that say what changed.
"""

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress

from forager.errors import ForagerError, NoSessionError
from ui.server.live.merge_patch import Document
from ui.server.live.view_tracker import ViewTracker
from ui.server.space_backend import Backend

POLL_SECONDS = 0.15
"""Seconds between two checks for new events, and so the longest delay of one on a page."""
HEARTBEAT_SECONDS = 10.0
"""After this many silent seconds an empty line is sent, so that a lost connection is noticed."""
KEPT_CHANGES = 64
"""How many changes a reader may fall behind; a slower one starts again with the whole view."""


async def stream_view(backend: Backend, id: str, token: str) -> AsyncIterator[bytes]:
    """The lines of a session's view, for as long as somebody reads them and the token is accepted.

    The last line of a session that is deleted says so.
    """
    with _open_channel(backend, id) as channel:
        seen, line = await channel.first_line()
        sent = time.monotonic()
        while line is not None and await backend.accepts_token(token):
            if line or time.monotonic() - sent > HEARTBEAT_SECONDS:
                sent = time.monotonic()
                yield line or b"\n"
            seen, line = await channel.next_lines(seen)


class ViewChannel:
    """The view of one session, tracked for as long as it has readers."""

    def __init__(self, backend: Backend, id: str) -> None:
        self.readers = 0
        self._backend = backend
        self._tracker = ViewTracker(backend.sessions, id, lambda: backend.settings.search)
        self._version = 0
        self._ended = False
        self._changes: deque[bytes] = deque(maxlen=KEPT_CHANGES)
        self._changed = asyncio.Event()
        self._task = asyncio.create_task(self._follow())

    async def first_line(self) -> tuple[int, bytes | None]:
        """The number of the present view, and its line; None where there is no view."""
        while not self._version and not self._ended:
            await self._wait()
        return self._version, _encode(self._tracker.view) if self._tracker.view else None

    async def next_lines(self, seen: int) -> tuple[int, bytes | None]:
        """What changed since the view of this number, perhaps nothing; None at the end."""
        if seen == self._version and not self._ended:
            await self._wait()
        behind = self._version - seen
        if behind > len(self._changes) or (not behind and self._ended):
            return seen, None
        return self._version, b"".join(list(self._changes)[len(self._changes) - behind :])

    def close(self) -> None:
        """Stop tracking."""
        self._task.cancel()

    async def _wait(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), HEARTBEAT_SECONDS)

    async def _follow(self) -> None:
        try:
            await self._publish_changes()
        finally:
            self._ended = True
            self._changed.set()

    async def _publish_changes(self) -> None:
        while not self._backend.closing.is_set():
            try:
                change = await self._tracker.next_change()
            except NoSessionError:
                self._publish({"session": {"status": "deleted"}})
                return
            except ForagerError:
                return  # the reader starts again, and is told what is the matter
            if change:
                self._publish(change)
            await asyncio.sleep(POLL_SECONDS)

    def _publish(self, change: Document) -> None:
        self._version += 1
        self._changes.append(_encode(change))
        self._changed.set()
        self._changed = asyncio.Event()


_CHANNELS: dict[tuple[str, str], ViewChannel] = {}


@contextmanager
def _open_channel(backend: Backend, id: str) -> Iterator[ViewChannel]:
    """The channel of a session, which its first reader opens and its last one closes."""
    key = backend.token, id
    channel = _CHANNELS.get(key) or _CHANNELS.setdefault(key, ViewChannel(backend, id))
    channel.readers += 1
    try:
        yield channel
    finally:
        channel.readers -= 1
        if not channel.readers:
            _CHANNELS.pop(key).close()


def _encode(document: Document) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
