"""Recorded results and errors of the Web port are replayed, and nothing else is."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from pathlib import Path

import pytest
from pydantic import JsonValue

from forager.adapters.recording.document_tape import FILE
from forager.adapters.recording.port_recording import Replay, record_port
from forager.adapters.recording.tape import PlayedTape, Tape
from forager.adapters.recording.web_recording import web_calls
from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.web.web_port import WebAdapter
from forager.budget import start_meter
from forager.domain.state import SubQuestion
from forager.errors import RobotsError, StatusError, StoreError, UsageError
from forager.ports import Web
from forager.settings import Settings
from tests.fakes import FakeEmbedder
from tests.observatory import ANOTHER, PAGES
from tests.servers import Reply, Site

ROBOTS = "User-agent: *\nDisallow: /staff.html\n"


@pytest.fixture
def site() -> Iterator[Site]:
    with Site({**PAGES, "/robots.txt": Reply(ROBOTS, kind="text/plain")}) as served:
        yield served


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "a recording"


@pytest.fixture
async def recorder(settings: Settings, blobs: SqliteBlobs, folder: Path) -> AsyncIterator[Web]:
    async with aclosing(WebAdapter(settings, blobs, FakeEmbedder())) as door:
        yield record_port(door, web_calls(blobs), Tape(folder / FILE))


def replayed(folder: Path, blobs: SqliteBlobs) -> Web:
    return Replay(web_calls(blobs), PlayedTape(folder / FILE))


def part(site: Site) -> SubQuestion:
    return SubQuestion(
        id="p1", text=ANOTHER, query=ANOTHER, site=site.url(), terms={"children": 2.0}
    )


async def test_all_is_given_again_without_the_site(
    recorder: Web, blobs: SqliteBlobs, site: Site, folder: Path
) -> None:
    root, visits = site.url(), site.url("/visits.html")
    surveyed = await recorder.survey(root, 100)
    terms = await recorder.term_statistics(root, ANOTHER)
    hits = await recorder.rank(ANOTHER, [part(site)], 3)
    opened = await recorder.open(visits)
    asked = len(site.asked)
    replay = replayed(folder, blobs)
    assert await replay.survey(root, 100) == surveyed
    assert await replay.term_statistics(root, ANOTHER) == terms
    assert await replay.rank(ANOTHER, [part(site)], 3) == hits
    with start_meter() as used:
        again = await replay.open(visits)
    assert (again.document, again.blob, again.cached) == (opened.document, opened.blob, True)
    assert again.fetched == opened.fetched > 0
    assert (used.pages_fetched, used.pages_cached) == (0, 1)
    assert len(site.asked) == asked


async def test_errors_are_raised_again(
    recorder: Web, blobs: SqliteBlobs, site: Site, folder: Path
) -> None:
    for path in ("/gone.html", "/staff.html"):
        with pytest.raises((StatusError, RobotsError)):
            await recorder.open(site.url(path))
    replay = replayed(folder, blobs)
    with pytest.raises(StatusError) as gone:
        await replay.open(site.url("/gone.html"))
    assert gone.value.status == 404
    with pytest.raises(RobotsError, match=r"robots\.txt"):
        await replay.open(site.url("/staff.html"))


async def test_a_page_that_changed_is_played_as_it_was_each_time(
    recorder: Web, blobs: SqliteBlobs, folder: Path
) -> None:
    tape = Tape(folder / FILE)
    for text in ("one", "two"):
        tape.add_entry("open u", None, {"url": "u", "text": text})
    replay = replayed(folder, blobs)
    texts = [(await replay.open("u")).document.text for _ in range(4)]
    assert texts == ["one", "two", "two", "two"]


async def test_call_that_is_not_recorded_ends_the_replay(
    recorder: Web, blobs: SqliteBlobs, site: Site, folder: Path
) -> None:
    """The run must end: it is not the recorded run."""
    await recorder.open(site.url("/visits.html"))
    replay = replayed(folder, blobs)
    with pytest.raises(UsageError, match=r"The page .*/library.html is not in the recording"):
        await replay.open(site.url("/library.html"))
    with pytest.raises(UsageError, match=r"A survey of .*, 7 pages, is not in"):
        await replay.survey(site.url(), 7)
    with pytest.raises(UsageError, match="The ranking for these sub-questions is not in"):
        await replay.rank(ANOTHER, [part(site)], 3)


async def test_cut_off_recording_is_played_to_its_end(
    recorder: Web, blobs: SqliteBlobs, site: Site, folder: Path
) -> None:
    await recorder.open(site.url("/visits.html"))
    with (folder / FILE).open("a") as file:
        file.write('{"key": "open ')
    assert (await replayed(folder, blobs).open(site.url("/visits.html"))).document.text


@pytest.mark.parametrize("line", ['"text"', '{"key": 1}'])
def test_invalid_recording_raises(blobs: SqliteBlobs, folder: Path, line: str) -> None:
    with pytest.raises(UsageError, match="There is no recording in"):
        replayed(folder, blobs)
    folder.mkdir()
    (folder / FILE).write_text(f"{line}\n{json.dumps({'key': '', 'asked': 0, 'reply': 0})}\n")
    with pytest.raises(UsageError, match="line 1 is not an entry"):
        replayed(folder, blobs)
    (folder / FILE).write_text("no json\n")
    with pytest.raises(UsageError, match="has no entries"):
        replayed(folder, blobs)


async def test_unwritable_folder_raises(
    settings: Settings, blobs: SqliteBlobs, site: Site, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    async with aclosing(WebAdapter(settings, blobs, FakeEmbedder())) as door:
        recorder = record_port(door, web_calls(blobs), Tape(tmp_path / "file" / FILE))
        with pytest.raises(StoreError, match="cannot be written"):
            await recorder.open(site.url("/visits.html"))


async def test_the_map_of_an_older_recording_is_given(blobs: SqliteBlobs, folder: Path) -> None:
    told: JsonValue = {
        "site": "http://h/",
        "pages": 3,
        "title": "H",
        "lang": "",
        "fetched": 3,
        "notes": [],
    }
    Tape(folder / FILE).add_entry("survey http://h/ 9", None, told)
    found = await replayed(folder, blobs).survey("http://h/", 9)
    assert (found.pages, found.title) == (3, "H")
