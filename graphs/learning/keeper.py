"""What sessions teach is kept in the memory: at the end of each run, and later what was missed."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from forager.adapters.store.checkpoints.saver import Checkpoints
from forager.adapters.store.leases import held
from forager.adapters.store.sessions.learned_sessions import NEVER, NOWHERE
from forager.adapters.store.sessions.session_store import Session, SessionStore, thread
from forager.domain.experience import Episode, Snippet
from forager.domain.state import State
from forager.errors import ForagerError
from forager.ports import Blobs, Embedder, Memory
from graphs.learning.episodes import learn_episodes
from graphs.learning.snippets import learn_snippets
from graphs.reports.events import Emit, emit_nothing
from graphs.runtime.state_reader import read_state

MAX_CAUGHT_UP = 20
"""Sessions that are caught up beside one run."""

LearnedItems = tuple[list[Episode], list[Snippet], tuple[str, ...]]
Progress = Callable[[int, int], None]
"""Told how many sessions of how many have been learned from."""


@dataclass(frozen=True)
class LearningResult:
    """How much sessions taught, and what went wrong; `place` is the memory that has it now."""

    sessions: int = 0
    episodes: int = 0
    snippets: int = 0
    notes: tuple[str, ...] = ()
    place: str | None = None

    def __add__(self, other: "LearningResult") -> "LearningResult":
        return LearningResult(
            self.sessions + other.sessions,
            self.episodes + other.episodes,
            self.snippets + other.snippets,
            tuple(dict.fromkeys(self.notes + other.notes)),
        )


def ignore_progress(done: int, all: int) -> None:
    """A Progress that nobody sees."""


@dataclass(frozen=True, kw_only=True)
class Keeper:
    """What it takes to learn from sessions. Nothing is raised: what goes wrong is noted."""

    memory: Memory
    blobs: Blobs
    embedder: Embedder
    store: SessionStore
    checkpoints: Checkpoints
    leases: Path
    user: str
    _over: asyncio.Event = field(default_factory=asyncio.Event)

    @asynccontextmanager
    async def learn_beside(self, id: str, emit: Emit) -> AsyncIterator[None]:
        """Catch up on other sessions beside a run, and learn from the run at its end.

        So too from one that fails. What could not be kept is warned of. Raises StoreError.
        """
        await asyncio.to_thread(self.store.remembered.claim, id, self.user)
        others = asyncio.create_task(self.catch_up(MAX_CAUGHT_UP, but=id))
        try:
            yield
        except ForagerError:
            await self.learn_from(id, emit)
            raise
        else:
            await self.learn_from(id, emit)
        finally:
            self._over.set()
            await others

    async def learn_from(self, id: str, emit: Emit = emit_nothing) -> LearningResult:
        """Learn from a session, as far as it has come; of what goes wrong `emit` is told too."""
        kept = await self._try_to_learn(id)
        try:
            for note in kept.notes:
                await emit("", "warned", note, {})
            if kept.place is not None:
                await asyncio.to_thread(self.store.remembered.mark, id, kept.place, self.user)
        except ForagerError:
            return kept  # what keeps a warning from being written fails the run itself
        return kept

    async def _try_to_learn(self, id: str) -> LearningResult:
        try:
            place = await self.memory.identity()
            if place == NEVER:
                before = await asyncio.to_thread(self.store.remembered.place, id)
                return LearningResult(place=NEVER if before in (None, NOWHERE) else None)
            session = await asyncio.to_thread(self.store.get, id)
            tried, steps, lost = await self._learn_session(session)
            notes = await self.memory.keep(tried, steps)
            done = None if notes else place
            return LearningResult(1, len(tried), len(steps), (*lost, *notes), place=done)
        except (ForagerError, ValueError) as error:  # ValueError: a state of an older release
            return LearningResult(notes=(f"What this session taught could not be kept. {error}",))

    async def catch_up(
        self, most: int | None = None, *, but: str = "", progress: Progress = ignore_progress
    ) -> LearningResult:
        """Learn from sessions that the memory has missed and that do not run now, newest first.

        Beside a run it ends with it, or once `most` are done.
        """
        try:
            place = await self.memory.identity()
            if place == NEVER:
                return LearningResult()
            due = await asyncio.to_thread(self.store.remembered.due, place, self.user)
        except ForagerError as error:
            return LearningResult(notes=(str(error),))
        wanted = [each for each in due if each != but][:most]
        total = LearningResult()
        for done, id in enumerate(wanted):
            progress(done, len(wanted))
            if self._over.is_set():
                return total
            if not await asyncio.to_thread(held, self.leases, id):
                total += await self.learn_from(id)
        progress(len(wanted), len(wanted))
        return total

    async def _learn_session(self, session: Session) -> LearnedItems:
        found: LearnedItems = ([], [], ())
        for turn in range(1, session.turn + 1):
            state = await read_state(self.checkpoints, thread(session.id, turn), session.question)
            more = await asyncio.to_thread(self._learn_turn, session, turn, state)
            found = (found[0] + more[0], found[1] + more[1], found[2] + more[2])
        return found

    def _learn_turn(self, session: Session, turn: int, state: State) -> LearnedItems:
        """What one turn taught, but for what was forgotten; a lost page costs only its steps."""
        about = session.id, turn, session.changed, state
        tried = learn_episodes(*about, session.model)
        steps: tuple[Snippet, ...] = ()
        lost: tuple[str, ...] = ()
        try:
            steps = learn_snippets(*about, self.blobs, self.embedder)
        except ForagerError as error:
            lost = (f"The steps of session {session.id} are not remembered. {error}",)
        ids = [each.id for each in tried] + [each.id for each in steps]
        gone = self.store.remembered.forgotten(ids)
        return (
            [each for each in tried if each.id not in gone],
            [each for each in steps if each.id not in gone],
            lost,
        )
