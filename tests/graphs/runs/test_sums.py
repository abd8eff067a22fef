"""A question for a difference, asked of two pages: the formula is in the answer, and cited."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.prompt_sections import prompt_sections
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.settings import Settings
from graphs.reports.report import Report
from graphs.sessions.model_choice import settle_models
from graphs.sessions.service import open_sessions
from tests.endpoint import Asked, Endpoint, Reply
from tests.endpoint.reader import ENTRY, reads
from tests.endpoint.request import Json, said
from tests.loopback_model import role
from tests.servers import Site

LINKS = '<ul><li><a href="/skarn.html">Skarn</a><li><a href="/holm.html">Holm</a></ul>'
ROUTES = {
    "/": f"<title>Towers</title><h1>Towers</h1><p>All about the towers of the coast.</p>{LINKS}",
    "/skarn.html": "<title>Skarn</title><h1>Skarn</h1><p>The tower of Skarn has 1,245 steps, and "
    "was painted white by the harbour guild.</p>",
    "/holm.html": "<title>Holm</title><h1>Holm</h1><p>The tower of Holm has 324 steps, and was "
    "built of red bricks by the herring guild.</p>",
}
QUESTION = "How many more steps does the tower of Skarn have than the tower of Holm?"


@pytest.fixture(scope="module")
def towers() -> Iterator[Site]:
    with Site(ROUTES) as served:
        yield served


async def ask(folder: Path, site: Site, endpoint: Endpoint) -> Report:
    """One session with the preset `forager`."""
    budget = Budget(rounds=3, steps=6)
    question = Question(text=QUESTION, sites=(site.url(),), budget=budget)
    allowed = (f"127.0.0.1:{site.port}",)
    settings = Settings(data=folder, allow_private=allowed, base_url=endpoint.url)
    line = settle_models("openai:any", settings, budget)
    async with open_sessions(settings) as sessions:
        return await sessions.run(await sessions.start(question, "forager", line))


def cited(report: Report) -> set[str]:
    """The pages that are cited."""
    return {citation.url.rpartition("/")[2] for citation in report.citations}


def summing(wrong: bool) -> Iterator[Endpoint]:
    """A model that asks for the difference, at first of a value that no quote says."""
    answers: list[Asked] = []

    def reply(asked: Asked) -> Reply:
        if role(asked) != "answerer":
            return reads(asked)
        answers.append(asked)
        value = "9,999 steps" if wrong and len(answers) == 1 else "1,245 steps"
        return Reply(_difference(asked, value))

    with Endpoint(reply) as served:
        yield served


@pytest.mark.parametrize("wrong", [False, True])
async def test_a_model_asks_for_a_sum(towers: Site, tmp_path: Path, wrong: bool) -> None:
    for endpoint in summing(wrong):
        report = await ask(tmp_path, towers, endpoint)
        asked = [each for each in endpoint.requests if role(each) == "answerer"]
    assert "= 921 steps" in report.answer
    assert cited(report) == {"skarn.html", "holm.html"}
    assert report.doubts == ()
    assert len(asked) == (2 if wrong else 1)
    if wrong:
        assert "The quote does not say '9,999 steps'" in said(asked[1].messages[-1])


def _difference(asked: Asked, first: str) -> Json:
    quotes = dict(ENTRY.findall(prompt_sections(said(asked.messages[1]))["Quotes"]))
    skarn = next(id for id, text in quotes.items() if "1,245" in text)
    holm = next(id for id, text in quotes.items() if "324" in text)
    operands = [{"quote": skarn, "value": first}, {"quote": holm, "value": "324 steps"}]
    return {
        "text": "The tower of Skarn has more steps: {sum 1}.",
        "sums": [{"operation": "difference", "operands": operands}],
        "open": [],
    }
