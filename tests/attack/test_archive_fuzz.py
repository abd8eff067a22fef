"""Archives of any bytes, and any change of a good one, are imported or refused; nothing breaks."""

import asyncio
import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forager.domain.state import Question
from forager.errors import UsageError
from graphs.sessions.service import Sessions, open_sessions
from graphs.spec.spec import load_graph
from tests.attack.archive_edits import attack_archive
from tests.attack.case_reader import read_cases
from tests.graphs.conftest import SMALL, ports_with
from tests.graphs.scripted import REGISTRY, loosened
from tests.graphs.scripted_ports import alone

SEEDS = [case for case in read_cases("archives") if "set" in case or "replace" in case]
STRANGE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=9),
    st.sampled_from(["b64:", "b64:AAAA", "msgpack", "pickle", "msgpack+z", "", "\0", "../x"]),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=2),
)
ASKED = Question(text="Which emperor?", sites=("http://127.0.0.1:1/",), budget=SMALL["budget"])


async def export_honest(folder: Path) -> bytes:
    """A scripted session as an archive."""
    async with open_sessions(alone(folder), ports_with([], []), REGISTRY) as sessions:
        await sessions.start(ASKED, loosened(load_graph("forager")), "scripted", "mine")
        await sessions.run("mine")
        return await sessions.export("mine", "zip")


async def import_and_look(sessions: Sessions, data: bytes) -> None:
    """Import it; what is refused leaves nothing, what is not can be listed, shown and deleted."""
    with suppress(UsageError):
        id = await sessions.archive.import_zip(data)
        assert [each.id for each in await sessions.listing.all()] == [id]
        await sessions.show(id)
        await sessions.events(id)
        await sessions.export(id, "zip")
        await sessions.delete(id)
    assert await sessions.listing.all() == ()
    assert await (await sessions.context.checkpoints()).list_namespaces("mine") == []


@dataclass(frozen=True)
class Importer:
    """Imports archives into one data folder, and looks at what comes of each."""

    honest: bytes = field(repr=False)
    runner: asyncio.Runner
    sessions: Sessions

    def take(self, data: bytes) -> None:
        """Import one."""
        self.runner.run(import_and_look(self.sessions, data))


@pytest.fixture(scope="module")
def importer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Importer]:
    with asyncio.Runner() as runner:
        honest = runner.run(export_honest(tmp_path_factory.mktemp("from")))
        opened = open_sessions(alone(tmp_path_factory.mktemp("to")), ports_with([], []), REGISTRY)
        yield Importer(honest, runner, runner.run(opened.__aenter__()))
        runner.run(opened.__aexit__(None, None, None))


def leaves(value: Any, path: str = "") -> Iterator[str]:
    """The paths of everything within a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in inner:
        if "/" in str(key):
            continue
        here = f"{path}/{key}".removeprefix("/")
        yield here
        if isinstance(each, dict | list):
            yield from leaves(each, here)


@given(data=st.data())
def test_a_strange_value_anywhere_breaks_nothing(importer: Importer, data: st.DataObject) -> None:
    entry = data.draw(st.sampled_from(["session.json", "steps.json"]))
    with zipfile.ZipFile(io.BytesIO(importer.honest)) as file:
        told = json.loads(file.read(entry))
    path = data.draw(st.sampled_from(sorted(leaves(told))))
    case = {"entry": entry, "set": {path: data.draw(STRANGE)}}
    importer.take(attack_archive(importer.honest, case))


@given(place=st.integers(0, 10**6), new=st.binary(max_size=8), cut=st.integers(0, 8))
@example(place=0, new=b"", cut=0)
def test_changed_bytes_break_nothing(importer: Importer, place: int, new: bytes, cut: int) -> None:
    honest = importer.honest
    place %= len(honest)
    importer.take(honest[:place] + new + honest[place + cut :])


@given(one=st.sampled_from(SEEDS), two=st.sampled_from(SEEDS))
def test_two_attacks_at_once_break_nothing(
    importer: Importer, one: dict[str, Any], two: dict[str, Any]
) -> None:
    try:
        attack = attack_archive(attack_archive(importer.honest, one), two)
    except (AssertionError, KeyError, IndexError, TypeError, ValueError):
        return  # the second finds its place gone
    importer.take(attack)
