"""The page cache is deleted, and sessions stand and go on as if it were not."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.ports import BlobKind
from forager.settings import Settings
from graphs.reports.stored_pages import open_blobs, read_stored_page
from graphs.sessions.service import open_sessions
from graphs.system.page_cache import PageCacheSize, delete_page_cache, measure_page_cache
from tests.graphs.partial_runs import running_until
from tests.graphs.sessions.test_steering_real import opened
from tests.graphs.systems.test_real import HARBOURS, QUESTION
from tests.old_data import old_settings, unpack
from tests.servers import Site

LONG = {
    path: f"{page}<!-- {Random(path).randbytes(20_000).hex()} -->"
    for path, page in HARBOURS.items()
}


def size(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.glob("blobs.sqlite*"))


@pytest.mark.parametrize("node", ["survey", "select", "navigate", "judge"])
async def test_deleting_the_cache_keeps_answers_and_quotes(tmp_path: Path, node: str) -> None:
    settings = Settings(data=tmp_path)
    with Site(LONG) as site:
        question = Question(
            text=QUESTION, sites=(site.url(),), budget=Budget(rounds=3, steps=4), seed=1
        )
        async with opened(tmp_path, site) as sessions:
            await sessions.start(question, "forager", "offline", "whole")
            report = await sessions.run("whole")
            await sessions.start(question, "forager", "offline", "left")
            task = await running_until(sessions, "left", node)
            await sessions.pause("left")
            assert (await task).status == "paused"
            markdown = await sessions.export("whole", "md")
            before = size(tmp_path)
            held = measure_page_cache(settings)
            assert held.pages == len(HARBOURS)
            assert held.bytes > 100_000
            assert delete_page_cache(settings) == held
            assert measure_page_cache(settings) == PageCacheSize()
            assert before - size(tmp_path) >= held.bytes
            assert await sessions.show("whole") == report
            assert await sessions.export("whole", "md") == markdown
            with open_blobs(settings) as blobs:
                for item in report.evidence:
                    page = read_stored_page(blobs, item.blob)
                    assert page is not None
                    assert page.text[item.start : item.end] == item.quote
            again = await sessions.run("left")
            assert again.answer == report.answer
            assert [each.quote for each in again.evidence] == [
                each.quote for each in report.evidence
            ]


@pytest.mark.parametrize("node", ["survey", "select", "navigate", "extract", "judge"])
async def test_a_session_goes_on_when_every_page_is_gone(tmp_path: Path, node: str) -> None:
    with Site(HARBOURS) as site:
        question = Question(
            text=QUESTION, sites=(site.url(),), budget=Budget(rounds=3, steps=4), seed=1
        )
        async with opened(tmp_path, site) as sessions:
            await sessions.start(question, "forager", "offline", "whole")
            report = await sessions.run("whole")
            await sessions.start(question, "forager", "offline", "left")
            task = await running_until(sessions, "left", node)
            await sessions.pause("left")
            assert (await task).status == "paused"
            with closing(sqlite3.connect(tmp_path / "blobs.sqlite")) as db, db:
                db.execute("DELETE FROM blobs")
            again = await sessions.run("left")
            assert again.answer == report.answer
            with open_blobs(Settings(data=tmp_path)) as blobs:
                for item in again.evidence:
                    page = read_stored_page(blobs, item.blob)
                    assert page is not None
                    assert page.text[item.start : item.end] == item.quote


@pytest.mark.parametrize("kinds", [("response", "document"), ("document", "response")])
def test_a_document_that_was_also_fetched_as_a_page_stays(
    tmp_path: Path, kinds: tuple[BlobKind, BlobKind]
) -> None:
    settings = Settings(data=tmp_path)
    with open_blobs(settings) as blobs:
        for kind in kinds:
            document = blobs.put(b'{"text": "A page of a manual."}', kind)
        page = blobs.put(b"<p>A page.", "response")
        assert delete_page_cache(settings).bytes > 0
        assert set(blobs.read_sizes()) == {document}
        assert blobs.find_missing([document, page]) == {page}


async def test_quotes_of_version_0_1_stay(tmp_path: Path) -> None:
    settings = old_settings(unpack(tmp_path / "data"))
    delete_page_cache(settings)
    async with open_sessions(settings) as sessions:
        report = await sessions.show("answered")
    with open_blobs(settings) as blobs:
        for item in report.evidence:
            page = read_stored_page(blobs, item.blob)
            assert page is not None
            assert page.text[item.start : item.end] == item.quote
    assert report.evidence


def test_an_empty_folder_has_no_cache(tmp_path: Path) -> None:
    assert delete_page_cache(Settings(data=tmp_path)) == PageCacheSize()
