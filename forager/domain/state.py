"""The state of a run, in the order in which it is written.

Each key of State has one writer; only those that are merged by id may have several.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import add
from typing import Annotated, Literal, Protocol, TypedDict, TypeVar

from pydantic import Field, field_validator

from forager.domain.actions import Action, Candidate
from forager.domain.answers import Answer, ListRow
from forager.domain.base import MAX_INTEGER, EpochSeconds, Round, Stored, warn_of_unknown
from forager.domain.browser import SentRequest, View
from forager.domain.experience import Outcome, Rationale, Recalled, Recipe, Snippet
from forager.domain.spend import Budget, Spend
from forager.domain.survey import ClosedPage, Form, SearchResult


class Identified(Protocol):
    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=Identified)


def merge(old: Iterable[T], new: Iterable[T]) -> tuple[T, ...]:
    """Union by id, in order of appearance; the newer value wins, but dropped ones stay dropped."""
    merged = {item.id: item for item in old}
    for item in new:
        known = merged.get(item.id)
        if known is None or not getattr(known, "dropped", False):
            merged[item.id] = item
    return tuple(merged.values())


class Meaning(Stored):
    """A follow-up rephrased to stand alone, and its topic; empty for a first question."""

    text: str = ""
    context: str = ""


class Question(Stored):
    """The user's question, its sites (none: the web), its budget, and the forbidden addresses."""

    text: str
    sites: tuple[str, ...]
    budget: Budget = Budget()
    seed: int = Field(0, ge=-MAX_INTEGER, le=MAX_INTEGER)
    hints: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()

    @field_validator("budget", mode="before")
    @classmethod
    def _known_limits(cls, limits: object) -> object:
        """Drop unknown limits of a stored budget, with a warning; Budget itself refuses them."""
        if not isinstance(limits, dict):
            return limits
        for name in limits.keys() - Budget.model_fields.keys():
            warn_of_unknown(name)
        return {name: limits[name] for name in limits.keys() & Budget.model_fields.keys()}


class SubQuestion(Stored):
    """One thing to look up on one site.

    `query` is its text with the context of the question, `leans_on` what its text cannot be
    understood without, `follows` the part before it, if that is in there, `gloss` the text after
    what it leans on in words of the site, if that is in another language; `terms` maps index terms
    to weight times rarity (idf) on the site, `variants` to other forms of them on the site; lengths
    are averages. `needs` are the texts of parts to look up first, `since` is the round that added
    this part. An answer must contain the terms in `unknown`; `own` are the terms of a follow-up
    itself.
    """

    id: str
    text: str
    query: str
    site: str
    weight: float = 1.0
    terms: dict[str, float] = Field(default_factory=dict)
    variants: dict[str, dict[str, float]] = Field(default_factory=dict)
    unit_length: float = 40.0
    page_length: float = 800.0
    needs: tuple[str, ...] = ()
    since: int = 0
    unknown: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    row: str = ""
    column: str = ""
    leans_on: str = ""
    follows: str = ""
    gloss: str = ""

    @property
    def in_context(self) -> str:
        """The text, after what it leans on, in words of the site."""
        return self.gloss or f"{self.leans_on} {self.text}".strip()

    @property
    def asked(self) -> str:
        """The text in words of the site."""
        return self.gloss or self.text


class Survey(Stored):
    """The mapped sites; of `whole` ones all pages are known. `faults` are the notes to report.

    `closed` are pages that could not be read, those that match the parts best first.
    """

    parts: tuple[SubQuestion, ...] = ()
    pages: dict[str, int] = Field(default_factory=dict)
    whole: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    forms: tuple[Form, ...] = ()
    closed: tuple[ClosedPage, ...] = ()


