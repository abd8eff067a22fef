"""The documented example runs as it stands in the handbook, and the calls mean what they say."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from forager.errors import SessionError, UsageError
from graphs.python_api import Budget, Event, Settings, open_forager
from graphs.spec.library import open_library
from graphs.spec.spec import PRESETS
from tests import observatory
from tests.servers import Site

PAGE = Path(__file__).resolve().parents[2] / "docs" / "library.md"
EXAMPLE = re.compile(r"```python\n(.+?)```", re.DOTALL)
ADDRESS = "https://observatory.example.org/"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(observatory.PAGES) as site:
        yield site


def test_the_example_of_the_handbook_runs(site: Site, tmp_path: Path) -> None:
    example = EXAMPLE.findall(PAGE.read_text(encoding="utf-8"))[0]
    assert ADDRESS in example
    body = example.partition("async with")[2].partition("asyncio.run")[0]
    assert len(body.strip().splitlines()) <= 10
    done = subprocess.run(
        [sys.executable, "-c", example.replace(ADDRESS, site.url())],
        env={
            "FORAGER_DATA": str(tmp_path),
            "FORAGER_ALLOW_PRIVATE": '["127.0.0.1"]',
            "FORAGER_MEMORY": "false",
            "PATH": "/usr/bin:/bin",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "node='survey'" in done.stdout  # an event
    answer, _, ledger = done.stdout.partition("answered ")[2].partition("# The great refractor")
    assert "Ottilie Brandt" in answer
    assert observatory.GROUND in ledger
    assert site.url("/telescope.html") in ledger


async def test_events_come_while_it_runs_and_budgets_hold(site: Site, tmp_path: Path) -> None:
    events: list[Event] = []
    async with open_forager(settings(tmp_path)) as forager:
        report = await forager.ask(
            "Who founded the observatory?",
            [site.url()],
            budget=Budget(rounds=1),
            on_event=events.append,
        )
        stored = await forager.sessions.events(report.session)
    assert report.spent.rounds == 1
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert [event for event in events if event.kind != "progress"] == [
        event for event in stored if event.kind != "progress"
    ]


async def test_what_cannot_be_run_is_refused(site: Site, tmp_path: Path) -> None:
    async with open_forager(settings(tmp_path)) as forager:
        with pytest.raises(UsageError, match="nowhere"):
            await forager.ask("Who?", [site.url()], model="nowhere:model")
        with pytest.raises(SessionError):
            await forager.follow_up("absent", "And when?")


def settings(data: Path) -> Settings:
    return Settings(data=data, allow_private=("127.0.0.1",))


async def test_a_graph_is_asked_with_values(site: Site, tmp_path: Path) -> None:
    text = (PRESETS / "webwalker.yaml").read_text(encoding="utf-8")
    text = text.replace("steps: 15", "steps: $deep").replace("name: webwalker", "name: mine")
    text += "parameters:\n  deep: {type: integer, default: 15, help: clicks at most}\n"
    own = settings(tmp_path)
    open_library(own).save("mine", text)
    async with open_forager(own) as forager:
        asked = ("Who founded the observatory?", [site.url()])
        report = await forager.ask(*asked, graph="mine", parameters={"deep": 1})
        assert report.spent.actions <= 1
        with pytest.raises(UsageError, match="'deep' cannot be 'x'"):
            await forager.ask(*asked, graph="mine", parameters={"deep": "x"})
