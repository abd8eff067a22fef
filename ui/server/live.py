"""A session's view as it changes: JSON lines, the first the whole document, then merge patches.

All readers of a session share one look at it, and the lines that tell what changed.
"""

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress

from forager.errors import ForagerError, NoSessionError
from ui.server.following import Following
from ui.server.office import Office
from ui.server.patch import Document

LOOK_SECONDS = 0.15
"""How often it is looked for events; a page shows one so much later at the most, and its way."""
BEAT_SECONDS = 10.0
"""Silence longer than this is broken, so that a connection that is gone is noticed."""
LAG = 64
"""So many changes a reader may be behind; who is further behind has to begin anew."""


async def lines(office: Office, id: str) -> AsyncIterator[bytes]:
    """Patches of the view, for as long as somebody reads them and the server serves.

    The last one of a session that is deleted says so.
    """
    with _channel(office, id) as channel:
        seen, line = await channel.whole()
        told = time.monotonic()
        while line is not None:
            if line or time.monotonic() - told > BEAT_SECONDS:
                told = time.monotonic()
                yield line or b"\n"
            seen, line = await channel.after(seen)


class Channel:
    """The view of one session, followed for as long as it has readers."""

    def __init__(self, office: Office, id: str) -> None:
        self.readers = 0
        self._office = office
        self._following = Following(office.desk, id)
        self._version = 0
        self._over = False
        self._told: deque[bytes] = deque(maxlen=LAG)
        self._changed = asyncio.Event()
        self._task = asyncio.create_task(self._follow())

    async def whole(self) -> tuple[int, bytes | None]:
        """The number of the present view, and the view; None where there is none."""
        while not self._version and not self._over:
            await self._wait()
        return self._version, _line(self._following.shown) if self._following.shown else None

    async def after(self, seen: int) -> tuple[int, bytes | None]:
        """What changed since the view of this number, perhaps nothing; None at the end of all."""
        if seen == self._version and not self._over:
            await self._wait()
        behind = self._version - seen
        if behind > len(self._told) or (not behind and self._over):
            return seen, None
        return self._version, b"".join(list(self._told)[len(self._told) - behind :])

    def leave(self) -> None:
        """Follow no more."""
        self._task.cancel()

    async def _wait(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), BEAT_SECONDS)

    async def _follow(self) -> None:
        try:
            await self._tell_changes()
        finally:
            self._over = True
            self._changed.set()

    async def _tell_changes(self) -> None:
        while not self._office.closing.is_set():
            try:
                change = await self._following.change()
            except NoSessionError:
                self._tell({"session": {"status": "deleted"}})
                return
            except ForagerError:
                return  # the reader begins anew, and is told what is the matter
            if change:
                self._tell(change)
            await asyncio.sleep(LOOK_SECONDS)

    def _tell(self, change: Document) -> None:
        self._version += 1
        self._told.append(_line(change))
        self._changed.set()
        self._changed = asyncio.Event()


_CHANNELS: dict[tuple[str, str], Channel] = {}


@contextmanager
def _channel(office: Office, id: str) -> Iterator[Channel]:
    """The channel of a session, which its first reader opens and its last one closes."""
    key = office.token, id
    channel = _CHANNELS.get(key) or _CHANNELS.setdefault(key, Channel(office, id))
    channel.readers += 1
    try:
        yield channel
    finally:
        channel.readers -= 1
        if not channel.readers:
            _CHANNELS.pop(key).leave()


def _line(document: Document) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
