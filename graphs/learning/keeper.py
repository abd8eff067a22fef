"""Keeps in memory what sessions teach: at the end of each run, and later what was missed."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from forager.adapters.store.checkpoints.saver import Checkpoints
from forager.adapters.store.leases import is_held
from forager.adapters.store.sessions.learned_sessions import NEVER_LEARN, NO_MEMORY
from forager.adapters.store.sessions.session_store import Session, SessionStore, thread_of
from forager.domain.experience import Episode, Snippet
from forager.domain.state import State
from forager.errors import ForagerError
from forager.ports import Blobs, Embedder, Memory
from forager.util.place import Place
from graphs.learning.experience import learn_episodes, learn_snippets
from graphs.reports.events import Emit, emit_nothing
from graphs.runtime.state_reader import read_state

MAX_CAUGHT_UP = 20
"""Missed sessions that are learned from beside one run."""
LearnedItems = tuple[list[Episode], list[Snippet], tuple[str, ...]]
"""Episodes, snippets, and notes on what could not be learned."""
Progress = Callable[[int, int], None]
"""Receives how many sessions of how many are done."""


@dataclass(frozen=True)
class LearningResult:
    """How much sessions taught, and what went wrong; `place` is the memory that holds it now."""

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
    """A Progress that does nothing."""


@dataclass(frozen=True, kw_only=True)
class Keeper:
    """Learns from sessions. Errors become notes, except where a method says that it raises."""

    memory: Memory
    blobs: Blobs
    embedder: Embedder
    store: SessionStore
    checkpoints: Checkpoints
    leases: Place
    user: str
    _over: asyncio.Event = field(default_factory=asyncio.Event)

    @asynccontextmanager
    async def learn_beside(self, id: str, emit: Emit) -> AsyncIterator[None]:
        """Catch up on missed sessions beside a run, and learn from the run at its end.

        A run that fails is learned from too. What cannot be kept is emitted as a warning. Raises
        StoreError.
        """
        await asyncio.to_thread(self.store.remembered.claim_session, id, self.user)
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
        """Learn from a session so far; faults are emitted as warnings."""
        result = await self._try_to_learn(id)
        try:
            for note in result.notes:
                await emit("", "warned", note, {})
            if result.place is not None:
                await asyncio.to_thread(
                    self.store.remembered.mark_learned, id, result.place, self.user
                )
        except ForagerError:
            return result  # what keeps a warning from being written fails the run itself
        return result

    async def _try_to_learn(self, id: str) -> LearningResult:
        try:
            place = await self.memory.generation()
            if place == NEVER_LEARN:
                before = await asyncio.to_thread(self.store.remembered.learned_by, id)
                return LearningResult(place=NEVER_LEARN if before in (None, NO_MEMORY) else None)
            session = await asyncio.to_thread(self.store.get, id)
            episodes, snippets, lost = await self._learn_session(session)
            notes = await self.memory.keep(episodes, snippets)
            done = None if notes else place
            return LearningResult(1, len(episodes), len(snippets), (*lost, *notes), place=done)
        except (ForagerError, ValueError) as error:  # ValueError: a state of an older release
            return LearningResult(notes=(f"Nothing was learned from this session. {error}",))

    async def catch_up(
        self, most: int | None = None, *, but: str = "", progress: Progress = ignore_progress
    ) -> LearningResult:
        """Learn from sessions that the memory has missed and that do not run now, newest first.

        At most `most`, never from the session `but`. Beside a run it ends with the run.
        """
        try:
            place = await self.memory.generation()
            if place == NEVER_LEARN:
                return LearningResult()
            due = await asyncio.to_thread(self.store.remembered.due_sessions, place, self.user)
        except ForagerError as error:
            return LearningResult(notes=(str(error),))
        wanted = [each for each in due if each != but][:most]
        total = LearningResult()
        for done, id in enumerate(wanted):
            progress(done, len(wanted))
            if self._over.is_set():
                return total
            if not await asyncio.to_thread(is_held, self.leases, id):
                total += await self.learn_from(id)
        progress(len(wanted), len(wanted))
        return total

    async def _learn_session(self, session: Session) -> LearnedItems:
        found: LearnedItems = ([], [], ())
        for turn in range(1, session.turn + 1):
            state = await read_state(
                self.checkpoints, thread_of(session.id, turn), session.question
            )
            more = await asyncio.to_thread(self._learn_turn, session, turn, state)
            found = (found[0] + more[0], found[1] + more[1], found[2] + more[2])
        return found

    def _learn_turn(self, session: Session, turn: int, state: State) -> LearnedItems:
        """What one turn taught, without what was forgotten. A lost page costs only its snippets."""
        about = session.id, turn, session.changed, state
        episodes = learn_episodes(*about, session.model)
        snippets: tuple[Snippet, ...] = ()
        notes: tuple[str, ...] = ()
        try:
            snippets = learn_snippets(*about, self.blobs, self.embedder)
        except ForagerError as error:
            notes = (f"The steps of session {session.id} were not remembered. {error}",)
        ids = [each.id for each in episodes] + [each.id for each in snippets]
        gone = self.store.remembered.find_forgotten(ids)
        return (
            [each for each in episodes if each.id not in gone],
            [each for each in snippets if each.id not in gone],
            notes,
        )
