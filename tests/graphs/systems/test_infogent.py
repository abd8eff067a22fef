"""The preset infogent through search engines on loopback: one that works, and those that do not."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from forager.adapters.store.checkpoints.saver import open_checkpoints
from forager.domain.state import Question
from forager.settings import Settings
from graphs.reports.report import Report
from graphs.runtime.state_reader import read_state
from graphs.sessions.service import Event, open_sessions
from tests.graphs.runs.test_presets import check_citations
from tests.observatory import ANOTHER, FOUNDED, GROUND, PAGES, TICKETS, TWO_PAGES, UNANSWERABLE
from tests.searxng import serving
from tests.servers import Reply, Site

CLOSED = "http://127.0.0.1:9"
PAGE = "/visits.html"
Row = tuple[str, str, str]


class Told:
    """A run's report and events."""

    def __init__(self, report: Report, events: list[Event]) -> None:
        self.report = report
        self.events = events

    @property
    def warned(self) -> list[str]:
        """What the run warned of."""
        return [event.message for event in self.events if event.kind == "warned"]

    @property
    def opened(self) -> list[str]:
        """What the navigator had opened, what failed included."""
        return [str(e.data["target"]) for e in self.events if e.data.get("action") == "visit"]


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(PAGES) as served:
        yield served


async def ask(folder: Path, text: str, *sites: str, **settings: Any) -> Told:
    """A whole run; every host on loopback may be asked."""
    events: list[Event] = []
    settings = {"allow_private": ("127.0.0.1",), "search": ("searxng",), **settings}
    question = Question(text=text, sites=sites, seed=7)
    async with open_sessions(Settings(data=folder, **settings)) as sessions:
        id = await sessions.start(question, "infogent", "offline")
        return Told(await sessions.run(id, events.append), events)


def listing(*rows: Row) -> Reply:
    """What a SearXNG answers that found these pages."""
    results = [{"url": url, "title": title, "content": text} for url, title, text in rows]
    body = {"results": results, "unresponsive_engines": []}
    return Reply(json.dumps(body), kind="application/json")


def good(site: Site) -> Row:
    return site.url(PAGE), "Visits", TICKETS


# ---- an engine that works


async def test_it_searches_a_site_through_an_engine_over_its_pages(
    site: Site, tmp_path: Path
) -> None:
    with serving(tmp_path) as engine:
        told = await ask(tmp_path, TWO_PAGES, site.url(), searxng_url=engine)
        assert told.report.status == "answered"
        assert FOUNDED in told.report.answer
        assert GROUND in told.report.answer
        assert told.report.notes == ()
        assert any("results for" in e.message or "result for" in e.message for e in told.events)
        web = await ask(tmp_path, ANOTHER, searxng_url=engine)
        assert (web.report.status, web.report.open) == ("answered", ())
        assert TICKETS in web.report.answer
        assert [page.url for page in web.report.visited] == [site.url(PAGE)]
        nothing = await ask(tmp_path, UNANSWERABLE, searxng_url=engine)
    assert (nothing.report.status, nothing.report.answer) == ("abstained", "")
    assert nothing.report.open == (UNANSWERABLE,)
    assert "Nothing was found." in nothing.report.notes[0]


async def test_quotes_of_what_was_found_verify(site: Site, tmp_path: Path) -> None:
    with Site({"/search": listing(good(site))}) as engine:
        told = await ask(tmp_path, ANOTHER, searxng_url=engine.url("").rstrip("/"))
    question = Question(text=ANOTHER, sites=(), seed=7)
    async with open_checkpoints(tmp_path / "checkpoints.sqlite") as states:
        state = await read_state(states, told.report.session, question)
    assert state.answer is not None
    assert state.answer.citations
    check_citations(tmp_path, state.answer)


# ---- engines that do not


async def test_no_provider_can_be_reached(tmp_path: Path) -> None:
    told = await ask(tmp_path, ANOTHER, searxng_url=CLOSED)
    assert (told.report.status, told.report.answer) == ("abstained", "")
    assert told.report.open == (ANOTHER,)
    assert "searxng could not be queried" in told.report.notes[0]
    assert told.warned
    assert len([e for e in told.events if e.data.get("action") == "search"]) <= 2


Change = Callable[[Site], dict[str, Any]]


def html(engine: Site) -> dict[str, Any]:
    engine.routes["/search"] = "<h1>Log in</h1>"
    return {"searxng_url": engine.url("").rstrip("/")}


def quota(engine: Site) -> dict[str, Any]:
    engine.otherwise = Reply('{"error": {"code": "PAYMENT"}}', 402, "application/json")
    return brave(engine)


def rate(engine: Site) -> dict[str, Any]:
    engine.otherwise = Reply('{"error": {"code": "QUOTA_LIMITED"}}', 429, "application/json")
    return brave(engine)


