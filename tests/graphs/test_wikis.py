"""Without a model: an answer that only the own search of a wiki, or of notes, leads to."""

from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import unquote_plus

import pytest

from bench.apps import dokuwiki, mediawiki
from forager.settings import Settings
from forager.spend import Budget
from forager.state import Question
from graphs.report import Report
from graphs.sessions import Sessions, open_sessions
from graphs.spec import PRESETS
from tests.apps.notebook import notebook
from tests.apps.wikis import dokuwiki_pages, mediawiki_pages
from tests.browsers import needs_browser

pytestmark = needs_browser
FEW_PAGES = 3
"""Pages that are mapped: the answer is on none of them."""


@pytest.fixture
async def sessions(tmp_path: Path) -> AsyncIterator[Sessions]:
    settings = Settings(data=tmp_path / "data", allow_private=("127.0.0.1",), politeness_seconds=0)
    async with open_sessions(settings) as opened:
        yield opened


async def ask(sessions: Sessions, text: str, site: str) -> Report:
    """Asked of the preset, with few pages mapped."""
    spec = (PRESETS / "forager.yaml").read_text(encoding="utf-8")
    file = sessions.settings.data / "few.yaml"
    sessions.settings.data.mkdir(exist_ok=True)
    file.write_text(spec.replace("pages: 2000", f"pages: {FEW_PAGES}"), encoding="utf-8")
    question = Question(text=text, sites=(site,), budget=Budget(rounds=4, seconds=120))
    await sessions.start(question, str(file), "offline", "one")
    return await sessions.run("one")


def found(report: Report, quote: str) -> str:
    """Where the quote stands, once the wiki was searched."""
    assert report.status == "answered", report
    assert [each.what.split()[0] for each in report.actions][:2] == ["Open", "Type"]
    return unquote_plus(next(each.url for each in report.citations if quote in each.quote))


@pytest.mark.skipif(bool(dokuwiki.missing()), reason="DokuWiki and PHP are not installed")
async def test_an_answer_is_found_through_the_search_of_dokuwiki(
    sessions: Sessions, tmp_path: Path
) -> None:
    (tmp_path / "wiki").mkdir()
    with dokuwiki_pages(tmp_path / "wiki") as site:
        report = await ask(sessions, "Where was the diving bell of the museum cast?", site)
    assert "museum" in found(report, "was cast in Visby in 1682")


@pytest.mark.skipif(bool(mediawiki.missing()), reason="MediaWiki and PHP are not installed")
async def test_an_answer_is_found_through_the_search_of_mediawiki(
    sessions: Sessions, tmp_path: Path
) -> None:
    (tmp_path / "wiki").mkdir()
    with mediawiki_pages(tmp_path / "wiki") as site:
        report = await ask(sessions, "Where was the diving bell of the museum cast?", site)
    assert found(report, "was cast in Visby in 1682").endswith("/Museum")


async def test_an_answer_is_found_through_the_search_of_datasette(
    sessions: Sessions, tmp_path: Path
) -> None:
    (tmp_path / "notes").mkdir()
    with notebook(tmp_path / "notes") as site:
        report = await ask(sessions, "Where was the diving bell of the museum cast?", site)
    assert found(report, "was cast in Visby in 1682").startswith(f"{site}/")
