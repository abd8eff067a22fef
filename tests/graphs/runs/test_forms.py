"""Without a model: answers that stand behind a site's own search, and behind a filter form."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bench.apps.datasette_table import make_stations, serve_datasette
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.settings import Settings
from graphs.reports.report import Report
from graphs.sessions.service import Sessions, open_sessions
from graphs.spec.spec import PRESETS
from tests.apps.sphinx_manual import manual
from tests.browsers import needs_browser
from tests.servers import Site

pytestmark = needs_browser
STATION = make_stations()[2345]
FEW_PAGES = 4
"""Pages that are mapped: the answer is on none of them."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with manual(tmp_path_factory.mktemp("manual")) as served:
        yield served


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serve_datasette(tmp_path_factory.mktemp("table")) as root:
        yield f"{root}/weather/stations"


@pytest.fixture
async def sessions(tmp_path: Path) -> AsyncIterator[Sessions]:
    settings = Settings(data=tmp_path, allow_private=("127.0.0.1",), politeness_seconds=0)
    async with open_sessions(settings) as opened:
        yield opened


async def ask(sessions: Sessions, text: str, site: str) -> Report:
    """Asked of the preset, with few pages mapped."""
    spec = (PRESETS / "forager.yaml").read_text(encoding="utf-8")
    assert "pages: 2000" in spec
    file = sessions.context.settings.data / "few.yaml"
    file.write_text(spec.replace("pages: 2000", f"pages: {FEW_PAGES}"), encoding="utf-8")
    question = Question(text=text, sites=(site,), budget=Budget(rounds=4))
    await sessions.start(question, str(file), "offline", "one")
    return await sessions.run("one")


def done(report: Report) -> list[str]:
    """What was done in a browser, each in its first word."""
    return [each.what.split()[0].lower() for each in report.actions]


async def test_an_answer_is_found_through_a_manuals_search(sessions: Sessions, site: Site) -> None:
    report = await ask(sessions, "What does the message E23 say of a float?", site.url())
    assert report.status == "answered"
    first = report.citations[0]
    assert first.url == site.url("/errors.html")
    assert "E23 that its float hangs" in first.quote
    assert done(report) == ["open", "type", "click"]


async def test_an_answer_is_found_through_a_filter_form(sessions: Sessions, table: str) -> None:
    text = f"What is the elevation of the station {STATION.name}?"
    report = await ask(sessions, text, table)
    assert report.status == "answered"
    first = report.citations[0]
    assert f"{STATION.name} | {STATION.country}" in first.quote
    assert f"| {STATION.elevation} |" in first.quote
    assert "name__contains=" in urlsplit(first.url).query
    assert done(report) == ["open", "select", "select", "type"]


async def test_a_question_that_links_answer_starts_no_browser(
    sessions: Sessions, site: Site
) -> None:
    report = await ask(sessions, "What does a harbour have in Tidewater?", site.url())
    assert report.status == "answered"
    assert not report.actions


SCRIPTED = """<title>Reeds</title><div id="app"></div><script>
document.getElementById("app").innerHTML =
  "<h1>Reeds</h1><p>A reed relay needs twelve volts.</p><a href='/more'>More</a>";
</script>"""
GATE = """<title>Before you enter</title><h1>For keepers only</h1>
<button onclick="document.body.innerHTML = '<h1>Keepers</h1>'
  + '<p>The lantern of Skarn burns rape oil since 1861.</p>'">Enter</button>"""


async def test_a_site_that_shows_nothing_without_scripts_is_rendered(sessions: Sessions) -> None:
    with Site({"/": SCRIPTED}) as site:
        report = await ask(sessions, "How many volts does a reed relay need?", site.url())
    assert report.status == "answered"
    assert "A reed relay needs twelve volts." in report.citations[0].quote


async def test_what_stands_between_is_passed(sessions: Sessions) -> None:
    with Site({"/": GATE}) as site:
        report = await ask(sessions, "Which oil does the lantern of Skarn burn?", site.url())
    assert report.status == "answered"
    assert "rape oil" in report.citations[0].quote
    assert done(report) == ["open", "click"]