class Arm(Stored):
    """A page where navigation may start, with the Beta prior from its ranking.

    `scores` are per part id, `score` is the sum of its shares of all parts, `blob` the page as it
    is in the site's map; `vain` is the probability that a visit is in vain (0 to 1), `says` an
    excerpt that a search gave.
    """

    url: str
    title: str = ""
    site: str = ""
    part: str = ""
    scores: dict[str, float] = Field(default_factory=dict)
    score: float = 0.0
    alpha: float = Field(1.0, gt=0)
    beta: float = Field(1.0, gt=0)
    vain: float = 0.0
    blob: str = ""
    says: str = ""


class Draw(Stored):
    """The selector's choice for a round; `samples` are the values drawn for each arm.

    In a `wave` the drawn pages are only read, as unread ones are better than their links. There are
    `most` rounds at most; 0 if that is not known.
    """

    round: Round
    most: int = 0
    urls: tuple[str, ...] = ()
    samples: dict[str, float] = Field(default_factory=dict)
    reason: str = ""
    wave: bool = False


class Recall(Stored):
    """What is recalled for a round: lessons of this run, a recipe, episodes and snippets.

    Best first; `pages` are to be read again, `notes` report what could not be recalled.
    """

    round: Round
    lessons: tuple[str, ...] = ()
    recipe: Recipe | None = None
    episodes: tuple[Recalled, ...] = ()
    snippets: tuple[Snippet, ...] = ()
    pages: tuple["Page", ...] = ()
    notes: tuple[str, ...] = ()


class Proposal(Stored):
    """The navigator's next action; `nothing_left` tells that it stops although budget is left.

    `also` are visits made at once with it.
    """

    round: Round
    action: Action
    also: tuple[Action, ...] = ()
    nothing_left: bool = False


class Page(Stored):
    """A page that was opened: its URL, and the blob that holds its text and links.

    `dated` is the page's own date (ISO 8601), `fetched` is when it was fetched (epoch, s), `twins`
    are the addresses of its translations.
    """

    url: str
    title: str = ""
    site: str = ""
    blob: str = ""
    depth: int = 0
    links: int = 0
    note: str = ""
    dated: str = ""
    fetched: EpochSeconds = 0.0
    twins: tuple[str, ...] = ()


class Step(Stored):
    """A performed action: the page it led to, what it found, or why it failed.

    In a browser, `view` is what is shown after it, `sent` the requests it sent, and `harm` why it
    cannot be undone; the search cannot go back beyond such a step. `closed` is the page that could
    not be opened because it is closed to the run.
    """

    id: str
    round: Round
    number: int
    action: Action
    outcome: Literal["moved", "failed"]
    page: Page | None = None
    found: tuple[SearchResult, ...] = ()
    view: View | None = None
    sent: tuple[SentRequest, ...] = ()
    harm: str = ""
    cached: bool = False
    reason: str = ""
    closed: ClosedPage | None = None


class Passage(Stored):
    """A verbatim part of a page: `text == document.text[start:end]`.

    `scores` tells for each part id how well it answers (`ranking.scoring`), `part` is the best one.
    `row` is set for a row of a list that was taken as a whole.
    """

    url: str
    title: str
    blob: str
    start: int
    end: int
    text: str
    part: str
    section: str = ""
    dated: str = ""
    fetched: EpochSeconds = 0.0
    scores: dict[str, float] = Field(default_factory=dict)
    row: ListRow | None = None


class PassageJudgement(Stored):
    """Which parts a passage answers outright, and how it relates to entries of the ledger."""

    answers: tuple[str, ...] = ()
    agrees: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()


class RewrittenPart(Stored):
    """A part that waited for a result, with that result in it, and words to search for."""

    part: str
    ask: str
    search: str = ""


class Reading(Stored):
    """The passages that the extractor found on the page of one step.

    If it judged them too, `judged` are the ids of the parts, and each passage has a judgement;
    `rewritten` are parts that waited for a result that a passage says.
    """

    step: str
    passages: tuple[Passage, ...] = ()
    judged: tuple[str, ...] = ()
    judgements: tuple[PassageJudgement, ...] = ()
    rewritten: tuple[RewrittenPart, ...] = ()


