"""A language model on loopback, and a site that was surveyed before."""

import asyncio
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from bench.prompt_sections import prompt_sections
from forager.domain.state import Question
from forager.settings import Settings
from graphs.sessions.model_choice import settle_models
from graphs.sessions.service import Report, Watcher, open_sessions
from graphs.spec.spec import GraphSpec
from tests.endpoint import Asked, Endpoint, Reply
from tests.endpoint.reader import ENTRY, ROLE, look_up, overlap, reads
from tests.endpoint.request import Json, said
from tests.observatory import PAGES, TWO_PAGES
from tests.servers import Site

LEFT_BEHIND = "sessions.*", "checkpoints.*", "leases"
ENOUGH = 0.6
PATIENCE = 40
"""How long a model is silent at most, in seconds."""


@dataclass(frozen=True)
class Surveyed:
    """A site, and a data folder that knows it."""

    site: Site
    folder: Path

    def copied(self, to: Path) -> Path:
        """A folder of a test's own, in which no session was run yet."""
        shutil.copytree(self.folder, to, ignore=shutil.ignore_patterns(*LEFT_BEHIND))
        return to

    def asking(self, data: Path, endpoint: Endpoint) -> "Asking":
        """Such a folder at `data`, and an endpoint that is not waited for long when it is away."""
        quick = {"model_patience": 0.2, "model_pause": 0.01, "base_url": endpoint.url}
        settings = self.settings(self.copied(data)).model_copy(update=quick)
        return Asking(self, endpoint, settings)

    def settings(self, data: Path) -> Settings:
        """What a run on the site needs."""
        return Settings(data=data, allow_private=(f"127.0.0.1:{self.site.port}",))

    def question(self, **more: object) -> Question:
        """What stands on two of its pages."""
        asked = {"text": TWO_PAGES, "sites": (self.site.url(),), "seed": 7, **more}
        return Question.model_validate(asked)


@dataclass(frozen=True)
class Asking:
    """A data folder in which questions are asked of an endpoint."""

    known: Surveyed
    endpoint: Endpoint
    settings: Settings
    model: str = "openai:any"

    async def start(self, graph: str | GraphSpec = "forager", **more: object) -> str:
        """Lay down the session `one`."""
        question = self.known.question(**more)
        line = settle_models(self.model, self.settings, question.budget)
        async with open_sessions(self.settings) as sessions:
            return await sessions.start(question, graph, line, "one")

    async def resume(self, watcher: Watcher = lambda event: None) -> Report:
        """Run it, from wherever it is."""
        async with open_sessions(self.settings) as sessions:
            return await sessions.run("one", watcher)

    async def ask(
        self,
        graph: str | GraphSpec = "forager",
        watcher: Watcher = lambda event: None,
        **more: object,
    ) -> Report:
        """A whole session."""
        await self.start(graph, **more)
        return await self.resume(watcher)


@contextmanager
def surveyed(folder: Path) -> Iterator[Surveyed]:
    """The observatory, surveyed by a session without a language model."""
    with Site(PAGES) as site:
        ours = Surveyed(site, folder)

        async def survey() -> None:
            async with open_sessions(ours.settings(folder)) as sessions:
                await sessions.run(await sessions.start(ours.question(), "forager", "offline"))

        asyncio.run(survey())
        yield ours


def role(asked: Asked) -> str:
    """The role that a request speaks to."""
    found = ROLE.search(asked.system)
    return found[1] if found else ""


def roles(endpoint: Endpoint) -> list[str]:
    """The roles that were asked, in order."""
    return [role(asked) for asked in endpoint.requests]


def apart(asked: Asked) -> Reply:
    """Reads, looks up apart what a question joins by "and", and tells what it has not found."""
    if role(asked) == "surveyor":
        asks = prompt_sections(said(asked.messages[1]))["Question"].split(", and ")
        return Reply({"asks": [look_up(ask) for ask in asks], "context": ""})
    return Reply(_told(asked)) if role(asked) == "answerer" else reads(asked)


class Silent:
    """A model that reads, but keeps a role waiting until it is `let_go`."""

    def __init__(self, held: str) -> None:
        self.held = held
        self.asked, self.let_go = threading.Event(), threading.Event()

    def __call__(self, asked: Asked) -> Reply:
        if role(asked) == self.held:
            self.asked.set()
            self.let_go.wait(PATIENCE)
        return apart(asked)


@pytest.fixture(scope="session")
def observatory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Surveyed]:
    """A site of eight pages on loopback, and a data folder that knows them."""
    with surveyed(tmp_path_factory.mktemp("surveyed")) as known:
        yield known


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """A language model that reads, on loopback."""
    with Endpoint(apart) as served:
        yield served


def _told(asked: Asked) -> Json:
    prompt = prompt_sections(said(asked.messages[1]))
    quotes = {id: text.replace("> ", "").strip() for id, text in ENTRY.findall(prompt["Quotes"])}
    told: list[str] = []
    open: list[str] = []
    for part in (row[2:] for row in prompt["Parts"].splitlines()):
        best = max(quotes, key=lambda id: overlap(part, quotes[id]), default="")
        if best and overlap(part, quotes[best]) >= ENOUGH:
            told.append(f"{' '.join(quotes[best].split())} [{best}]")
        else:
            open.append(part)
    return {"text": " ".join(told), "open": open}
