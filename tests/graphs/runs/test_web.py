"""The preset forager on a question without a site, and on one that needs a result on the way."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from forager.adapters.store.checkpoints.saver import open_checkpoints
from forager.domain.state import Question
from forager.errors import SearchError
from forager.settings import Settings
from graphs.reports.report import Report
from graphs.runtime.state_reader import read_state
from graphs.sessions.service import Event, open_sessions
from tests.observatory import ANOTHER, PAGES, TICKETS
from tests.servers import Reply, Site

VIEWER = "Which release of the database does the Granite viewer need at least"
BRIDGE = f"{VIEWER}, and on which day did Holmdb publish that release?"
NEEDS = "The Granite viewer needs Holmdb release 4.7.15 or newer, and 200 MB of disk."
RELEASED = "Release 4.7.15 of Holmdb was published on 12 December 2012."


DAYS = range(1, 15)


def page(title: str, *texts: str) -> str:
    body = "".join(f"<p>{text}</p>" for text in texts)
    return f"<title>{title}</title><h1>{title}</h1>{body}"


VIEWER_SITE = {
    "/": page(
        "Granite viewer", "The Granite viewer shows tables.", "<a href=i.html>Installing</a>"
    ),
    "/i.html": page("Installing the Granite viewer", "Unpack it anywhere.", NEEDS),
}
YEARS = range(2001, 2021)
NEWS = {
    f"/news-{year}.html": page(
        f"News of Holmdb, {year}",
        *(f"Release 4.{year - 1997}.{n} of Holmdb was published on {n} May {year}." for n in DAYS),
        *([RELEASED] if year == 2012 else []),
    )
    for year in YEARS
}
LINKS = "".join(f"<a href='{path}'>News</a> " for path in NEWS)
HOLMDB_SITE = {"/": page("Holmdb", "Holmdb stores tables.", LINKS), **NEWS}
"""Every release has a day: only who knows the release finds the day."""

Engine = Callable[[str], Reply]


def results(*urls: str) -> Reply:
    """What a SearXNG answers that found these pages."""
    found = [{"url": url, "title": url.rpartition("/")[2], "content": ""} for url in urls]
    body = {"results": found, "unresponsive_engines": []}
    return Reply(json.dumps(body), kind="application/json")


@pytest.fixture
def observatory() -> Iterator[Site]:
    with Site(PAGES) as served:
        yield served


@pytest.fixture
def viewer() -> Iterator[Site]:
    with Site(VIEWER_SITE) as served:
        yield served


@pytest.fixture
def holmdb() -> Iterator[Site]:
    with Site(HOLMDB_SITE) as served:
        yield served


async def ask(
    folder: Path, text: str, *sites: str, model: str = "offline", **settings: Any
) -> tuple[Report, list[Event]]:
    """A whole run of the preset forager; every host on loopback may be asked."""
    events: list[Event] = []
    settings = {"allow_private": ("127.0.0.1",), "search": ("searxng",), **settings}
    async with open_sessions(Settings(data=folder, **settings)) as sessions:
        id = await sessions.start(Question(text=text, sites=sites, seed=3), "forager", model)
        return await sessions.run(id, events.append), events


async def test_without_a_site_the_web_is_searched(
    observatory: Site, holmdb: Site, tmp_path: Path
) -> None:
    found = results(observatory.url("/visits.html"), holmdb.url("/news-2001.html"))
    with Site({"/search": found}) as engine:
        report, _ = await ask(tmp_path, ANOTHER, searxng_url=engine.url("").rstrip("/"))
        assert all("site%3A" not in path for path in engine.paths())
    assert report.status == "answered"
    assert TICKETS in report.answer
    assert {arm.site for arm in report.arms} == {observatory.url(), holmdb.url()}
    assert report.visited[0].url == observatory.url("/visits.html")


async def test_what_the_web_gave_is_replayed_without_it(observatory: Site, tmp_path: Path) -> None:
    with Site({"/search": results(observatory.url("/visits.html"))}) as engine:
        first, _ = await ask(
            tmp_path / "one",
            ANOTHER,
            searxng_url=engine.url("").rstrip("/"),
            record=tmp_path / "tape",
        )
    asked = len(observatory.asked)
    again, _ = await ask(
        tmp_path / "two", ANOTHER, model=f"replay:{tmp_path / 'tape'}", searxng_url="http://x.test"
    )
    assert (again.status, again.answer) == (first.status, first.answer)
    assert len(observatory.asked) == asked


async def test_what_cannot_be_surveyed_is_still_opened(observatory: Site, tmp_path: Path) -> None:
    """The front page is gone; the page that was found is there."""
    observatory.routes["/"] = Reply("gone", status=500)
    with Site({"/search": results(observatory.url("/visits.html"))}) as engine:
        report, _ = await ask(tmp_path, ANOTHER, searxng_url=engine.url("").rstrip("/"))
    assert report.status == "answered"
    assert TICKETS in report.answer


async def test_where_nothing_is_found_it_abstains(tmp_path: Path) -> None:
    with Site({"/search": results()}) as engine:
        report, _ = await ask(tmp_path, ANOTHER, searxng_url=engine.url("").rstrip("/"))
    assert (report.status, report.visited) == ("abstained", ())
    assert report.open
    assert any("searxng found nothing" in note for note in report.notes)


async def test_where_no_provider_answers_the_session_says_so_and_can_go_on(
    observatory: Site, tmp_path: Path
) -> None:
    report, _ = await ask(tmp_path, ANOTHER, searxng_url="http://127.0.0.1:9")
    assert report.status == "failed"
    assert "searxng" in report.error
    with Site({"/search": results(observatory.url("/visits.html"))}) as engine:
        url = engine.url("").rstrip("/")
        settings = Settings(
            data=tmp_path, allow_private=("127.0.0.1",), search=("searxng",), searxng_url=url
        )
        async with open_sessions(settings) as sessions:
            resumed = await sessions.run(report.session, lambda _: None)
    assert resumed.status == "answered"


async def test_a_search_of_nothing_sayable_is_an_error_of_its_own(tmp_path: Path) -> None:
    report, _ = await ask(tmp_path, "\x00\x01 ?", searxng_url="http://127.0.0.1:9")
    assert report.status == "failed"
    assert SearchError.__name__ not in report.error


async def test_the_result_of_one_look_up_leads_to_the_next(
    viewer: Site, holmdb: Site, tmp_path: Path
) -> None:
    """Whether the first look-up counts as covered depends on the order of the draws."""
    report, _ = await ask(tmp_path, BRIDGE, viewer.url(), holmdb.url())
    assert report.status in {"answered", "partial"}
    assert NEEDS in report.answer
    assert RELEASED in report.answer
    question = Question(text=BRIDGE, sites=(viewer.url(), holmdb.url()), seed=3)
    async with open_checkpoints(tmp_path / "checkpoints.sqlite") as states:
        state = await read_state(states, report.session, question)
    assert [part.text for part in state.survey.parts if "4.7.15" in part.text]