class Evidence(Stored):
    """A passage in the ledger. A dropped entry stays, marked, so that ids remain valid.

    `also` are other pages with nearly the same text; `agrees` and `conflicts` are the ids of
    entries that state the same about its part in other words, or something different.
    """

    id: str
    passage: Passage
    round: Round
    step: str
    dropped: bool = False
    also: tuple[str, ...] = ()
    agrees: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()


class Feedback(Stored):
    """What the ledger still lacks, and what the last reading added to it.

    `grounds` are the quotes that answer each part that was judged; none if it is open.
    """

    open: tuple[str, ...] = ()
    added: int = 0
    gain: float = 0.0
    grounds: dict[str, tuple[str, ...]] = Field(default_factory=dict)


class Verdict(Stored):
    """The judgement whether the ledger suffices: part ids, quotes for each, and the entry count.

    Open parts in `pending` are covered by their quotes once a page was opened after the first
    `steps` steps.
    """

    sufficient: bool
    covered: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    grounds: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    pending: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    seen: int = 0
    steps: int = 0
    reason: str = ""


class Lesson(Stored):
    """The judgement of an attempt on an arm; the reward updates the arm's posterior."""

    id: str
    round: Round
    url: str
    outcome: Outcome
    alpha: float = Field(ge=0)
    beta: float = Field(ge=0)
    retired: bool
    text: str

    @property
    def line(self) -> str:
        """The lesson with the page it was learned on, as prompts show it."""
        return f"{self.url}: {self.text}"


class Turn(Stored):
    """An earlier question of the session, as written and rephrased, with its results.

    `evidence` and `pages` are those of its ledger and trajectory; `arms` have its posteriors as
    priors.
    """

    number: int
    question: Question
    meaning: Meaning = Meaning()
    answer: Answer | None = None
    evidence: tuple[Evidence, ...] = ()
    pages: tuple[Page, ...] = ()
    arms: tuple[Arm, ...] = ()


STATE_VERSION = 1
"""Incremented when the form of a stored value changes; `state_migrations` has the steps."""


@dataclass(kw_only=True)
class State:
    """The checkpointed state. The comment after each key names the node type that writes it."""

    question: Question  # the caller
    state_version: int = STATE_VERSION  # the caller
    past: tuple[Turn, ...] = ()  # the caller
    meaning: Meaning = field(default_factory=Meaning)  # interpreter
    survey: Survey = field(default_factory=Survey)  # surveyor
    arms: tuple[Arm, ...] = ()  # surveyor
    draw: Draw = field(default_factory=lambda: Draw(round=0))  # selector
    recall: Recall = field(default_factory=lambda: Recall(round=0))  # recaller
    proposal: Proposal | None = None  # navigator
    frontier: tuple[Candidate, ...] = ()  # navigator
    steps: Annotated[tuple[Step, ...], merge] = ()  # actor
    rationales: Annotated[tuple[Rationale, ...], merge] = ()  # refiner
    reading: Reading | None = None  # extractor
    evidence: Annotated[tuple[Evidence, ...], merge] = ()  # aggregator
    feedback: Feedback = field(default_factory=Feedback)  # aggregator
    verdict: Verdict | None = None  # critic
    lessons: Annotated[tuple[Lesson, ...], merge] = ()  # reflector
    answer: Answer | None = None  # answerer
    spend: Annotated[Spend, add] = field(default_factory=Spend)  # the compiler's meter

    @property
    def asked(self) -> str:
        """The question in words that stand alone."""
        return self.meaning.text or self.question.text


class Update(TypedDict, total=False):
    """What a node may return: the keys it owns."""

    meaning: Meaning
    survey: Survey
    arms: tuple[Arm, ...]
    draw: Draw
    recall: Recall
    proposal: Proposal
    frontier: tuple[Candidate, ...]
    steps: tuple[Step, ...]
    rationales: tuple[Rationale, ...]
    reading: Reading
    evidence: tuple[Evidence, ...]
    feedback: Feedback
    verdict: Verdict
    lessons: tuple[Lesson, ...]
    answer: Answer
