"""A survey keeps to the budget, and a request to pause or stop does not wait for its end."""

import asyncio
import threading
from pathlib import Path

import pytest

from forager.adapters.web.crawl.crawler import ROOT_SECONDS
from forager.domain.spend import Budget
from forager.domain.state import Question
from graphs.reports.report import Report
from tests.graphs.worker import opened
from tests.servers import Asked, Reply, Site

PAGES = 80
FACT = "The tower of Skarn was built in 1887 by Ottilie Brandt."


def page(number: int) -> str:
    below = (number * 3 + each for each in (1, 2, 3))
    links = "".join(f'<a href="/{each}">page</a> ' for each in below if each < PAGES)
    return f"<title>Page {number}</title><p>Number {number} of the log of the harbour.</p>{links}"


@pytest.fixture
def tree() -> Site:
    """A site of 80 pages, three links on each; the fact is on the first."""
    routes = {f"/{number}": page(number) for number in range(1, PAGES)}
    return Site({**routes, "/": f"<title>Skarn</title><p>{FACT}</p>{page(0)}"})


def asking(site: Site, **limits: float) -> Question:
    text = "Who built the tower of Skarn?"
    budget = Budget.model_validate(limits)
    return Question(text=text, sites=(site.url(),), budget=budget)


async def ask(folder: Path, site: Site, **limits: float) -> Report:
    async with opened(folder, str(site.port)) as sessions:
        return await sessions.run(
            await sessions.start(asking(site, **limits), "forager", "offline")
        )


@pytest.mark.parametrize("pages", [1, 3, 20, 60])
async def test_no_more_pages_are_fetched_than_the_budget_allows(
    tree: Site, tmp_path: Path, pages: int
) -> None:
    with tree:
        report = await ask(tmp_path, tree, pages=pages)
    assert len(tree.paths()) <= pages
    assert report.spent.pages_fetched <= pages
    assert FACT in report.answer


async def test_pages_that_are_gone_count_too(tree: Site, tmp_path: Path) -> None:
    gone = Reply("", 404)
    tree.routes.update({f"/{number}": gone for number in range(2, PAGES, 2)})
    with tree:
        report = await ask(tmp_path, tree, pages=10)
    assert len(tree.paths()) <= 10
    assert FACT in report.answer


async def test_without_a_limit_the_site_is_mapped_whole(tree: Site, tmp_path: Path) -> None:
    with tree:
        report = await ask(tmp_path, tree)
    assert len(tree.paths()) == PAGES
    assert report.status == "answered"


class Gate:
    """A page that is not answered before `open` is set."""

    def __init__(self) -> None:
        self.reached, self.open = threading.Event(), threading.Event()

    def __call__(self, asked: Asked) -> Reply:
        self.reached.set()
        self.open.wait(30)
        return Reply(page(2))


async def ask_held(folder: Path, site: Site, path: str, seconds: float) -> Report:
    """The report of a run that ends while this page is still not answered."""
    gate = Gate()
    site.routes[path] = gate
    with site:
        report = await ask(folder, site, seconds=seconds)
        held = not gate.open.is_set()
        gate.open.set()
    assert held
    return report


async def test_a_survey_that_takes_too_long_leaves_time_to_answer(
    tree: Site, tmp_path: Path
) -> None:
    report = await ask_held(tmp_path, tree, "/2", seconds=10)
    assert FACT in report.answer


async def test_a_site_that_does_not_answer_is_asked_once_and_its_time_counts(
    tree: Site, tmp_path: Path
) -> None:
    report = await ask_held(tmp_path, tree, "/", seconds=1)
    assert report.status == "failed"
    assert "did not answer within the time of the survey" in report.error
    assert tree.paths() == ["/"]
    assert report.spent.seconds >= ROOT_SECONDS


@pytest.mark.parametrize(("verb", "status"), [("pause", "paused"), ("request_stop", "partial")])
async def test_a_request_takes_effect_in_the_middle_of_a_survey(
    tree: Site, tmp_path: Path, verb: str, status: str
) -> None:
    gate = Gate()
    tree.routes["/2"] = gate
    with tree:
        async with opened(tmp_path, str(tree.port)) as sessions:
            id = await sessions.start(asking(tree), "forager", "offline")
            run = asyncio.create_task(sessions.run(id))
            await asyncio.to_thread(gate.reached.wait, 20)
            await getattr(sessions, verb)(id)
            report = await run
            held = not gate.open.is_set()
            gate.open.set()
            assert (report.status, held) == (status, True)
            if status == "partial":
                assert report.reason == "The run was stopped. Pages read: 1 of 2."
                assert FACT in report.answer  # of the pages that were mapped
                assert not list((tmp_path / "index").glob("*"))  # which were not indexed as a site
                return
            resumed = await sessions.run(id)
    assert resumed.status == "answered"
    assert FACT in resumed.answer
    asked = [each for each in tree.paths() if each != "/2"]
    assert len(asked) == len(set(asked))
