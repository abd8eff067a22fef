"""Ports for graphs of scripted nodes: every page exists, and all that is asked is noted."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from forager.adapters.memory.no_memory import NoMemory
from forager.budget import current_meter
from forager.domain.actions import ApiRequest
from forager.domain.documents import Document, OpenedPage
from forager.domain.state import SubQuestion
from forager.domain.survey import Hit, Ranking, SiteSurvey, TermStatistics
from forager.errors import ConnectError, StoreError, WebError
from forager.ports import BlobKind, Memory, Ports, Reply, Task, Vectors
from forager.settings import Settings
from tests.fake_browser import FakeBrowser, FakePerson, FakeRecipes
from tests.fake_tools import FakeTools
from tests.fakes import FakeSearch, MemoryBlobs

PASSING_FAULT = ConnectError("The host does not answer.", "Try again.")
LASTING_FAULT = WebError("The page is gone.", "Ask another site.")


def alone(folder: Path) -> Settings:
    """Settings of sessions whose sites are on loopback, as scripted ones are."""
    return Settings(data=folder, allow_private=("127.0.0.1",))


class ScriptedWeb:
    """Every page exists and says its address; `faults` are raised once each, in order."""

    def __init__(self, log: list[str] | Path, faults: list[Exception | None] | None = None) -> None:
        self.log = log
        self.faults = faults

    def note(self, line: str) -> None:
        if isinstance(self.log, Path):
            with self.log.open("a") as file:
                file.write(f"{line}\n")
        else:
            self.log.append(line)

    def noted(self, line: str) -> bool:
        log = self.log
        known = (
            (log.read_text().splitlines() if log.exists() else []) if isinstance(log, Path) else log
        )
        return line in known

    async def open(self, url: str) -> OpenedPage:
        if self.faults and (fault := self.faults.pop(0)):
            raise fault
        cached = self.noted(f"open {url}")
        if cached:
            current_meter().pages_cached += 1
        else:
            self.note(f"open {url}")
            current_meter().pages_fetched += 1
        document = Document(url=url, text=f"What {url} says.")
        return OpenedPage(document=document, blob=sha256(url.encode()).hexdigest(), cached=cached)

    async def send(self, request: ApiRequest) -> OpenedPage:
        return await self.open(request.url)

    async def survey(self, site: str, pages: int, seeds: Sequence[str] = ()) -> SiteSurvey:
        if not self.noted(f"survey {site}"):
            self.note(f"survey {site}")
        return SiteSurvey(site=site, pages=pages)

    def hurry(self, text: str) -> None:
        self.note(f"hurry {text}")

    async def rank(
        self,
        question: str,
        parts: Sequence[SubQuestion],
        top: int,
        method: Ranking = "hybrid",
        also: Sequence[str] = (),
    ) -> tuple[Hit, ...]:
        return ()

    async def term_statistics(self, site: str, terms: Sequence[str]) -> TermStatistics:
        return TermStatistics()


class ScriptedModel:
    name = "scripted"

    def __init__(self, web: ScriptedWeb) -> None:
        self.web = web

    async def ask(self, task: Task[Reply]) -> Reply:
        self.web.note(f"ask {task.ROLE} {task.model_dump_json()}")
        current_meter().model_calls += 1
        return task.offline(NoEmbedder())


class NoBlobs:
    def put(self, data: bytes, kind: BlobKind) -> str:
        raise StoreError("Nothing is kept here.")

    def get(self, digest: str) -> bytes:
        raise StoreError("Nothing is kept here.")

    def find_missing(self, digests: Iterable[str]) -> frozenset[str]:
        return frozenset()


class NoEmbedder:
    available = False
    rater = None
    matcher = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.zeros((len(texts), 1), dtype=np.float32)


def scripted(
    log: list[str] | Path | None = None,
    faults: list[Exception | None] | None = None,
    memory: Memory | None = None,
) -> Ports:
    web = ScriptedWeb([] if log is None else log, faults)
    return Ports(
        model=ScriptedModel(web),
        web=web,
        search=FakeSearch(),
        browser=FakeBrowser(MemoryBlobs()),
        tools=FakeTools(MemoryBlobs()),
        recipes=FakeRecipes(),
        memory=memory or NoMemory(),
        person=FakePerson(),
        blobs=NoBlobs(),
        embedder=NoEmbedder(),
    )
