"""Whole sessions with the real nodes, on pages over loopback: undisturbed, and killed."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from forager.domain.spend import Budget
from forager.domain.state import Question
from graphs.reports.report import Report
from tests.graphs.runs.test_crash import outcome, worker
from tests.graphs.worker import opened
from tests.servers import Site

TEXTS = {
    "vega": "The harbour of Vega was dredged in 1911 by the engineer Ingrid Solheim.",
    "senja": "The harbour of Senja holds forty boats and was paid for by the herring trade.",
    "engineers": "Engineers of the northern harbours, with their lives and works.",
    "solheim": "Ingrid Solheim was born in the town of Narvik and studied in Trondheim.",
}
QUESTION = "Which engineer dredged the harbour of Vega, and in which town was Ingrid Solheim born?"


def page(title: str, text: str, links: str) -> str:
    listed = "".join(f'<li><a href="/{name}.html">{name.title()}</a>' for name in links.split())
    return f"<title>{title}</title><h1>{title}</h1><p>{text}</p><ul>{listed}</ul>"


HARBOURS = {
    "/": page("Harbours", "A site about harbours.", "vega senja engineers"),
    "/vega.html": page("Vega", TEXTS["vega"], "senja"),
    "/senja.html": page("Senja", TEXTS["senja"], "vega"),
    "/engineers.html": page("Engineers", TEXTS["engineers"], "solheim"),
    "/solheim.html": page("Solheim", TEXTS["solheim"], "engineers"),
}


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(HARBOURS) as served:
        yield served


async def ask(folder: Path, site: Site, graph: str, *kills: int) -> Report:
    """One session, killed at these events one after the other, then run to its end."""
    budget = Budget(rounds=3, steps=6)
    question = Question(text=QUESTION, sites=(site.url(),), budget=budget)
    async with opened(folder, str(site.port)) as sessions:
        await sessions.start(question, graph, "offline", "one")
    moments = chain(*((str(moment), "one") for moment in kills))
    with worker(folder, "kill", *moments, world=str(site.port)) as process:
        assert process.wait() == 0
    async with opened(folder, str(site.port)) as sessions:
        return await sessions.run("one")


@pytest.mark.parametrize("graph", ["abreast", "forager", "infogent", "mango", "webwalker"])
async def test_presets_come_to_an_end_and_fetch_each_page_once(
    site: Site, tmp_path: Path, graph: str
) -> None:
    report = await ask(tmp_path, site, graph)
    assert report.status in {"answered", "partial", "abstained"}
    assert report.visited
    assert max(Counter(site.paths()).values()) == 1
    assert report.spent.pages_fetched == len(site.paths())


@pytest.mark.parametrize("graph", ["abreast", "infogent"])
async def test_a_session_killed_three_times_ends_as_if_undisturbed(
    site: Site, tmp_path: Path, graph: str
) -> None:
    expected = await ask(tmp_path / "whole", site, graph)
    site.asked.clear()
    report = await ask(tmp_path / "killed", site, graph, 4, 6, 7)
    assert outcome(report) == outcome(expected)
    assert max(Counter(site.paths()).values()) == 1
