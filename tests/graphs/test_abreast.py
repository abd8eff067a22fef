"""The preset abreast: look-ups that need nothing of each other are pursued at once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from forager.settings import Settings
from forager.state import Question
from graphs.sessions import Event, open_sessions
from tests.observatory import FOUNDED, GROUND, PAGES, TWO_PAGES
from tests.servers import Site


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


async def test_a_budget_of_two_pages_is_shared(site: Site, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, allow_private=("127.0.0.1",))
    budget = {"pages": 2}
    question = Question.model_validate(
        {"text": TWO_PAGES, "sites": (site.url(),), "seed": 7, "budget": budget}
    )
    async with open_sessions(settings) as sessions:
        id = await sessions.start(question, "abreast", "offline")
        report = await sessions.run(id, lambda _: None)
    assert len(report.visited) <= 2
    assert report.status in {"answered", "partial"}
