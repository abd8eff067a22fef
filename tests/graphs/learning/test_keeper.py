"""What sessions teach is kept at the end of each run, and caught up on where it was missed."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from forager.adapters.memory.no_memory import NoMemory
from forager.adapters.store.checkpoints.saver import open_checkpoints
from forager.adapters.store.leases import hold_lease
from forager.adapters.store.sessions.learned_sessions import NEVER_LEARN, LearnedSessions
from forager.adapters.store.sessions.session_store import SessionStore
from forager.domain.documents import Document
from forager.domain.experience import Episode
from forager.domain.state import Question
from forager.ports import Memory, Ports
from forager.settings import Settings
from graphs.learning.keeper import Keeper, LearningResult
from graphs.runtime.branches import JoiningState
from graphs.runtime.composition import OpenPorts
from graphs.sessions.service import Event, OpenAdapters, Sessions, open_sessions
from graphs.spec.spec import load_graph
from tests.fake_memory import FakeMemory
from tests.fakes import MemoryBlobs
from tests.graphs.partial_runs import running_until
from tests.graphs.scripted import REGISTRY, loosened
from tests.graphs.scripted_ports import LASTING_FAULT, NoEmbedder, alone, scripted

FORAGER = loosened(load_graph("forager"))


class OnePage(MemoryBlobs):
    """Every page is the same."""

    def get(self, digest: str) -> bytes:
        return Document(url="http://127.0.0.1:1/", text="The page.").model_dump_json().encode()


def doors(memory: Memory, faults: list[Exception | None] | None = None) -> OpenAdapters:
    """Scripted ports with a memory."""

    @contextmanager
    def opened(settings: Settings) -> Iterator[OpenPorts]:
        @asynccontextmanager
        async def ports(model: str, since: float, session: str = "") -> AsyncIterator[Ports]:
            yield replace(scripted(faults=faults, memory=memory), blobs=OnePage())

        yield ports

    return opened


@asynccontextmanager
async def sessions_with(
    folder: Path, memory: Memory, faults: list[Exception | None] | None = None
) -> AsyncIterator[Sessions]:
    async with open_sessions(alone(folder), doors(memory, faults), REGISTRY) as sessions:
        yield sessions


async def asked(folder: Path, question: Question, memory: Memory) -> str:
    """The id of a session that was run to its end."""
    async with sessions_with(folder, memory) as sessions:
        id = await sessions.start(question, FORAGER, "scripted")
        assert (await sessions.run(id)).status == "answered"
    return id


async def catch_up(folder: Path, memory: Memory, user: str = "default") -> LearningResult:
    """Learn from what the memory has missed."""
    with closing(SessionStore(folder / "sessions.sqlite")) as store:
        async with open_checkpoints(folder / "checkpoints.sqlite", JoiningState) as checkpoints:
            keeper = Keeper(
                memory=memory,
                blobs=OnePage(),
                embedder=NoEmbedder(),
                store=store,
                checkpoints=checkpoints,
                leases=folder / "leases",
                user=user,
            )
            return await keeper.catch_up()


def learned(memory: FakeMemory) -> set[str]:
    """The sessions that it knows of."""
    return {each.session for each in memory.kept if isinstance(each, Episode)}


@contextmanager
def remembered(folder: Path) -> Iterator[LearnedSessions]:
    with closing(SessionStore(folder / "sessions.sqlite")) as store:
        yield store.remembered


async def test_a_run_is_learned_from_at_its_end(tmp_path: Path, question: Question) -> None:
    memory = FakeMemory()
    id = await asked(tmp_path, question, memory)
    episodes = [each for each in memory.kept if isinstance(each, Episode)]
    assert [each.id for each in episodes] == [f"{id}:1:1.1", f"{id}:1:2.1"]
    assert {each.question for each in episodes} == {question.text}
    assert {each.model for each in episodes} == {"scripted"}
    with remembered(tmp_path) as known:
        assert known.learned_by(id) == "fake"
        assert known.due_sessions("fake") == ()


async def test_a_failed_run_is_learned_from_and_again_when_it_goes_on(
    tmp_path: Path, question: Question
) -> None:
    memory = FakeMemory()
    async with sessions_with(tmp_path, memory, [None, None, LASTING_FAULT]) as sessions:
        id = await sessions.start(question, FORAGER, "scripted")
        assert (await sessions.run(id)).status == "failed"
        assert learned(memory) == {id}
        before = len(memory.kept)
        assert (await sessions.run(id)).status == "answered"
    assert len(memory.kept) > before


async def test_a_failing_memory_is_a_warning_and_stops_no_run(
    tmp_path: Path, question: Question
) -> None:
    heard: list[Event] = []
    async with sessions_with(tmp_path, FakeMemory(notes=["The disk is full."])) as sessions:
        id = await sessions.start(question, FORAGER, "scripted")
        assert (await sessions.run(id, heard.append)).status == "answered"
    assert [event.message for event in heard if event.kind == "warned"] == ["The disk is full."]
    with remembered(tmp_path) as known:
        assert known.due_sessions("fake") == (id,)


async def test_missed_sessions_are_caught_up_beside_the_next_run(
    tmp_path: Path, question: Question
) -> None:
    missed = [await asked(tmp_path, question, FakeMemory(notes=["Away."])) for _ in range(2)]
    memory = FakeMemory()
    own = await asked(tmp_path, question, memory)
    await catch_up(tmp_path, memory)
    assert learned(memory) == {own, *missed}


async def test_a_lost_memory_is_learned_again(tmp_path: Path, question: Question) -> None:
    first = await asked(tmp_path, question, FakeMemory())
    memory = FakeMemory(named="another")
    await catch_up(tmp_path, memory)
    assert learned(memory) == {first}


async def test_running_sessions_are_not_caught_up(tmp_path: Path, question: Question) -> None:
    id = await asked(tmp_path, question, FakeMemory(notes=["Away."]))
    memory = FakeMemory()
    with hold_lease(tmp_path / "leases", id):
        await catch_up(tmp_path, memory)
    assert learned(memory) == set()
    await catch_up(tmp_path, memory)
    assert learned(memory) == {id}


async def test_sessions_run_without_memory_are_not_learned_from(
    tmp_path: Path, question: Question
) -> None:
    id = await asked(tmp_path, question, NoMemory())
    with remembered(tmp_path) as known:
        assert known.learned_by(id) == NEVER_LEARN
    memory = FakeMemory()
    await catch_up(tmp_path, memory)
    assert learned(memory) == set()


async def test_forgotten_sessions_are_not_learned_again(tmp_path: Path, question: Question) -> None:
    memory = FakeMemory(notes=["Away."])
    id = await asked(tmp_path, question, memory)
    with remembered(tmp_path) as known:
        known.forget_items([f"{id}:1:1.1", f"{id}:1:1.1"])
    memory = FakeMemory()
    await catch_up(tmp_path, memory)
    assert [each.id for each in memory.kept if isinstance(each, Episode)] == [f"{id}:1:2.1"]


async def test_an_interrupted_run_is_learned_from_by_the_next(
    tmp_path: Path, question: Question
) -> None:
    memory = FakeMemory()
    async with sessions_with(tmp_path, memory) as sessions:
        id = await sessions.start(question, FORAGER, "scripted")
        task = await running_until(sessions, id, "judge")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert learned(memory) == set()
    await catch_up(tmp_path, memory)
    assert learned(memory) == {id}


async def test_sessions_of_other_users_are_not_learned_from(
    tmp_path: Path, question: Question
) -> None:
    id = await asked(tmp_path, question, FakeMemory(notes=["Away."]))
    memory = FakeMemory(named="of ann")
    await catch_up(tmp_path, memory, "ann")
    assert learned(memory) == set()
    await catch_up(tmp_path, memory)
    assert learned(memory) == {id}