def brave(engine: Site) -> dict[str, Any]:
    url = engine.url("").rstrip("/")
    return {"search": ("brave",), "brave_key": SecretStr("k"), "brave_url": url}


@pytest.mark.parametrize(
    ("change", "said"),
    [(html, "a web page instead of JSON"), (quota, "quota is used up"), (rate, "quota is used up")],
)
async def test_what_fails_falls_through_to_what_was_crawled_and_says_so(
    site: Site, tmp_path: Path, change: Change, said: str
) -> None:
    with Site() as engine:
        told = await ask(tmp_path, ANOTHER, site.url(), **change(engine))
        assert engine.asked
    assert told.report.status == "answered"
    assert TICKETS in told.report.answer
    assert said in told.report.notes[0]
    assert sum(said in line for line in told.warned) == 1


async def test_a_quota_falls_through_to_the_next_provider(site: Site, tmp_path: Path) -> None:
    with Site() as spent, Site({"/search": listing(good(site))}) as engine:
        settings = quota(spent)
        url = engine.url("").rstrip("/")
        settings["search"] = ("brave", "searxng")
        told = await ask(tmp_path, ANOTHER, searxng_url=url, **settings)
        assert engine.asked
    assert told.report.status == "answered"
    assert "brave answered 402" in told.warned[0]
    assert "brave answered 402" in told.report.notes[0]


# ---- results that lead nowhere


async def test_bad_results_are_failed_steps_that_the_run_goes_on_from(
    site: Site, tmp_path: Path
) -> None:
    site.routes["/torn.pdf"] = Reply(b"%PDF-1.4 torn", kind="application/pdf")
    site.routes["/inwards"] = Reply(
        status=302, headers={"Location": "http://169.254.169.254/latest"}
    )
    bad = ["/dead.html", "/torn.pdf", "/inwards"]
    rows = [(site.url(path), f"Admission for children {path}", TICKETS) for path in bad]
    private = ("http://10.0.0.1/", "Admission for children", TICKETS)
    with Site({"/search": listing(*rows, private, good(site))}) as engine:
        told = await ask(tmp_path, ANOTHER, searxng_url=engine.url("").rstrip("/"))
    assert told.report.status == "answered"
    assert TICKETS in told.report.answer
    assert told.opened == [*map(site.url, bad), site.url(PAGE)]
    assert [page.url for page in told.report.visited] == [site.url(PAGE)]
    failed = [e.message for e in told.events if e.data.get("outcome") == "failed"]
    assert len(failed) == 3
    assert "1 with a private address" in told.report.notes[0]


async def test_a_named_site_is_not_left_for_a_result(site: Site, tmp_path: Path) -> None:
    with Site() as other, Site() as engine:
        other.otherwise = f"<p>{TICKETS.replace('6', '60')}</p>"
        site.routes["/away"] = Reply(status=302, headers={"Location": other.url("/")})
        away = site.url("/away"), "Admission for children", TICKETS
        elsewhere = other.url("/x"), "Admission for children", TICKETS
        engine.routes["/search"] = listing(elsewhere, away, good(site))
        url = engine.url("").rstrip("/")
        told = await ask(tmp_path, ANOTHER, site.url(), searxng_url=url)
    assert told.report.status == "answered"
    assert "60" not in told.report.answer
    assert site.url("/away") in told.opened
    assert other.url("/x") not in told.opened
    assert {page.url for page in told.report.visited} == {site.url(PAGE)}


async def test_two_hundred_near_copies_are_read_once(site: Site, tmp_path: Path) -> None:
    words = "Admission is told of here and there, on this page and on all of the others"
    copies = [(site.url(f"/copy/{n}"), f"Admission {n}", words) for n in range(200)]
    site.otherwise = f"<title>Admission</title><p>{words}.</p>"
    rows = [*copies[:9], good(site), *copies[9:]]
    with Site({"/search": listing(*rows)}) as engine:
        told = await ask(tmp_path, ANOTHER, searxng_url=engine.url("").rstrip("/"))
    assert told.report.status == "answered"
    assert TICKETS in told.report.answer
    assert len([url for url in told.opened if "/copy/" in url]) <= 1


async def test_copies_alone_end_the_run_soon(site: Site, tmp_path: Path) -> None:
    words = "Nothing at all of what is asked is told here, nor on any other of these pages"
    copies = [(site.url(f"/copy/{n}"), f"Admission children {n}", words) for n in range(200)]
    site.otherwise = f"<title>Copy</title><p>{words}.</p>"
    with Site({"/search": listing(*copies)}) as engine:
        told = await ask(tmp_path, ANOTHER, searxng_url=engine.url("").rstrip("/"))
    assert told.report.status == "abstained"
    assert told.report.open == (ANOTHER,)
    assert len(told.opened) == 1
