"""A memory that cannot be used stops no run: it is warned of, and catches up once it is mended."""

import asyncio
import socket
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from forager.adapters.memory.embeddings.embedder import open_embedder
from forager.adapters.memory.memory_port import ChromaMemory
from forager.adapters.memory.no_memory import NoMemory
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.settings import Settings
from graphs.learning.admin import open_memory
from graphs.reports.events import format_count
from graphs.runtime.composition import open_run_memory as open_shared
from graphs.sessions.service import Event, open_sessions
from graphs.system.doctor import check_memory
from tests.graphs.learning.test_admin import FORAGER, SITE, ask, doors
from tests.graphs.scripted import REGISTRY
from tests.graphs.scripted_ports import alone


def settings_of(folder: Path, url: str = "") -> Settings:
    return alone(folder).model_copy(update={"memory": True, "chroma_url": url})


async def warned(settings: Settings, text: str) -> tuple[str, set[str]]:
    """Run a session to its end; its id, and what was warned of."""
    seen: list[Event] = []
    async with open_sessions(settings, doors, REGISTRY) as sessions:
        question = Question(text=text, sites=(SITE,), budget=Budget(rounds=2, steps=2))
        id = await sessions.start(question, FORAGER, "scripted")
        report = await sessions.run(id, seen.append)
    assert report.status == "answered"
    return id, {event.message for event in seen if event.kind == "warned"}


async def known(settings: Settings) -> set[str]:
    """The sessions that the memory knows of."""
    async with open_memory(settings) as memory:
        return {item.session for item in await memory.list()}


async def test_a_memory_that_is_open_elsewhere_is_shared(tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    first = await ask(settings, "Which emperor built the dome?")
    with closing(ChromaMemory(settings, open_embedder(settings))) as owner:
        await owner.list()
        second, said = await warned(settings, "How deep is the lake?")
    assert said == set()
    assert await known(settings) == {first, second}
    third, said = await warned(settings, "How long is the river?")
    assert said == set()
    assert await known(settings) == {first, second, third}


@pytest.mark.parametrize("garbled", [b"", b"no database"])
async def test_a_damaged_memory_is_a_warning(tmp_path: Path, garbled: bytes) -> None:
    settings = settings_of(tmp_path)
    first = await ask(settings, "Which emperor built the dome?")
    (tmp_path / "memory" / "chroma" / "chroma.sqlite3").write_bytes(garbled)
    second, said = await warned(settings, "How deep is the lake?")
    assert any("damaged" in each and "forager memory rebuild" in each for each in said)
    async with open_memory(settings) as memory:
        await memory.rebuild()
    assert await known(settings) == {first, second}


async def test_a_read_only_memory_is_a_warning(tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    (tmp_path / "memory").write_text("in the way")
    first, said = await warned(settings, "Which emperor built the dome?")
    assert said
    (tmp_path / "memory").unlink()
    second, said = await warned(settings, "How deep is the lake?")
    assert said == set()
    assert await known(settings) == {first, second}


async def test_a_missing_memory_server_is_a_warning(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        away = settings_of(tmp_path, f"http://127.0.0.1:{taken.getsockname()[1]}")
        first, said = await warned(away, "Which emperor built the dome?")
    assert any("does not answer" in each for each in said)
    second, _ = await warned(settings_of(tmp_path), "How deep is the lake?")
    assert await known(settings_of(tmp_path)) == {first, second}


def test_recorded_runs_use_no_memory(tmp_path: Path) -> None:
    wanted = settings_of(tmp_path)
    recorded = wanted.model_copy(update={"record": tmp_path / "record"})
    unwanted = wanted.model_copy(update={"memory": False})
    with ExitStack() as stack:
        opened = [
            stack.enter_context(open_shared(each, open_embedder(each)))
            for each in (wanted, recorded, unwanted)
        ]
    assert [type(each) for each in opened] == [ChromaMemory, NoMemory, NoMemory]


async def test_the_doctor_looks_at_the_memory(tmp_path: Path) -> None:
    settings = settings_of(tmp_path)

    async def found(settings: Settings = settings) -> tuple[str, str, str]:
        check = await asyncio.to_thread(check_memory, settings)
        return check.state, check.found, check.mend

    folder = tmp_path / "memory"
    assert await found() == ("ok", f"{folder}, user default, empty so far", "")
    assert not folder.exists()
    await ask(settings, "Which emperor built the dome?")
    async with open_memory(settings) as memory:
        kinds = [item.kind for item in await memory.list()]
        beside = await found()
    attempts, steps = (kinds.count(kind) for kind in ("episode", "snippet"))
    holds = f"{format_count(attempts, 'attempt')} and {format_count(steps, 'step')}"
    assert attempts
    assert beside == await found() == ("ok", f"{folder}, user default, {holds}", "")
    (folder / "chroma" / "chroma.sqlite3").write_bytes(b"no database")
    state, said, mend = await found()
    assert (state, "is damaged" in said, "memory rebuild" in mend) == ("missing", True, True)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    state, said, mend = await found(settings_of(tmp_path, f"http://127.0.0.1:{port}"))
    assert (state, "does not answer" in said, "FORAGER_CHROMA_URL" in mend) == (
        "missing",
        True,
        True,
    )
    assert (await found(Settings(data=tmp_path, memory=False)))[0] == "off"
