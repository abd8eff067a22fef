"""The ports: protocols through which nodes reach the outside, and nothing else does."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Generic, Literal, NamedTuple, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, JsonValue, PrivateAttr

from forager.domain.actions import Action, ApiRequest, ToolDescription
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
"""The note of a document that only a browser can render."""
OFFLINE = "offline"
"""The name of the model that goes by rules."""


class RatedPassage(NamedTuple):
    """A passage, with the heading that it stands under and the text that stands before it."""

    heading: str
    before: str
    text: str


class ReadTokens(NamedTuple):
    """The tokens of a text, and how likely each is part of an answer.

    `spans` are their characters, int32, shape (tokens, 2). `scores`, float32, shape (tokens, 3):
    the log-odds, but for a constant of the text, that the answer begins and that it ends with the
    token, and the log-odds that the token is in it. Of a long text, the first tokens alone.
    """

    spans: NDArray[np.int32]
    scores: Vectors


class Rater(Protocol):
    """Rates how likely passages answer a question, and reads which of their words do."""

    def rate(self, question: str, passages: Sequence[RatedPassage]) -> Vectors:
        """The log-odds that each passage answers it, float32, shape (len(passages),)."""

    def read(self, question: str, passages: Sequence[RatedPassage]) -> list[ReadTokens]:
        """Where in the text of each passage the answer may stand."""


@dataclass(frozen=True)
class TokenVectors:
    """Static vectors of all tokens, of length 1, shape (tokens, dimensions).

    `weights`, shape (tokens,), say how much a token of a question counts beside its rarity, as
    natural logarithms. A cosine c counts as c / (1 + exp(-slope * (c - middle))); a match around a
    unit counts by the share `around`.
    """

    vectors: Vectors
    weights: Vectors
    slope: float
    middle: float
    around: float


class Matcher(Protocol):
    """Turns texts into tokens, and knows which tokens mean nearly the same."""

    name: str
    """Of the tokenizer: token ids of another one mean something else."""

    @property
    def vectors(self) -> TokenVectors: ...

    def tokenize(self, texts: Sequence[str]) -> list[NDArray[np.uint16]]:
        """The ids of each text's tokens, in order; 0 is none of them."""


class Embedder(Protocol):
    """Embeds texts as unit vectors. If it is not `available`, ranking is lexical.

    Its `rater`, where there is one, reads question and passage together; its `matcher` compares
    the tokens of a question with those of all units of a site.
    """

    available: bool

    @property
    def rater(self) -> Rater | None: ...

    @property
    def matcher(self) -> Matcher | None: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 per text, float32, shape (len(texts), dimensions)."""


class Web(Protocol):
    """Pages and sites."""

    async def open(self, url: str) -> OpenedPage:
        """Fetch (once per session) and read one page. Raises WebError."""

    async def send(self, request: ApiRequest) -> OpenedPage:
        """Send a request to an API; its reply as a page. Raises WebError."""

    async def survey(self, site: str, pages: int, seeds: Sequence[str] = ()) -> SiteSurvey:
        """Map a site, `seeds` first, or reuse its map. Raises WebError if its root fails."""

    def hurry(self, text: str) -> None:
        """From now on index only the pages of a map that promise most for a text."""

    async def term_statistics(self, site: str, text: str) -> TermStatistics:
        """How often the index terms of a text occur on a surveyed site."""

    async def rank(
        self,
        question: str,
        parts: Sequence[SubQuestion],
        top: int,
        method: Ranking = "hybrid",
        also: Sequence[str] = (),
    ) -> tuple[Hit, ...]:
        """The best `top` pages for each sub-question on its surveyed site, best first.

        Pages in `also` are ranked too if the site has them. The method `bm25` ranks whole pages by
        the whole question and gives the hits of a site, with BM25 scores, to its first
        sub-question.
        """


class Search(Protocol):
    """Searches the web, or the pages crawled so far."""

    async def search(self, query: str, count: int, site: str = "") -> SearchResults:
        """At most `count` pages, on one site if `site` is given. Raises SearchError."""


class Tools(Protocol):
    """Tools of MCP servers that the settings name."""

    async def describe(self, server: str, tool: str) -> ToolDescription:
        """What the server says of the tool. Raises ToolError."""

    async def call(self, server: str, tool: str, arguments: Mapping[str, JsonValue]) -> OpenedPage:
        """The tool's result as a page. Raises ToolError."""


