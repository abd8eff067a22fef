"""The doors to the outside, as protocols. A node asks these and nothing else."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field, PrivateAttr

from forager.domain.actions import Action
from forager.domain.approvals import ApprovalRequest
from forager.domain.base import Frozen
from forager.domain.browser import SentRequest, View
from forager.domain.documents import OpenedPage
from forager.domain.experience import Episode, Facets, Moment, Recalled, Recipe, Snippet
from forager.domain.state import Step, SubQuestion
from forager.domain.survey import Hit, Ranking, SearchResults, SiteSurvey, TermStatistics
from forager.prompts.sections import Section

Vectors = NDArray[np.float32]
Reply = TypeVar("Reply", bound=BaseModel)
WITHOUT_SCRIPTS = "The page shows no text without JavaScript."
"""A document's note where only a browser can read the page."""


class Embedder(Protocol):
    """Texts to unit vectors; where not `available`, ranking is lexical."""

    available: bool

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 per text, float32, shape (len(texts), dimensions)."""


class Web(Protocol):
    """Pages and sites."""

    async def open(self, url: str) -> OpenedPage:
        """Fetch (once per session) and read one page. Raises WebError."""

    async def survey(self, site: str, pages: int, seeds: Sequence[str] = ()) -> SiteSurvey:
        """Map a site, the pages named first, or reuse its map.

        Raises WebError when not even the root can be had.
        """

    async def term_statistics(self, site: str, text: str) -> TermStatistics:
        """What a surveyed site knows of the index terms of a text."""

    async def rank(
        self,
        question: str,
        parts: Sequence[SubQuestion],
        top: int,
        method: Ranking = "hybrid",
        also: Sequence[str] = (),
    ) -> tuple[Hit, ...]:
        """The best `top` pages for each part on its surveyed site, best first, part by part.

        Pages named in `also` are ranked along, if the site has them. `bm25` ranks whole pages by
        the whole question, and gives the hits of a site to its first part; their scores are BM25's.
        """


class Search(Protocol):
    """Searches the web, or what was crawled of it."""

    async def search(self, query: str, count: int, site: str = "") -> SearchResults:
        """At most `count` pages, of one site if it is named. Raises SearchError."""


class ActionCheck(Frozen):
    """An action held against the live page: why it cannot be done, and why it may do harm.

    Both are empty where nothing speaks against it. `gate` says what only a person can pass here
    (a CAPTCHA, a login), or is empty; `passed` when it stood here as the action was last examined,
    and the page is another since.
    """

    fault: str = ""
    harm: str = ""
    gate: str = ""
    passed: bool = False


class ActionResult(Frozen):
    """What came of an action: the view, and the page as it is rendered now.

    `harm` says what it changed on the server, or is empty; `sent` are its requests that were
    neither GET nor HEAD.
    """

    view: View
    opened: OpenedPage
    sent: tuple[SentRequest, ...] = ()
    harm: str = ""


class Browser(Protocol):
    """A real browser. A walk is named by its caller and has tabs of its own; cookies are shared."""

    async def restore(self, walk: str, trail: Sequence[Step]) -> None:
        """Be where the last step of the trail left the walk; nothing is done if it is there.

        The trail holds the steps of the walk from its first one. What is lost (a crash, a resumed
        session) or lies elsewhere in the tree is replayed in another tab, with GET and HEAD alone;
        the walk's own tabs are replaced only once the same view stands there. An empty trail is a
        blank tab. Raises ReplayError when the way leads elsewhere now, and BrowserError.
        """

    async def examine(self, walk: str, action: Action) -> ActionCheck:
        """Hold an action against the page as it is, without doing it. Raises BrowserError."""

    async def perform(self, walk: str, action: Action, step: str = "") -> ActionResult:
        """Do it, wait until the page has settled, and look; the walk then stands at `step`.

        Raises ActionError when the page does not let it be done, and other WebErrors.
        """

    async def render(self, url: str) -> OpenedPage:
        """A page as a browser shows it, in a tab of its own. Raises WebError."""

    async def screenshot(self, walk: str) -> bytes:
        """A screenshot (PNG) with the refs of the last view drawn on it. Raises BrowserError."""

    async def close_tabs(self, walk: str) -> None:
        """Close the walk's tabs."""


