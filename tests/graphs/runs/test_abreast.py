"""The preset abreast: independent sub-questions are pursued at the same time."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from forager.domain.state import Question
from forager.settings import Settings
from graphs.sessions.service import Event, open_sessions
from tests.observatory import FOUNDED, GROUND, PAGES, TWO_PAGES
from tests.servers import Site

NEWEST = "SELECT max(checkpoint_id) FROM checkpoints WHERE checkpoint_ns = ''"
FORGET = "DELETE FROM checkpoints WHERE checkpoint_ns = '' AND checkpoint_id = ?"
KEEP_WRITES = "CREATE TRIGGER kept BEFORE DELETE ON writes BEGIN SELECT RAISE(IGNORE); END"


@pytest.fixture
def file(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(tmp_path / "checkpoints.sqlite", isolation_level=None)) as file:
        yield file


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(PAGES) as served:
        yield served


async def test_both_look_ups_are_walked_side_by_side(site: Site, tmp_path: Path) -> None:
    events: list[Event] = []
    settings = Settings(data=tmp_path, allow_private=("127.0.0.1",))
    question = Question(text=TWO_PAGES, sites=(site.url(),), seed=7)
    async with open_sessions(settings) as sessions:
        id = await sessions.start(question, "abreast", "offline")
        report = await sessions.run(id, events.append)
    assert report.status == "answered"
    assert FOUNDED in report.answer
    assert GROUND in report.answer
    [drawn] = [e for e in events if e.node == "select" and e.kind == "finished"][:1]
    assert len(drawn.data["urls"]) == 2  # type: ignore[arg-type]
    order = [(e.node, e.kind) for e in events]
    begun = order[: order.index(("walk/reflect", "finished"))]
    assert begun.count(("walk/recall", "started")) == 2, "one walk waited for the other"
    assert len({item.id for item in report.evidence}) == len(report.evidence)


async def test_a_budget_of_ten_pages_is_shared(site: Site, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, allow_private=("127.0.0.1",))
    budget = {"pages": 10}
    question = Question.model_validate(
        {"text": TWO_PAGES, "sites": (site.url(),), "seed": 7, "budget": budget}
    )
    async with open_sessions(settings) as sessions:
        id = await sessions.start(question, "abreast", "offline")
        report = await sessions.run(id, lambda _: None)
    assert len(report.visited) <= 10
    assert report.spent.pages_fetched <= 10
    assert report.status in {"answered", "partial"}


async def test_at_every_moment_of_a_run_it_can_be_looked_at(
    site: Site, tmp_path: Path, file: sqlite3.Connection
) -> None:
    settings = Settings(data=tmp_path, allow_private=("127.0.0.1",))
    question = Question(text=TWO_PAGES, sites=(site.url(),), seed=7)
    async with open_sessions(settings) as sessions:
        id = await sessions.start(question, "abreast", "offline")
        await sessions.show(id)
        file.execute(KEEP_WRITES)
        looks = [await sessions.run(id)]
    while newest_forgotten(file):
        async with open_sessions(settings) as sessions:
            looks.append(await sessions.show(id))
    for later, earlier in pairwise(looks):
        assert {item.id for item in earlier.evidence} <= {item.id for item in later.evidence}
        assert earlier.spent.actions <= later.spent.actions
        assert earlier.spent.rounds <= later.spent.rounds
    last, written = looks[:2]
    assert [item.id for item in written.evidence] == [item.id for item in last.evidence]
    assert written.spent.actions == last.spent.actions > 0


def newest_forgotten(file: sqlite3.Connection) -> bool:
    """Go back to the moment before the newest checkpoint: its nodes have written, and no more."""
    file.execute(FORGET, file.execute(NEWEST).fetchone())
    return bool(file.execute(NEWEST).fetchone() != (None,))