class ActionCheck(Frozen):
    """The check of an action on the live page; empty fields raise no objection.

    `fault` says why it cannot be done, `harm` which side effect it may have, `gate` what only a
    person can pass on this page (a CAPTCHA, a login). `passed` is true if the gate was there at the
    previous check and the page has changed since.
    """

    fault: str = ""
    harm: str = ""
    gate: str = ""
    passed: bool = False


class ActionResult(Frozen):
    """The result of an action: the view, and the page as it is rendered now.

    `harm` is its side effect on the server, if any; `sent` are its requests except GET and HEAD.
    """

    view: View
    opened: OpenedPage
    sent: tuple[SentRequest, ...] = ()
    harm: str = ""


class Browser(Protocol):
    """A real browser. The caller names trajectories. Each has its own tabs; cookies are shared."""

    async def restore(self, trajectory: str, steps: Sequence[Step]) -> None:
        """Bring a trajectory to the state after the last of `steps`, unless it is there already.

        `steps` begin with its first step; without any, the tab is blank. What was lost (a crash, a
        resumed session) or is elsewhere in the search tree is replayed in another tab, with GET and
        HEAD only; that tab replaces the trajectory's own once it shows the same view. Raises
        ReplayError if the replay leads elsewhere, and BrowserError.
        """

    async def examine(self, trajectory: str, action: Action) -> ActionCheck:
        """Check an action on the live page without performing it. Raises BrowserError."""

    async def perform(self, trajectory: str, action: Action, step: str = "") -> ActionResult:
        """Perform an action, wait until the page settles, and observe it, as step `step`.

        Raises ActionError if the page does not allow it, and other WebErrors.
        """

    async def render(self, url: str) -> OpenedPage:
        """A page as the browser renders it, in a separate tab. Raises WebError."""

    async def screenshot(self, trajectory: str) -> bytes:
        """A screenshot (PNG) with the refs of the last view drawn on it. Raises BrowserError."""

    async def close_tabs(self, trajectory: str) -> None:
        """Close the tabs of a trajectory."""


class Recipes(Protocol):
    """Paths that led to an answer before."""

    async def find(self, question: str, site: str) -> Recipe | None:
        """The path that worked for this question on this site. Raises StoreError."""

    async def keep(self, recipe: Recipe) -> None:
        """Keep a path; it replaces an older one for the same question. Raises StoreError."""


class Remembered(Frozen):
    """What the memory recalled, best first; `notes` say why there is nothing."""

    episodes: tuple[Recalled, ...] = ()
    snippets: tuple[Snippet, ...] = ()
    notes: tuple[str, ...] = ()


class Memory(Protocol):
    """What earlier sessions learned. It never fails a run: faults become notes."""

    async def find_episodes(self, question: str, sites: Sequence[str], url: str = "") -> Remembered:
        """Episodes of the page `url` if given, else of similar questions on these sites."""

    async def find_snippets(self, moment: Moment, facets: Facets, count: int) -> Remembered:
        """The best snippet of each of the `count` clusters nearest to a moment."""

    async def keep(
        self, episodes: Sequence[Episode], snippets: Sequence[Snippet]
    ) -> tuple[str, ...]:
        """Keep them; they replace those with the same ids. Returns notes."""

    async def generation(self) -> str:
        """Changes when the memory is cleared; empty if there is none. Raises StoreError."""


class Person(Protocol):
    """The person who asked, if the run can reach them."""

    async def ask(self, request: ApprovalRequest) -> bool:
        """Wait for the answer; False if nobody can answer.

        The node runs again from its top after the answer, so it must have no side effects before.
        """


