"""Ports made of fakes only."""

from pydantic import BaseModel

from forager.ports import Ports
from tests.fake_browser import FakeBrowser, FakePerson, FakeRecipes
from tests.fake_memory import FakeMemory
from tests.fake_tools import FakeTools
from tests.fakes import FakeEmbedder, FakeSearch, FakeWeb, MemoryBlobs, ScriptedModel


def ports(
    *replies: BaseModel,
    web: FakeWeb | None = None,
    blobs: MemoryBlobs | None = None,
    search: FakeSearch | None = None,
    browser: FakeBrowser | None = None,
    recipes: FakeRecipes | None = None,
    memory: FakeMemory | None = None,
    person: FakePerson | None = None,
    tools: FakeTools | None = None,
) -> Ports:
    """Doors with nothing real behind them."""
    blobs = blobs or MemoryBlobs()
    return Ports(
        model=ScriptedModel(*replies),
        web=web or FakeWeb(blobs),
        search=search or FakeSearch(),
        browser=browser or FakeBrowser(blobs),
        tools=tools or FakeTools(blobs),
        recipes=recipes or FakeRecipes(),
        memory=memory or FakeMemory(),
        person=person or FakePerson(),
        blobs=blobs,
        embedder=FakeEmbedder(),
    )
