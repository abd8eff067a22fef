"""Sites that contradict or repeat themselves, asked from end to end with the built-in model."""

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from forager.adapters.store.sessions.session_store import Session
from forager.answers.conflicts import LEAD
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.settings import Settings
from graphs.reports.exports import export
from graphs.reports.exports.verify import verify_export
from graphs.reports.report import Report
from graphs.spec.spec import GraphSpec, load_graph
from tests.graphs.fanned_graph import fanned
from tests.graphs.worker import opened
from tests.lighthouses import (
    BUILT,
    CONTRADICTING,
    COPIES,
    HEIGHT,
    LAMP,
    LAMPS,
    NEWER,
    OLDER,
    ONE_YEAR,
    OTHER_YEAR,
    REPEATING,
)
from tests.servers import Site

FANNED = fanned(
    "walk",
    "{pages: 100, top: 6}",
    "{parallel: 3, rounds: 4}",
    "{type: navigator, params: {steps: 4}}",
)


def thorough() -> GraphSpec:
    """The preset with all its rounds; its critic is not content while a likely page is unread."""
    spec = load_graph("forager")
    judge = spec.nodes["judge"].model_copy(update={"params": {"elsewhere": 0.0}})
    params = {**spec.nodes["select"].params, "offline_rounds": 0}
    select = spec.nodes["select"].model_copy(update={"params": params})
    return spec.model_copy(update={"nodes": {**spec.nodes, "judge": judge, "select": select}})


async def ask(
    folder: Path, pages: Mapping[str, str], text: str, graph: GraphSpec | str = "forager"
) -> tuple[Session, Report]:
    with Site(pages) as site:
        question = Question(text=text, sites=(site.url(),), seed=7, budget=Budget(pages=30))
        async with opened(folder, str(site.port)) as sessions:
            await sessions.start(question, graph, "offline", "one")
            report = await sessions.run("one")
            [session] = await sessions.listing.all()
    return session, report


async def test_a_contradiction_is_shown_with_both_quotes(tmp_path: Path) -> None:
    session, report = await ask(tmp_path, CONTRADICTING, HEIGHT)
    assert report.status == "answered"
    [line] = [line for line in report.answer.split("\n") if line.startswith(LEAD)]
    assert line.index(NEWER) < line.index(OLDER)
    assert "dated 2024-05-31" in line
    assert "newer" in line
    assert report.answer.index(NEWER) < report.answer.index(OLDER)
    kept = {item.id: item for item in report.evidence}
    [new] = [item for item in kept.values() if NEWER in item.quote]
    [old] = [item for item in kept.values() if OLDER in item.quote]
    assert (new.conflicts, old.conflicts) == ((old.id,), (new.id,))
    assert (old.dated, new.dated) == ("2019-05-03", "2024-05-31")
    assert {new.id, old.id} <= {item.id for item in report.citations}
    assert all(item.fetched is not None for item in kept.values())
    await exported(tmp_path, session, report, OLDER, NEWER)


async def exported(folder: Path, session: Session, report: Report, *quotes: str) -> None:
    """Every format shows both, and the JSON's quotes verify."""
    settings = Settings(data=folder)
    made = {name: await export(session, report, settings, name) for name in ("md", "html", "json")}
    for name in ("md", "html"):
        text = made[name].decode()
        assert LEAD in text
        assert all(quote in text for quote in quotes)
        assert "onflicts with" in text
        assert "ated 2024-05-31" in text or "2024-05-31</time>" in text
    body = json.loads(made["json"])
    for entry, item in zip(body["evidence"], report.evidence, strict=True):
        assert entry["fetched"].removesuffix("Z") in str(item.fetched).replace(" ", "T")
        assert entry.get("conflicts", []) == list(item.conflicts)
    file = folder / "export.json"
    file.write_bytes(made["json"])
    assert (await verify_export(file, settings, live=False)).all_stand


@pytest.mark.parametrize("graph", ["forager", FANNED], ids=["forager", "fanned"])
async def test_without_dates_neither_is_preferred(tmp_path: Path, graph: GraphSpec | str) -> None:
    """Also where the two pages are read at once, by branches that do not know each other."""
    _, report = await ask(tmp_path, CONTRADICTING, BUILT, graph)
    [line] = [line for line in report.answer.split("\n") if line.startswith(LEAD)]
    assert ONE_YEAR in line
    assert OTHER_YEAR in line
    assert "Neither is preferred" in line
    kept = {item.id: item for item in report.evidence}
    for item in kept.values():
        assert all(item.id in kept[id].conflicts for id in item.conflicts)
        assert all(item.id in kept[id].agrees for id in item.agrees)
    assert sum(bool(item.conflicts) for item in kept.values()) == 2


@pytest.mark.parametrize("graph", [thorough(), FANNED], ids=["forager", "fanned"])
async def test_one_sentence_on_ten_pages_is_one_entry(tmp_path: Path, graph: GraphSpec) -> None:
    session, report = await ask(tmp_path, REPEATING, LAMP, graph)
    [item] = [item for item in report.evidence if LAMPS in item.quote]
    read = {page.url for page in report.visited if "copy" in page.url}
    assert {item.url, *item.also} == read
    assert len(item.also) == len(read) - 1
    if graph is not FANNED:
        assert len(item.also) == COPIES - 1
    assert LEAD not in report.answer
    settings = Settings(data=tmp_path)
    page = (await export(session, report, settings, "html")).decode()
    assert all(url in page for url in item.also)
    rows = csv.DictReader(io.StringIO((await export(session, report, settings, "csv")).decode()))
    assert sum(LAMPS in row["quote"] for row in rows) == 1
