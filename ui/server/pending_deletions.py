"""Deletions that can be undone for a few seconds, before anything is deleted."""

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Final, Generic, NamedTuple, TypeVar

from forager.errors import ForagerError
from forager.settings import Settings
from graphs.learning.admin import open_memory
from graphs.sessions.service import Sessions
from graphs.system.deletion import delete_session
from ui.server.session_worker import SessionCall

LOG = logging.getLogger(__name__)
UNDO_SECONDS: Final = 30.0
HELD_SECONDS: Final = 600.0
"""How long it waits at most while somebody points at the notice of it, or has the focus there."""


class Deletion(NamedTuple):
    """A session to be deleted; with `forget`, also what it taught and what only it read."""

    id: str
    name: str
    forget: bool


class Forgetting(NamedTuple):
    """Items of the memory to be forgotten, by their IDs, and what they are about."""

    ids: tuple[str, ...]
    name: str


Item = TypeVar("Item", Deletion, Forgetting)


@dataclass
class Waiting(Generic[Item]):
    """What is to be begun when the seconds are over, and can be undone before."""

    begin: Callable[[Item], None]
    seconds: float
    held_seconds: float = HELD_SECONDS
    _timers: dict[Item, threading.Timer] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def add(self, item: Item) -> None:
        """Begin it when the seconds are over."""
        with self.lock:
            self._start(item, self.seconds)

    def hold(self, *, held: bool) -> None:
        """Let all that waits wait while its notice is read; the seconds then start again."""
        seconds = self.held_seconds if held else self.seconds
        with self.lock:
            for item, timer in self._timers.items():
                timer.cancel()
                self._start(item, seconds)

    def _start(self, item: Item, seconds: float) -> None:
        timer = self._timers[item] = threading.Timer(seconds, self.begin, (item,))
        timer.daemon = True
        timer.start()

    def take(self, item: Item) -> bool:
        """Let it wait no longer; False if it does not wait any more."""
        with self.lock:
            timer = self._timers.pop(item, None)
        if timer is not None:
            timer.cancel()
        return timer is not None

    def items(self) -> tuple[Item, ...]:
        """What waits, in the order in which it was added."""
        with self.lock:
            return tuple(self._timers)


@dataclass
class PendingDeletions:
    """Sessions whose deletion was asked for; `submit` runs it.

    They are kept in this process only: if it is killed before, nothing is deleted.
    """

    submit: Callable[[SessionCall[int]], Future[int]]
    seconds: float = UNDO_SECONDS
    _waiting: Waiting[Deletion] = field(init=False)
    _going: dict[Deletion, Future[int]] = field(default_factory=dict)
    _deleted: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Nothing waits yet."""
        self._waiting = Waiting(self._begin, self.seconds)

    def ask(self, deletion: Deletion) -> None:
        """Delete a session when the seconds are over."""
        self._waiting.add(deletion)

    def undo(self, id: str) -> bool:
        """Leave a session as it is; False if its deletion has begun."""
        undone = [self._waiting.take(each) for each in self.waiting() if each.id == id]
        return any(undone)

    def waiting(self) -> tuple[Deletion, ...]:
        """The deletions that can be undone, in the order in which they were asked for."""
        return self._waiting.items()

    def hold(self, *, held: bool) -> None:
        """Let the deletions wait while somebody reads of them."""
        self._waiting.hold(held=held)

    def hidden(self) -> frozenset[str]:
        """The sessions that lists leave out: those to be deleted, and those being deleted."""
        with self._waiting.lock:
            return frozenset(each.id for each in (*self.waiting(), *self._going))

    def is_deleted(self, id: str) -> bool:
        """Whether a session of this ID was deleted here."""
        with self._waiting.lock:
            return id in self._deleted

    def finish(self, patience: float) -> None:
        """Delete now what waits, and wait up to so many seconds for it."""
        for each in self.waiting():
            self._begin(each)
        with self._waiting.lock:
            going = list(self._going.values())
        for future in going:
            try:
                future.result(patience)
            except (ForagerError, TimeoutError) as error:
                LOG.error("a session could not be deleted in time: %s", error)

    def _begin(self, deletion: Deletion) -> None:
        async def work(sessions: Sessions) -> int:
            return await delete_session(sessions, deletion.id, forget=deletion.forget)

        with self._waiting.lock:
            if not self._waiting.take(deletion):
                return  # undone meanwhile
            self._going[deletion] = future = self.submit(work)
        future.add_done_callback(lambda done: self._end(deletion, done))

    def _end(self, deletion: Deletion, done: Future[int]) -> None:
        error = None if done.cancelled() else done.exception()
        with self._waiting.lock:
            self._going.pop(deletion, None)
            if error is None and not done.cancelled():
                self._deleted.add(deletion.id)
        if error is not None:
            LOG.error("session %s could not be deleted: %s", deletion.id, error)


@dataclass
class PendingForgets:
    """Items that are to be forgotten, which can be undone before; `settings` are the present ones.

    As with deletions, nothing is forgotten if the process is killed before.
    """

    settings: Callable[[], Settings]
    seconds: float = UNDO_SECONDS
    _waiting: Waiting[Forgetting] = field(init=False)
    _going: set[Forgetting] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Nothing waits yet."""
        self._waiting = Waiting(self._forget, self.seconds)

    def ask(self, forgetting: Forgetting) -> None:
        """Forget items when the seconds are over."""
        self._waiting.add(forgetting)

    def undo(self, forgetting: Forgetting) -> None:
        """Keep the items, unless they are being forgotten already."""
        self._waiting.take(forgetting)

    def waiting(self) -> tuple[Forgetting, ...]:
        """What can be undone, in the order in which it was asked for."""
        return self._waiting.items()

    def hold(self, *, held: bool) -> None:
        """Let it wait while somebody reads of it."""
        self._waiting.hold(held=held)

    def hidden(self) -> frozenset[str]:
        """The items that lists leave out."""
        with self._waiting.lock:
            return frozenset(id for each in (*self.waiting(), *self._going) for id in each.ids)

    def finish(self) -> None:
        """Forget now what waits."""
        for each in self.waiting():
            self._forget(each)

    def _forget(self, forgetting: Forgetting) -> None:
        async def forget() -> None:
            async with open_memory(self.settings()) as known:
                await known.forget(forgetting.ids)

        with self._waiting.lock:
            if not self._waiting.take(forgetting):
                return  # undone meanwhile
            self._going.add(forgetting)
        try:
            asyncio.run(forget())
        except ForagerError as error:
            LOG.error("%s could not be forgotten: %s", forgetting.name, error)
        finally:
            with self._waiting.lock:
                self._going.discard(forgetting)
