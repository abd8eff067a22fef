"""Sites that attack meet whole runs without a language model: fetcher, reader, answer, exports."""

import asyncio
import csv
import io
import re
from collections.abc import Iterator
from contextlib import ExitStack, redirect_stdout
from typing import Any

import pytest
from rich.console import Console

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.settings import Settings
from forager.text.unicode import TURNING
from graphs.reports.report import Report
from graphs.sessions.service import Event, Sessions, open_sessions
from tests.attack.case_reader import case_name, read_cases
from tests.attack.page_sites import FACT, LIAR, attacking_site
from ui.cli.actions.session_run import print_result
from ui.cli.printing.report_text import print_report

UNSAFE = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f{TURNING}]")
FORMULA = ("=", "+", "@", "-", "\t")
FORMATS = ("md", "html", "csv", "json")


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as made:
        yield made


@pytest.fixture(scope="module")
def sessions(
    runner: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Sessions]:
    """The sessions of one data folder."""
    settings = Settings(
        data=tmp_path_factory.mktemp("data"), allow_private=("127.0.0.1",), memory=False
    )
    opened = open_sessions(settings)
    yield runner.run(opened.__aenter__())
    runner.run(opened.__aexit__(None, None, None))


@pytest.fixture(scope="module")
def sites() -> Iterator[ExitStack]:
    """Holds the sites open, so that none gets the port of an earlier one, whose map is known."""
    with ExitStack() as held:
        yield held


async def ask(sessions: Sessions, url: str) -> tuple[Report, list[Event], list[str]]:
    """The report of a run on a site, its events, and what a person may see of it."""
    budget = Budget(rounds=1, steps=2, seconds=120)
    question = Question(text="Who built the tower of Skarn?", sites=(url,), budget=budget)
    id = await sessions.start(question, "forager", "offline")
    events: list[Event] = []
    report = await sessions.run(id, events.append)
    terminal = io.StringIO()
    print_report(report, Console(file=terminal))
    exports = [(await sessions.export(id, each)).decode() for each in FORMATS]
    with redirect_stdout(io.StringIO()) as output:
        print_result(report, as_json=True)
    return report, events, [terminal.getvalue(), *exports, output.getvalue()]


@pytest.mark.parametrize("case", read_cases("pages"), ids=case_name)
def test_a_site_that_attacks_changes_no_answer(
    runner: asyncio.Runner, sessions: Sessions, sites: ExitStack, case: dict[str, Any]
) -> None:
    site = sites.enter_context(attacking_site(case))
    report, events, shown = runner.run(ask(sessions, site.url()))
    asked = site.paths()
    seen = case.get("seen", ["answered"])
    assert report.status in seen, (report.error, report.reason)
    assert (FACT in report.answer) == ("answered" in seen)
    assert case.get("says", "") in report.error
    assert LIAR not in report.answer
    quoted = [f"{each.title} {each.section} {each.quote}" for each in report.evidence]
    assert not any(LIAR in each for each in quoted)
    assert not any(UNSAFE.search(each) for each in shown)
    table = csv.reader(io.StringIO(shown[1 + FORMATS.index("csv")]))
    assert not any(cell.startswith(FORMULA) for row in table for cell in row)
    assert "](javascript:" not in shown[1 + FORMATS.index("md")]
    assert 'href="javascript:' not in shown[1 + FORMATS.index("html")]
    assert len(asked) <= case.get("most", len(asked))
    assert not set(case.get("unasked", ())) & set(asked)
    told = [event.message for event in events if event.kind == "warned"]
    assert any("speaks to the reader's tools" in each for each in told) or not case.get("warned")
