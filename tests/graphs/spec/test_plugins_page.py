"""The steps of the handbook's page on own nodes, and how sessions report broken ones."""

import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.settings import Settings
from graphs.check.checker import find_faults
from graphs.reports.report import Report
from graphs.sessions.service import Sessions, open_sessions
from graphs.spec.plugins import load_registry
from graphs.spec.spec import PRESETS, GraphSpec, parse_graph
from tests.servers import Site

PAGE = Path(__file__).parents[3] / "docs" / "own-nodes.md"
RETURNED = '{"evidence": drop_evidence(state.evidence, old)}'
ASKED = "When was the lamp of Ona lit, and who keeps the lighthouse of Runde?"


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    return found[1]


def page(title: str, text: str, year: int) -> str:
    dated = f'<meta property="article:modified_time" content="{year}-05-01">'
    return f"<title>{title}</title>{dated}<h1>{title}</h1><p>{text}</p>"


PAGES = {
    "/": '<title>Lights</title><h1>Lights</h1><a href="/ona">Ona</a> <a href="/runde">Runde</a>',
    "/ona": page("Ona", "The lamp of Ona was lit in 1867.", 2024),
    "/runde": page("Runde", "The keeper Berit Moe keeps the lighthouse of Runde.", 2003),
}


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(PAGES) as served:
        yield served


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "nodes").mkdir()
    (tmp_path / "nodes" / "fresh.py").write_text(block("python"), encoding="utf-8")
    return Settings(data=tmp_path, allow_private=("127.0.0.1",), own_nodes=("fresh.py",))


@pytest.fixture
async def sessions(settings: Settings) -> AsyncIterator[Sessions]:
    async with open_sessions(settings) as opened:
        yield opened


def graph() -> str:
    """A copy of the preset, with the page's lines in place of the edge that they are for."""
    nodes, edges = block("yaml").split("edges:\n")
    text = (PRESETS / "webwalker.yaml").read_text(encoding="utf-8")
    text = text.replace("  - aggregate.next -> judge\n", edges)
    return text.replace("nodes:\n", nodes)


async def ask(sessions: Sessions, site: Site, spec: GraphSpec | str = "") -> Report:
    """The graph of the page, or another one."""
    question = Question(text=ASKED, sites=(site.url(),), budget=Budget(rounds=2, steps=4))
    id = await sessions.start(
        question, spec or parse_graph(graph()), "offline", None if spec else "one"
    )
    return await sessions.run(id)


def pages(report: Report) -> set[str]:
    """Where the quotes that stand in the ledger come from."""
    return {urlsplit(entry.url).path for entry in report.evidence}


def test_the_page_is_short() -> None:
    assert len(PAGE.read_text(encoding="utf-8").splitlines()) <= 80


async def test_it_does_what_the_page_says(
    sessions: Sessions, settings: Settings, site: Site
) -> None:
    types = load_registry(settings)
    assert (types.faults, types["fresh"].own) == ((), "fresh.py")
    assert find_faults(parse_graph(graph()), types) == ()
    assert pages(await ask(sessions, site, "webwalker")) >= {"/ona", "/runde"}
    assert "/ona" in (kept := pages(await ask(sessions, site)))
    assert "/runde" not in kept


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "entry.passage.dated[:4]",
            "entry.passage.date[:4]",
            "The node type 'fresh' of fresh.py failed: AttributeError: 'Passage' object has no "
            "attribute 'date', line 18.",
        ),
        (RETURNED, '{"steps": ()}', "it wrote 'steps', which is not in `writes`"),
        (
            RETURNED,
            '{"evidence": 3}',
            "the value that it wrote to 'evidence' is not valid",
        ),
        (RETURNED, "None", "it returned NoneType, not a dict of keys"),
        ("=next_route", "=lambda state: 'nxt'", "it chose the route 'nxt', and has only next"),
        ("=next_route", "=lambda state: state.oh", "its route: AttributeError"),
    ],
)
async def test_session_reports_a_mistake_and_continues_after_its_correction(
    sessions: Sessions, site: Site, old: str, new: str, said: str
) -> None:
    file = sessions.context.settings.data / "nodes" / "fresh.py"
    whole = block("python")
    assert old in whole
    file.write_text(whole.replace(old, new), encoding="utf-8")
    report = await ask(sessions, site)
    assert report.status == "failed"
    assert said in report.error
    assert "Correct the file; a resumed session continues from there." in report.error
    asked = len(site.asked)
    file.write_text(whole, encoding="utf-8")
    report = await sessions.run("one")
    assert "/runde" not in pages(report)
    assert report.status != "failed"
    assert len({each.path for each in site.asked[asked:]}) == len(site.asked[asked:])


async def test_session_with_a_missing_type_reports_it(
    sessions: Sessions, settings: Settings, site: Site
) -> None:
    file = settings.data / "nodes" / "fresh.py"
    file.write_text(block("python").replace("dated[:4]", "date[:4]"), encoding="utf-8")
    await ask(sessions, site)
    file.unlink()
    report = await sessions.run("one")
    assert report.status == "failed"
    assert "There is no node type 'fresh'." in report.error
    assert "The own nodes of 'fresh.py' cannot be read: No such file" in report.error
    assert "Put the file there, or remove its name from FORAGER_OWN_NODES." in report.error
