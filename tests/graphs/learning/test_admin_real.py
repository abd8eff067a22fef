"""The memory with the real nodes and Chroma: restored whole, and used by several processes.

Nothing that a session recorded is lost, every run completes, and what went wrong is told.
"""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from forager.adapters.memory.chroma import Chroma
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.settings import Settings
from graphs.learning.admin import MemoryItem, open_memory
from graphs.sessions.service import Sessions, open_sessions
from tests.forager.adapters.memory.worker import fill
from tests.graphs.runs.test_crash import worker
from tests.graphs.systems.test_real import HARBOURS
from tests.programs import Program
from tests.servers import Site

QUESTIONS = {
    "one": "Which engineer dredged the harbour of Vega?",
    "two": "How many boats does the harbour of Senja hold?",
    "three": "In which town did Ingrid Solheim study?",
    "four": "Which trade paid for the harbour of Senja?",
}
RECALLED, KEPT = "13", "21"
"""The events of a run by which it asked the memory, and by which it kept a passage of a page."""


class Place:
    """A data folder with a memory, and sessions that are asked about the harbours."""

    def __init__(self, data: Path, site: Site) -> None:
        self.data = data
        self.settings = Settings(data=data, allow_private=("127.0.0.1",), memory=True)
        self.site = site

    async def start(self, sessions: Sessions, id: str) -> None:
        budget = Budget(rounds=3, steps=6)
        question = Question(text=QUESTIONS[id], sites=(self.site.url(),), budget=budget)
        await sessions.start(question, "forager", "offline", id)

    async def asked(self, id: str) -> str:
        """What was warned of in a run that comes to its end."""
        async with open_sessions(self.settings) as sessions:
            await self.start(sessions, id)
            assert (await sessions.run(id)).status == "answered"
        return await self.warned(id)

    async def elsewhere(self, id: str, verb: str, moment: str) -> Program:
        """The same in a process of its own."""
        async with open_sessions(self.settings) as sessions:
            await self.start(sessions, id)
        return worker(self.data, verb, moment, id, world=f"{self.site.port}+")

    async def warned(self, id: str) -> str:
        async with open_sessions(self.settings) as sessions:
            events = await sessions.events(id)
        return "\n".join(event.message for event in events if event.kind == "warned")

    async def known(self) -> dict[str, MemoryItem]:
        """All that is remembered, by its id, without the hour."""
        async with open_memory(self.settings) as memory:
            return by_id(await memory.list())

    async def rebuilt(self) -> dict[str, MemoryItem]:
        """All that the sessions taught."""
        async with open_memory(self.settings) as memory:
            assert (await memory.rebuild()).notes == ()
            return by_id(await memory.list())


def by_id(items: tuple[MemoryItem, ...]) -> dict[str, MemoryItem]:
    return {item.id: item.model_copy(update={"time": 0.0}) for item in items}


def teachers(known: dict[str, MemoryItem]) -> set[str]:
    """The sessions that taught both what was tried and its steps."""
    kinds = ("episode", "snippet")
    tried, steps = ({each.session for each in known.values() if each.kind == one} for one in kinds)
    assert tried == steps
    return tried


@pytest.fixture(scope="module")
def asked_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """One whose memory learned from the session `one`."""
    with Site(HARBOURS) as site:
        place = Place(tmp_path_factory.mktemp("asked") / "data", site)
        assert asyncio.run(place.asked("one")) == ""
        yield place


@pytest.fixture
def place(asked_once: Place, tmp_path: Path) -> Place:
    """A copy of it."""
    data = tmp_path / "data"
    shutil.copytree(asked_once.data, data)
    return Place(data, asked_once.site)


async def test_episodes_and_snippets_are_restored_from_the_sessions(place: Place) -> None:
    before = await place.known()
    assert teachers(before) == {"one"}
    shutil.rmtree(place.data / "memory")
    assert await place.rebuilt() == before


async def test_a_run_that_is_killed_is_caught_up_beside_the_next(place: Place) -> None:
    with await place.elsewhere("two", "kill", KEPT) as run:
        run.wait()
    assert await place.asked("three") == ""
    known = await place.known()
    assert teachers(known) == {"one", "two", "three"}
    assert await place.rebuilt() == known


async def test_a_run_beside_that_of_another_process_shares_its_memory(place: Place) -> None:
    with await place.elsewhere("two", "hold", RECALLED) as run:
        assert run.stdout.readline() == "running\n"
        assert await place.asked("three") == ""
        assert teachers(await place.known()) == {"one", "three"}
        run.communicate()
    assert await place.warned("two") == ""
    assert teachers(await place.known()) == {"one", "two", "three"}
    assert await place.asked("four") == ""
    known = await place.known()
    assert teachers(known) == set(QUESTIONS)
    assert await place.rebuilt() == known


async def test_a_missing_index_file_is_reported(place: Place) -> None:
    before = await place.known()
    for path in (place.data / "memory").rglob("data_level0.bin"):
        path.unlink()
    said = await place.asked("two")
    assert "data_level0.bin is missing" in said
    assert "forager memory rebuild" in said
    known = await place.rebuilt()
    assert teachers(known) == {"one", "two"}
    assert known.items() >= before.items()


async def test_a_full_disk_is_reported(place: Place) -> None:
    """No file can be written beyond a size that only the memory has come to."""
    with closing(Chroma(place.settings)) as chroma:
        fill(chroma.open_collection("things", "one"), 20)
    before = await place.known()
    with await place.elsewhere("two", "limit", "1000000") as run:
        told, _ = run.communicate()
    assert '"status":"answered"' in told
    said = await place.warned("two")
    assert "could not be written" in said
    assert "Free some space" in said
    assert await place.asked("three") == ""
    known = await place.known()
    assert teachers(known) == {"one", "two", "three"}
    assert known.items() >= before.items()
