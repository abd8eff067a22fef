"""Without a model: an answer that only the own search of a wiki, or of notes, leads to."""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager
from pathlib import Path
from urllib.parse import unquote_plus

import pytest

from bench.apps import dokuwiki, mediawiki
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.settings import Settings
from graphs.reports.report import Report
from graphs.sessions.service import Sessions, open_sessions
from graphs.spec.spec import PRESETS
from tests.apps.notebook import notebook
from tests.apps.wikis import dokuwiki_pages, mediawiki_pages
from tests.browsers import needs_browser

pytestmark = needs_browser
NO_DOKUWIKI = pytest.mark.skipif(
    bool(dokuwiki.describe_missing()), reason="DokuWiki is not installed"
)
NO_MEDIAWIKI = pytest.mark.skipif(
    bool(mediawiki.describe_missing()), reason="MediaWiki is not installed"
)
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
    file = sessions.context.settings.data / "few.yaml"
    sessions.context.settings.data.mkdir(exist_ok=True)
    file.write_text(spec.replace("pages: 2000", f"pages: {FEW_PAGES}"), encoding="utf-8")
    question = Question(text=text, sites=(site,), budget=Budget(rounds=4, seconds=120))
    await sessions.start(question, str(file), "offline", "one")
    return await sessions.run("one")


@pytest.mark.parametrize(
    ("pages", "place"),
    [
        pytest.param(dokuwiki_pages, "museum", marks=NO_DOKUWIKI, id="dokuwiki"),
        pytest.param(mediawiki_pages, "/Museum$", marks=NO_MEDIAWIKI, id="mediawiki"),
        pytest.param(notebook, "/harbour/notes/", id="datasette"),
    ],
)
async def test_an_answer_is_found_through_the_search_of_the_site(
    sessions: Sessions,
    tmp_path: Path,
    pages: Callable[[Path], AbstractContextManager[str]],
    place: str,
) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    with pages(folder) as site:
        report = await ask(sessions, "Where was the diving bell of the museum cast?", site)
    assert report.status == "answered", report
    assert [each.what.split()[0] for each in report.actions][:2] == ["Open", "Type"]
    quoted = (each.url for each in report.citations if "was cast in Visby in 1682" in each.quote)
    assert re.search(place, unquote_plus(next(quoted)))
