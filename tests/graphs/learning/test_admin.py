"""The memory of the data folder: listed, searched, forgotten for good, restored from sessions."""

import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from forager.adapters.memory.embeddings.embedder import open_embedder
from forager.adapters.memory.memory_port import ChromaMemory
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import SessionError, UsageError
from forager.ports import Ports
from forager.settings import Settings
from graphs.learning.admin import MemoryItem, open_memory
from graphs.runtime.composition import OpenPorts, share_memory
from graphs.sessions.service import open_sessions
from graphs.spec.spec import load_graph
from tests.graphs.learning.test_keeper import OnePage
from tests.graphs.scripted import REGISTRY, loosened
from tests.graphs.scripted_ports import scripted

FORAGER = loosened(load_graph("forager"))
SITE = "http://127.0.0.1:1/"
OTHER = "http://127.0.0.1:2/"


@contextmanager
def doors(settings: Settings) -> Iterator[OpenPorts]:
    """Scripted ports with the memory of the settings."""
    with closing(ChromaMemory(settings, open_embedder(settings))) as memory:

        @asynccontextmanager
        async def ports(model: str, since: float, session: str = "") -> AsyncIterator[Ports]:
            yield replace(scripted(memory=memory), blobs=OnePage())

        yield ports


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A data folder with a memory."""
    return Settings(data=tmp_path, memory=True, allow_private=("127.0.0.1",))


def learned(items: tuple[MemoryItem, ...]) -> dict[str, MemoryItem]:
    """What was tried, by its id, without the hour.

    The steps are not restored: the pages of scripted sessions are nowhere.
    """
    tried = [item for item in items if item.kind == "episode"]
    return {item.id: item.model_copy(update={"time": 0.0}) for item in tried}


async def ask(settings: Settings, text: str, site: str = SITE) -> str:
    """The id of a session that was run."""
    async with open_sessions(settings, doors, REGISTRY) as sessions:
        budget = Budget(rounds=2, steps=2)
        question = Question(text=text, sites=(site,), budget=budget)
        id = await sessions.start(question, FORAGER, "scripted")
        await sessions.run(id)
    return id


async def test_learned_items_are_listed_and_found(settings: Settings) -> None:
    one = await ask(settings, "Which emperor built the dome?")
    two = await ask(settings, "How deep is the lake?", OTHER)
    async with open_memory(settings) as known:
        kept = await known.list()
        assert {item.session for item in kept} == {one, two}
        assert {item.session for item in await known.list(SITE)} == {one}
        best = (await known.search("which emperor built the dome"))[0]
        assert (best.session, best.likeness) == (one, 1.0)


async def test_forgotten_items_do_not_come_back(settings: Settings) -> None:
    one = await ask(settings, "Which emperor built the dome?")
    two = await ask(settings, "How deep is the lake?", OTHER)
    async with open_memory(settings) as known:
        there = [item for item in await known.list() if item.session == one]
        assert await known.forget([there[0].id]) == 1
        assert await known.forget(site=OTHER) > 0
        left = learned(await known.list())
        await known.rebuild()
        assert learned(await known.list()) == left
        assert {item.session for item in left.values()} == {one} != {two}
        assert await known.forget(session=one) == len(left)
        assert (await known.rebuild()).episodes == 0
        with pytest.raises(UsageError):
            await known.forget()


async def test_a_memory_that_is_lost_or_damaged_is_restored(settings: Settings) -> None:
    await ask(settings, "Which emperor built the dome?")
    async with open_memory(settings) as known:
        before = learned(await known.list())
    shutil.rmtree(settings.data / "memory")
    told: list[tuple[int, int]] = []
    async with open_memory(settings) as known:
        kept = await known.rebuild(lambda done, all: told.append((done, all)))
        assert learned(await known.list()) == before
    assert (kept.sessions, told) == (1, [(0, 1), (1, 1)])
    (settings.data / "memory" / "chroma" / "chroma.sqlite3").write_bytes(b"no database")
    async with open_memory(settings) as known:
        await known.rebuild()
        assert learned(await known.list()) == before


async def test_forgetting_all_leaves_nothing_to_restore(settings: Settings) -> None:
    await ask(settings, "Which emperor built the dome?")
    async with open_memory(settings) as known:
        assert await known.forget(all=True) > 0
        await known.rebuild()
        assert await known.list() == ()


async def test_a_session_stays_with_its_user(settings: Settings) -> None:
    id = await ask(settings, "Which emperor built the dome?")
    bob = settings.model_copy(update={"user": "bob"})
    theirs = "belongs to the user 'default', and you are 'bob'.*FORAGER_USER=default"
    async with open_sessions(bob, doors, REGISTRY) as sessions:
        before = await sessions.listing.all()
        for refused in (
            sessions.follow(id, "And the tower?"),
            sessions.forks.fork(id),
            sessions.forks.continue_from(id, 1),
            sessions.delete(id),
        ):
            with pytest.raises(SessionError, match=theirs):
                await refused
        assert (await sessions.show(id)).status == "answered"
        assert await sessions.listing.all() == before
    own = await ask(bob, "How deep is the lake?")
    async with open_memory(bob) as known:
        with pytest.raises(SessionError, match=theirs):
            await known.forget(session=id)
        assert (await known.rebuild()).sessions == 1
        assert {item.session for item in await known.list()} == {own}
    async with open_memory(settings) as known:
        assert (await known.rebuild()).sessions == 1
        assert {item.session for item in await known.list()} == {id}


async def test_another_users_session_is_not_changed(settings: Settings) -> None:
    id = await ask(settings, "Which emperor built the dome?")
    bob = settings.model_copy(update={"user": "bob"})
    async with open_sessions(settings, doors, REGISTRY) as sessions:
        await sessions.follow(id, "And the tower?")
    async with open_sessions(bob, doors, REGISTRY) as sessions:
        before = await sessions.get(id)
        for refused in (sessions.run(id), sessions.stop(id), sessions.change_model(id, "offline")):
            with pytest.raises(SessionError, match="FORAGER_USER"):
                await refused
        assert await sessions.get(id) == before
    async with open_memory(bob) as known:
        assert (await known.rebuild()).sessions == 0


async def test_the_shared_memory_is_opened_once(settings: Settings) -> None:
    with share_memory(settings):
        async with open_memory(settings) as one, open_memory(settings) as other:
            assert one.memory is other.memory
            assert await one.list() == ()
        async with open_memory(settings) as again:
            assert again.memory is one.memory
            assert await again.list() == ()
    async with open_memory(settings) as later:
        assert later.memory is not one.memory
        assert await later.list() == ()
