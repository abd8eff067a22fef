"""The page cache is deleted over the API, on the real pages of the handbook."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from graphs.reports.exports.verify import verify_export
from tests.ui.server.api_client import Caller
from ui.server.handbook.demo_questions import QUESTIONS
from ui.server.handbook.handbook_site import all_pages, serve_pages


@pytest.fixture(scope="module")
def handbook() -> Iterator[str]:
    with serve_pages(all_pages()) as root:
        yield root


def ask(server: Caller, site: str, id: str, number: int) -> Any:
    asked = {"question": QUESTIONS[number].text, "sites": [site], "session": id, "seed": 3}
    assert server.ask("/api/sessions", asked).status == 201
    server.seen(id, "answered")
    return server.ask(f"/api/sessions/{id}").json()


def stored_documents(data: Path) -> int:
    with closing(sqlite3.connect(data / "blobs.sqlite")) as db:
        (count,) = db.execute("SELECT count(*) FROM blobs WHERE kind = 'document'").fetchone()
    return int(count)


async def test_quotes_and_the_site_stay_when_the_cache_is_deleted(
    server: Caller, handbook: str, tmp_path: Path
) -> None:
    assert server.backend
    settings = server.backend.settings
    ask(server, handbook, "before", 0)
    exported = tmp_path / "before.json"
    exported.write_bytes(server.ask("/api/sessions/before/export?format=json").body)
    documents = stored_documents(settings.data)
    assert documents > 20
    assert server.ask("/api/cache", method="DELETE").json()["bytes"] > 100_000
    assert stored_documents(settings.data) == documents
    assert server.ask("/api/cache").json() == {"pages": 0, "bytes": 0}
    assert (await verify_export(exported, settings, live=False)).all_stand
    assert ask(server, handbook, "after", 1)["evidence"]


async def test_documents_that_are_gone_are_fetched_anew_with_a_note(
    server: Caller, handbook: str, tmp_path: Path
) -> None:
    assert server.backend
    data = server.backend.settings.data
    ask(server, handbook, "whole", 0)
    before = stored_documents(data)
    with closing(sqlite3.connect(data / "blobs.sqlite")) as db, db:
        db.execute("DELETE FROM blobs")
    report = ask(server, handbook, "again", 1)
    assert report["evidence"]
    events = server.ask("/api/sessions/again/events").json()
    assert any("fetched anew" in each["message"] for each in events)
    assert stored_documents(data) >= before
