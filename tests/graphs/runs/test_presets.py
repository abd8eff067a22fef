"""Every preset answers end to end: real pages over loopback, the real nodes, the built-in model."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.store.checkpoints.saver import open_checkpoints
from forager.domain.answers import Answer
from forager.domain.documents import Document
from forager.domain.state import Question
from forager.text.quotes import verify_quote
from graphs.reports.report import Report
from graphs.runtime.state_reader import read_state
from tests.graphs.runs.test_crash import outcome, worker
from tests.graphs.worker import opened
from tests.observatory import ANOTHER, FOUNDED, GROUND, PAGES, TICKETS, TWO_PAGES, UNANSWERABLE
from tests.servers import Site

PRESETS = ["webwalker", "infogent", "mango", "abreast", "forager"]
QUESTIONS = {"two": TWO_PAGES, "one": ANOTHER, "none": UNANSWERABLE}


class Told(NamedTuple):
    """What a question came to: the report, the answer with its offsets, the pages asked for."""

    report: Report
    answer: Answer
    asked: Counter[str]


def asking(site: Site, text: str) -> Question:
    return Question(text=text, sites=(site.url(),), seed=7)


async def ask(folder: Path, site: Site, id: str, graph: str) -> Told:
    site.asked.clear()
    question = asking(site, QUESTIONS[id])
    async with opened(folder, str(site.port)) as sessions:
        await sessions.start(question, graph, "offline", id)
    return await resume(folder, site, id)


async def resume(folder: Path, site: Site, id: str) -> Told:
    async with opened(folder, str(site.port)) as sessions:
        report = await sessions.run(id)
    async with open_checkpoints(folder / "checkpoints.sqlite") as states:
        state = await read_state(states, id, asking(site, QUESTIONS[id]))
    assert state.answer is not None, report.error
    asked = Counter(path for path in site.paths() if path in PAGES)
    return Told(report, state.answer, asked)


def check_citations(folder: Path, answer: Answer) -> None:
    """Each quote stands in the stored page at its offsets, and its id in the text."""
    with closing(SqliteBlobs(folder / "blobs.sqlite")) as blobs:
        for citation in answer.citations:
            page = Document.model_validate_json(blobs.get(citation.blob))
            assert page.url == citation.url
            assert verify_quote(page.text, citation.start, citation.end, citation.quote)
            assert f"[{citation.id}]" in answer.text


@pytest.fixture(scope="module", params=PRESETS)
def told(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Told]:
    """All questions, one after the other, in one folder: the site is new to the first alone."""
    folder = tmp_path_factory.mktemp(request.param)

    async def ask_all(site: Site) -> dict[str, Told]:
        return {id: await ask(folder, site, id, request.param) for id in QUESTIONS}

    with Site(PAGES) as site:
        found = asyncio.run(ask_all(site))
    for each in found.values():
        check_citations(folder, each.answer)
    return found


def test_a_question_is_answered_with_quotes(told: Mapping[str, Told]) -> None:
    report, answer, _ = told["one"]
    assert (report.status, report.open) == ("answered", ())
    assert TICKETS in answer.text
    assert any(TICKETS in citation.quote for citation in answer.citations)


def test_what_stands_on_two_pages_is_brought_together(told: Mapping[str, Told]) -> None:
    report, answer, _ = told["two"]
    facts = [FOUNDED, GROUND]
    if report.graph == "webwalker":  # it stops at the first page that seems enough
        facts = [fact for fact in facts if fact in answer.text]
    assert facts
    for fact in facts:
        assert fact in answer.text
        assert any(fact in citation.quote for citation in answer.citations)
    assert report.status == "answered"


def test_what_the_site_does_not_say_is_not_answered(told: Mapping[str, Told]) -> None:
    report, answer, _ = told["none"]
    assert (report.status, report.answer, report.citations) == ("abstained", "", ())
    assert report.open == (UNANSWERABLE,)
    assert answer.reason


def test_an_answer_rests_on_few_quotes_of_pages_that_were_visited(told: Mapping[str, Told]) -> None:
    for name, (report, answer, _) in told.items():
        visited = [page.url for page in report.visited]
        assert {citation.url for citation in answer.citations} <= set(visited)
        assert len(answer.citations) <= (6 if name == "two" else 5)
        assert bool(answer.text) == bool(answer.citations)
        # Branches of `abreast` that run at the same time may follow links to the same page.
        assert report.graph == "abreast" or len(set(visited)) == len(visited)
        assert report.spent.actions >= len(visited)
        assert visited or (report.graph == "infogent" and report.status == "abstained")


def test_a_page_is_fetched_once_for_all_questions(told: Mapping[str, Told]) -> None:
    asked = sum((each.asked for each in told.values()), Counter[str]())
    assert max(asked.values()) == 1
    assert sum(each.report.spent.pages_fetched for each in told.values()) == asked.total()


def test_a_second_question_on_a_surveyed_site_fetches_nothing(told: Mapping[str, Told]) -> None:
    if told["two"].report.graph == "webwalker":
        pytest.skip("it surveys nothing")
    assert told["two"].asked == Counter(PAGES.keys())
    for id in ("one", "none"):
        assert not told[id].asked
        spent = told[id].report.spent
        assert spent.pages_fetched == 0
        assert spent.pages_cached == len(told[id].report.visited)


async def test_killed_at_two_steps_it_answers_as_if_undisturbed(tmp_path: Path) -> None:
    """Killed when a page was opened, and when the ledger was edited; neither was written down."""
    folder = tmp_path / "killed"
    with Site(PAGES) as site:
        whole = await ask(tmp_path / "whole", site, "two", "forager")
        site.asked.clear()
        async with opened(folder, str(site.port)) as sessions:
            await sessions.start(asking(site, TWO_PAGES), "forager", "offline", "two")
            for event, node in ((17, "act"), (7, "aggregate")):
                arguments = ("kill", str(event), "two")
                with worker(folder, *arguments, world=str(site.port)) as process:
                    process.wait()
                last = (await sessions.events("two"))[-1]
                assert (last.node, last.kind) == (node, "finished")
                assert (await sessions.show("two")).status == "interrupted"
        again = await resume(folder, site, "two")
    assert outcome(again.report) == outcome(whole.report)
    assert again.answer == whole.answer
    assert again.asked == whole.asked == Counter(PAGES.keys())
    check_citations(folder, again.answer)
