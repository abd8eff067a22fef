"""Asked again, a question is walked to without a model; a page that changed is coped with."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from forager import ports
from forager.adapters.store.recipe_store import Recipes
from forager.domain.documents import Document
from forager.domain.experience import Recipe
from forager.domain.state import Question
from forager.errors import StoreError
from forager.ports import Ports, Reply, Task
from forager.settings import Settings
from graphs.reports.report import Report
from graphs.runtime.composition import OpenPorts
from graphs.sessions.service import OpenAdapters, open_sessions
from graphs.spec.spec import load_graph
from nodes.navigator.browser import ActInBrowser, Move
from tests import fake_ports
from tests.fake_browser import FakeBrowser
from tests.fakes import FakeEmbedder, FakeWeb, MemoryBlobs

SITE = "http://host/"
FOUND = "http://host/?q=Skarn"
SKARN = "http://host/skarn"
QUESTION = Question(text="Which engineer built the Skarn lighthouse?", sites=(SITE,))
GRAPH = load_graph("weboperator")
ONE_WALK = GRAPH.model_copy(
    update={
        "nodes": {
            **GRAPH.nodes,
            "navigate": GRAPH.nodes["navigate"].model_copy(
                update={"params": {"mode": "browser", "steps": 8}}
            ),
        }
    }
)
DOCUMENTS = (
    Document(url=SITE, title="Lighthouses", text="A site about lighthouses of the coast."),
    Document(url=FOUND, title="Search", text="One result."),
    Document(
        url=SKARN,
        title="Skarn lighthouse",
        text="The engineer Marta Lindqvist built the Skarn lighthouse in 1874.",
    ),
)
AS_IT_WAS = {
    SITE: '- heading "Lighthouses" [level=1] [ref=e2]\n- searchbox "Search the site" [ref=e3]',
    FOUND: '- list [ref=e4]:\n  - listitem [ref=e5]:\n    - link "Skarn" [ref=e6] [cursor=pointer]',
    SKARN: '- heading "Skarn lighthouse" [level=1] [ref=e2]',
}
CHANGED = {
    **AS_IT_WAS,
    SITE: '- banner [ref=e2]:\n  - button "Accept" [ref=e3]\n'
    '- heading "Lighthouses" [level=1] [ref=e12]\n- searchbox "Search the site" [ref=e13]',
}
GONE = {
    **AS_IT_WAS,
    SITE: '- heading "Lighthouses" [level=1] [ref=e2]\n- button "Look for" [ref=e3]',
}
MOVES = (
    Move(kind="type", ref="e3", value="Skarn", submit=True, reason="its search"),
    Move(kind="click", ref="e6", reason="the page of it"),
)


class Guided:
    """Says the navigator's moves one by one; all else answers by its own rules."""

    name = "guided"

    def __init__(self, moves: Sequence[Move]) -> None:
        self.moves = list(moves)
        self.asked = 0

    async def ask(self, task: Task[Reply]) -> Reply:
        if isinstance(task, ActInBrowser):
            self.asked += 1
            return self.moves.pop(0)  # type: ignore[return-value]
        return task.offline(FakeEmbedder())


class World:
    """A site as it looks now, and who walks it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.blobs = MemoryBlobs()
        self.browser = FakeBrowser(self.blobs)
        self.recipes: ports.Recipes | None = None

    async def asks(
        self, screens: Mapping[str, str], *moves: Move, box: str = "e3"
    ) -> tuple[Report, int]:
        """The question is asked; the report, and how often the navigator asked a model."""
        self.browser = FakeBrowser(
            self.blobs,
            screens,
            {
                (SITE, "type", box): FOUND,
                (SITE, "click", "e3"): FOUND,
                (FOUND, "click", "e6"): SKARN,
            },
            documents=DOCUMENTS,
        )
        model = Guided(moves)
        async with open_sessions(Settings(data=self.folder), self.opening(model)) as sessions:
            report = await sessions.run(await sessions.start(QUESTION, ONE_WALK, "guided"))
        return report, model.asked

    def opening(self, model: Guided) -> OpenAdapters:
        @contextmanager
        def opening(settings: Settings) -> Iterator[OpenPorts]:
            @asynccontextmanager
            async def opened(line: str, since: float, session: str = "") -> AsyncIterator[Ports]:
                web = FakeWeb(self.blobs, DOCUMENTS)
                made = fake_ports.ports(web=web, blobs=self.blobs, browser=self.browser)
                with closing(Recipes(settings.data / "recipes.sqlite")) as recipes:
                    yield replace(made, model=model, recipes=self.recipes or recipes)

            yield opened

        return opening


@pytest.fixture
async def world(tmp_path: Path) -> World:
    """A world in which the question has been answered once."""
    world = World(tmp_path)
    report, asked = await world.asks(AS_IT_WAS, *MOVES)
    assert report.status == "answered", report
    assert "Marta Lindqvist" in report.answer
    assert asked == len(MOVES)
    return world


async def test_asked_again_no_model_is_asked_for_the_way(world: World) -> None:
    first = list(world.browser.done)
    report, asked = await world.asks(AS_IT_WAS)
    assert (report.status, asked) == ("answered", 0)
    assert [(each.kind, each.target) for each in world.browser.done] == [
        (each.kind, each.target) for each in first
    ]
    assert [each.what for each in report.actions] == [
        "Open http://host/",
        "Type “Skarn” into the search field “Search the site” and press Enter",
        "Click the link “Skarn” in the item “Skarn”",
    ]


async def test_a_page_with_other_ids_and_a_banner_is_walked_all_the_same(world: World) -> None:
    report, asked = await world.asks(CHANGED, box="e13")
    assert (report.status, asked) == ("answered", 0)
    assert world.browser.done[1].target == "e13"


async def test_where_the_element_is_gone_the_navigator_takes_over_and_is_learned_from(
    world: World,
) -> None:
    other = Move(kind="click", ref="e3", reason="perhaps so")
    report, asked = await world.asks(GONE, other, MOVES[1])
    assert (report.status, asked) == ("answered", 2)
    report, asked = await world.asks(GONE)
    assert (report.status, asked) == ("answered", 0)


class Full:
    """Cannot keep anything."""

    async def find(self, question: str, site: str) -> Recipe | None:
        return None

    async def keep(self, recipe: Recipe) -> None:
        raise StoreError("The disk is full.", "Free some space.")


async def test_an_answer_is_not_lost_for_a_way_that_cannot_be_kept(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.recipes = Full()
    report, _ = await world.asks(AS_IT_WAS, *MOVES)
    assert report.status == "answered"