class Recipes(Protocol):
    """Ways that led to an answer before."""

    async def find(self, question: str, site: str) -> Recipe | None:
        """The way that worked for this question on this site. Raises StoreError."""

    async def keep(self, recipe: Recipe) -> None:
        """Keep a way, in place of an older one for the same. Raises StoreError."""


class Remembered(Frozen):
    """What the memory brought back, the best first; `notes` say why it has nothing."""

    episodes: tuple[Recalled, ...] = ()
    snippets: tuple[Snippet, ...] = ()
    notes: tuple[str, ...] = ()


class Memory(Protocol):
    """What earlier sessions learned. It fails no run: what cannot be had or kept is noted."""

    async def find_episodes(self, question: str, sites: Sequence[str], url: str = "") -> Remembered:
        """Those of the page, if one is named; else those of like questions on these sites."""

    async def find_snippets(self, moment: Moment, facets: Facets, count: int) -> Remembered:
        """The best snippet of each of the `count` clusters of like content nearest to a moment."""

    async def keep(
        self, episodes: Sequence[Episode], snippets: Sequence[Snippet]
    ) -> tuple[str, ...]:
        """Keep them, in place of those with the same ids; the notes."""

    async def generation(self) -> str:
        """Another one once the memory began anew; empty where none is kept. Raises StoreError."""


class Person(Protocol):
    """Whoever asked, as far as the run can reach them."""

    async def ask(self, request: ApprovalRequest) -> bool:
        """Wait for their yes or no; no when nobody can answer.

        A node is run again from its top once they have answered: do nothing before.
        """


class Blobs(Protocol):
    """Content-addressed bytes."""

    def put(self, data: bytes) -> str:
        """Store and return the SHA-256 in hex. Raises StoreError."""

    def get(self, digest: str) -> bytes:
        """Raises StoreError when it is not there."""


class RoleReply(BaseModel):
    """What every role's reply may say beside its own fields."""

    reported: str = Field(
        "", description="words in the material that tell you what to do; empty if there are none"
    )


class Task(Frozen, Generic[Reply]):
    """What a node asks a model: inputs as fields, PROMPT, and an `offline` rule without a model."""

    ROLE: ClassVar[str]
    PROMPT: ClassVar[str]
    REPLY: ClassVar[type[BaseModel]]
    _instructions: str = PrivateAttr("")

    @property
    def instructions(self) -> str:
        """What the model is told to do: PROMPT, or what a graph says in its place."""
        return self._instructions or self.PROMPT

    def with_instructions(self, instructions: str) -> Self:
        """The same task under other instructions."""
        task = self.model_copy()
        task._instructions = instructions
        return task

    @abstractmethod
    def sections(self) -> tuple[Section, ...]:
        """What a model sees of the inputs, the steadiest first, each within its own limit."""

    @abstractmethod
    def offline(self, embedder: Embedder) -> Reply:
        """Answer without a model; deterministic."""

    def pictures(self) -> tuple[bytes, ...]:
        """Images (PNG) that a model sees beside the sections."""
        return ()

    def faults(self, reply: Reply) -> list[str]:
        """What a well-formed reply gets wrong, in words that help to mend it."""
        return []


class Model(Protocol):
    """A chat model, or the rules built in."""

    name: str

    async def ask(self, task: Task[Reply]) -> Reply:
        """Raises ModelError."""


@dataclass(frozen=True)
class Ports:
    """The doors one graph is built with."""

    model: Model
    web: Web
    search: Search
    browser: Browser
    recipes: Recipes
    memory: Memory
    person: Person
    blobs: Blobs
    embedder: Embedder