BlobKind = Literal["response", "document", "view", "picture"]
"""The body of a response, which can be fetched again, or what sessions and site maps rest on."""


class Blobs(Protocol):
    """Stores bytes under their hash."""

    def put(self, data: bytes, kind: BlobKind) -> str:
        """Store the bytes; their SHA-256 in hex. Raises StoreError."""

    def get(self, digest: str) -> bytes:
        """The bytes with this SHA-256. Raises MissingBlobError if there are none, StoreError."""

    def find_missing(self, digests: Iterable[str]) -> frozenset[str]:
        """Those of the digests whose bytes are not stored. Raises StoreError."""


class RoleReply(BaseModel):
    """The reply of a role of the team."""

    model_config = ConfigDict(allow_inf_nan=False)

    NUMBERED: ClassVar[frozenset[str]] = frozenset()
    """Lists whose items are referred to by number, so that none of them can be left out."""


class Task(Frozen, Generic[Reply]):
    """A request to a model: inputs as fields, PROMPT, and a rule for runs without a model.

    ASIDES are paragraphs of PROMPT that matter to some requests only, by a name each: that of a
    field of the reply, where they are about one.
    """

    ROLE: ClassVar[str]
    PROMPT: ClassVar[str]
    ASIDES: ClassVar[Mapping[str, str]] = MappingProxyType({})
    REPLY: ClassVar[type[BaseModel]]
    _instructions: str = PrivateAttr("")

    @property
    def instructions(self) -> str:
        """The instructions for the model: PROMPT, without idle asides; or those of the graph."""
        text, idle = self._instructions or self.PROMPT, self.idle
        for aside in (aside for name, aside in self.ASIDES.items() if name in idle):
            text = text.replace(f"\n\n{aside}", "")
        return text

    @property
    def idle(self) -> frozenset[str]:
        """What is of no use here, and is left out: asides, and fields of the reply at any depth.

        Nothing is left out if a graph replaces the instructions, as it may use what it likes.
        """
        return frozenset() if self._instructions else self.find_idle()

    def find_idle(self) -> frozenset[str]:
        """The names of asides, and of fields that have a default, that have no use here."""
        return frozenset()

    def with_instructions(self, instructions: str) -> Self:
        """The same task with other instructions."""
        task = self.model_copy()
        task._instructions = instructions
        return task

    @abstractmethod
    def sections(self) -> tuple[Section, ...]:
        """The inputs as the model sees them, those that change least first, each within a limit."""

    @abstractmethod
    def offline(self, embedder: Embedder) -> Reply:
        """The reply without a model; deterministic."""

    def small_task(self, draft: Reply) -> "SmallTask | None":
        """What a small model is asked about the rule's reply; None if the rule decides alone."""
        return None

    def with_small_reply(self, draft: Reply, small: "SmallTask", reply: BaseModel) -> Reply:
        """The rule's reply, corrected by what the small model replied to `small_task`."""
        return draft

    def pictures(self) -> tuple[bytes, ...]:
        """Images (PNG) for the model, besides the sections."""
        return ()

    def unasked(self) -> Reply | None:
        """The reply where a model has nothing to judge, so that it is not asked; else None."""
        return None

    def faults(self, reply: Reply) -> list[str]:
        """What is wrong in a well-formed reply, in words that help the model to correct it."""
        return []


SmallTask = Task[BaseModel]
"""A task that a model of one or two billion parameters can do; its rule is never asked."""


class Model(Protocol):
    """A chat model, or the offline model."""

    name: str

    async def ask(self, task: Task[Reply]) -> Reply:
        """The reply to a task. Raises ModelError."""


@dataclass(frozen=True)
class Ports:
    """The ports that a graph is built with."""

    model: Model
    web: Web
    search: Search
    browser: Browser
    tools: Tools
    recipes: Recipes
    memory: Memory
    person: Person
    blobs: Blobs
    embedder: Embedder
