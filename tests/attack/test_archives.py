"""Archives are imported by the real API; of a refused one, the data folder holds nothing."""

import sqlite3
import tracemalloc
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from forager.settings import Settings
from tests.attack.archive_edits import attack_archive
from tests.attack.case_reader import case_name, read_cases
from tests.ui.conftest import PAGES
from tests.ui.server.api_client import Caller, called
from ui.server.handbook.handbook_site import HOST, serve_pages

FILES = {
    "sessions.sqlite": ("sessions", "events"),
    "checkpoints.sqlite": ("checkpoints", "pieces"),
    "blobs.sqlite": ("blobs",),
}


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A session that was asked of a site, as an archive."""
    settings = Settings(data=tmp_path_factory.mktemp("from"), allow_private=(HOST,))
    asked = {"question": "Which engineer built the Skarn lighthouse?", "session": "mine"}
    with (
        serve_pages({path: page.encode() for path, page in PAGES.items()}) as root,
        called(settings) as caller,
    ):
        caller.ask("/api/sessions", {**asked, "sites": [root], "budget": {"rounds": 2, "steps": 2}})
        caller.seen("mine", "answered")
        return caller.ask("/api/sessions/mine/export?format=zip").body


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    """Another data folder."""
    with called(Settings(data=tmp_path_factory.mktemp("to"))) as caller:
        yield caller


def count_rows(folder: Path) -> dict[str, int]:
    """How many rows the tables of sessions, steps and pages hold."""
    found: dict[str, int] = {}
    for name, tables in FILES.items():
        if (folder / name).exists():
            with closing(sqlite3.connect(folder / name)) as db:
                for table in tables:
                    query = f"SELECT count(*) FROM {table}"  # noqa: S608
                    found[table] = db.execute(query).fetchone()[0]
    return {table: count for table, count in found.items() if count}


def contains(whole: Any, part: Any) -> bool:
    """Whether a value has the members of another one."""
    if isinstance(part, dict):
        return all(contains(whole[name], inner) for name, inner in part.items())
    return bool(whole == part)


@contextmanager
def within(peak: int | None) -> Iterator[None]:
    """What is done takes no more than so many bytes of memory; none sets no limit."""
    if peak is None:
        yield
        return
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < peak
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("case", read_cases("archives"), ids=case_name)
def test_an_archive_is_refused_whole_or_tamed(
    server: Caller, honest: bytes, case: dict[str, Any]
) -> None:
    assert server.backend
    before = count_rows(server.backend.settings.data)
    attack = attack_archive(honest, case)
    with within(case.get("peak")):
        answer = server.ask("/api/sessions/import", attack, "POST")
    listed = server.ask("/api/sessions").json()
    if case["seen"] == "refused":
        assert count_rows(server.backend.settings.data) == before
        assert (answer.status, listed["count"]) == (400, 0), answer.body[:500]
        assert len(answer.json()["error"].splitlines()) == 1
        assert case.get("says", "") in answer.json()["error"]
        return
    id = answer.json()["session"]
    session = server.backend.sessions.call(lambda to: to.get(id))
    events = server.backend.sessions.call(lambda to: to.events(id))
    shown = server.ask(f"/api/sessions/{id}").json()
    assert server.ask(f"/api/sessions/{id}", method="DELETE").status == 200
    assert [each["status"] for each in listed["sessions"]] == ["answered"]
    assert "Marta Lindqvist" in shown["answer"]
    assert case.get("says", "") in events[-1].message
    assert contains(session.model_dump(), case["then"])
