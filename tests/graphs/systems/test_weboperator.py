"""The presets that walk in a browser, end to end, by rule: over a fake one, and over Chromium."""

from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from forager.adapters.store.checkpoints.saver import open_checkpoints
from forager.browsing.action_text import describe_action
from forager.domain.documents import Document
from forager.domain.spend import Budget
from forager.domain.state import Question, State
from forager.errors import BrowserError
from forager.ports import ActionCheck, Ports
from forager.settings import Settings
from graphs.reports.report import build_report
from graphs.runtime.compile import compile_graph, super_step_limit
from graphs.runtime.composition import Models
from graphs.runtime.state_reader import read_state
from graphs.sessions.model_choice import settle_models
from graphs.sessions.service import Event, Session
from graphs.spec.spec import load_graph
from tests.browsers import needs_browser
from tests.endpoint import Endpoint
from tests.fake_browser import FakeBrowser
from tests.fake_ports import ports
from tests.fakes import FakeEmbedder, FakeWeb, MemoryBlobs
from tests.graphs.runs.test_presets import check_citations
from tests.graphs.worker import opened
from tests.loopback_model import roles
from tests.observatory import ANOTHER, PAGES, TICKETS
from tests.servers import Site

PRESETS = ["weboperator", "infogent-visual"]
SITE = "http://host/"
KEEPER, TOWER = f"{SITE}keeper", f"{SITE}tower"
ASKED = "Which keeper lit the tower of Skarn?"
LIT = "The keeper Runa Holt lit the tower of Skarn in 1874."
SCREENS = {
    SITE: f"""\
- heading "Skarn" [level=1] [ref=e1]
- link "The tower of Skarn" [ref=e2] [cursor=pointer]:
  - /url: {TOWER}
- link "Who was keeper" [ref=e3] [cursor=pointer]:
  - /url: {KEEPER}
""",
    TOWER: '- heading "The tower" [level=1] [ref=e11]\n',
    KEEPER: '- heading "Keepers" [level=1] [ref=e21]\n',
}
MOVES = {(SITE, "click", "e2"): TOWER, (SITE, "click", "e3"): KEEPER}
DOCUMENTS = (
    Document(url=SITE, title="Skarn", text="These pages tell of an island."),
    Document(url=TOWER, title="The tower", text="It is forty metres high."),
    Document(url=KEEPER, title="Keepers", text=f"There were many. {LIT}"),
)


async def asked(graph: str, doors: Ports, *sites: str) -> State:
    """What a question comes to, over these doors."""
    spec = load_graph(graph)
    built = compile_graph(spec, doors)
    question = Question(text=ASKED, sites=sites or (SITE,), seed=7)
    values = await built.ainvoke(
        State(question=question), {"recursion_limit": super_step_limit(spec)}
    )
    return State(**{key: values[key] for key in vars(State(question=question)) if key in values})


def doors(browser: FakeBrowser, blobs: MemoryBlobs) -> Ports:
    return ports(web=FakeWeb(blobs, DOCUMENTS), blobs=blobs, browser=browser)


# ---- over a fake browser


@pytest.mark.parametrize("graph", PRESETS)
async def test_the_answer_is_found_by_going_back(graph: str) -> None:
    blobs = MemoryBlobs()
    browser = FakeBrowser(blobs, SCREENS, MOVES, documents=DOCUMENTS)
    state = await asked(graph, doors(browser, blobs))
    assert state.answer is not None
    if graph == "weboperator":
        assert state.answer.status == "answered"
        assert LIT in state.answer.text
        clicked = [each.target for each in browser.done if each.kind == "click"]
        assert clicked == ["e2", "e3"], "from the tower there is no way on"
        assert browser.stood[-1] == ("1.1",)
    assert all(step.view for step in state.steps)
    assert state.spend.actions == len(browser.done)


@pytest.mark.parametrize("graph", PRESETS)
async def test_without_a_browser_it_fails_and_says_why(graph: str) -> None:
    blobs = MemoryBlobs()
    browser = FakeBrowser(blobs, away=BrowserError("There is no browser.", "Install Chromium."))
    with pytest.raises(BrowserError, match=r"There is no browser\. Install Chromium\."):
        await asked(graph, doors(browser, blobs))


@pytest.mark.parametrize("graph", PRESETS)
async def test_a_site_that_was_not_had_beside_others_is_noted(graph: str) -> None:
    blobs = MemoryBlobs()
    gone = "http://gone/"
    private = ActionCheck(fault="It is a private address.")
    examined = {("goto", gone): private}
    browser = FakeBrowser(blobs, {SITE: SCREENS[SITE]}, examined=examined, documents=DOCUMENTS)
    state = await asked(graph, doors(browser, blobs), gone, SITE)
    spec = load_graph(graph)
    session = Session(
        id="one",
        question=state.question,
        graph=spec.name,
        graph_hash=spec.hash,
        graph_body=spec.canonical(),
        model="offline",
    )
    assert build_report(session, "abstained", state).notes == (private.fault,)


async def test_a_language_model_walks(endpoint: Endpoint, tmp_path: Path) -> None:
    key = SecretStr("key")
    settings = Settings(data=tmp_path, base_url=endpoint.url, api_key=key)
    model = Models(settings, FakeEmbedder()).open(settle_models("openai:any", settings, Budget()))
    blobs = MemoryBlobs()
    plain = SCREENS[SITE].replace("Who was keeper", "The keeper who lit the tower")
    screens = {**SCREENS, SITE: plain}
    browser = FakeBrowser(blobs, screens, MOVES, documents=DOCUMENTS)
    async with aclosing(model):
        state = await asked("weboperator", replace(doors(browser, blobs), model=model))
    assert state.answer is not None
    assert LIT in state.answer.text
    assert roles(endpoint).count("navigator") == 3, "one for each context"
    assert [each.target for each in browser.done] == [SITE, "e3"]


# ---- over Chromium


@needs_browser
@pytest.mark.parametrize("graph", PRESETS)
async def test_a_site_is_walked_in_chromium(graph: str, tmp_path: Path) -> None:
    events: list[Event] = []
    with Site(PAGES) as site:
        question = Question(text=ANOTHER, sites=(site.url(),), seed=7)
        async with opened(tmp_path, str(site.port)) as sessions:
            id = await sessions.start(question, graph, "offline")
            told = await sessions.run(id, events.append)
            shot = await sessions.figures.screenshot(id)
    async with open_checkpoints(tmp_path / "checkpoints.sqlite") as states:
        state = await read_state(states, id, question)
    assert state.answer is not None, told.error
    check_citations(tmp_path, state.answer)
    assert told.status == "answered"
    assert any(TICKETS in citation.quote for citation in told.citations)
    assert all(step.outcome == "moved" and step.view for step in state.steps)
    assert not [event for event in events if event.kind in {"failed", "warned"}]
    assert shot is not None
    assert shot.image.startswith(b"\xff\xd8")
    assert shot.what == describe_action(state.steps[-1].action)
    urls = [page.url for page in told.visited]
    assert len(urls) == len(set(urls))
