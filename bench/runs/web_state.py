"""What a graph would know at a step of Mind2Web, had it taken the right steps before."""

from collections.abc import Sequence
from urllib.parse import quote

from bench.sets.mind2web import KINDS
from bench.sets.web_steps import PagedStep, WebConversation
from forager.adapters.memory.no_memory import NoMemory
from forager.domain.actions import Action, BrowserKind, Element
from forager.domain.browser import Snapshot, Tab, View
from forager.domain.experience import Facets, Moment, Rationale, Snippet
from forager.domain.state import (
    Draw,
    Meaning,
    Page,
    Question,
    Reading,
    State,
    Step,
    SubQuestion,
    Survey,
)
from forager.experience.facets import (
    MomentCandidate,
    best_of_clusters,
    moment_vectors,
    query_vector,
    snippet_content,
    uses_similarity,
)
from forager.ports import Blobs, Embedder, Remembered
from forager.text.tokens import keywords
from graphs.learning.experience import learn_snippets

EARLIER_WEIGHT = 0.5
"""Weight of a word of earlier turns, where one of the turn's own has 1."""


class ConversationMemory(NoMemory):
    """The steps of one conversation, found as the memory of sessions finds those of all."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kept: list[Snippet] = []

    def start_conversation(self) -> None:
        """Forget the conversation before."""
        self._kept = []

    def add_steps(self, snippets: Sequence[Snippet]) -> None:
        """Keep the steps of a turn, the latest last."""
        self._kept += snippets

    async def find_snippets(self, moment: Moment, facets: Facets, count: int) -> Remembered:
        """See Memory.find_snippets."""
        if not uses_similarity(facets):
            return Remembered(snippets=tuple(reversed(self._kept))[:count])
        asked = query_vector(moment, facets, self._embedder)
        rows = moment_vectors([one.moment for one in self._kept], self._embedder)
        near = [
            MomentCandidate(one.id, one.moment, snippet_content(one), float(row @ asked))
            for one, row in zip(self._kept, rows, strict=True)
        ]
        best = best_of_clusters(moment, near, facets, count)
        known = {one.id: one for one in self._kept}
        return Remembered(snippets=tuple(known[id] for id in best))


class TurnHistory:
    """The right steps of a turn so far, with the pages that they led to."""

    def __init__(self, talk: WebConversation, number: int, blobs: Blobs, seed: int) -> None:
        self._talk = talk.id
        self._number = number
        self._blobs = blobs
        self._steps: list[Step] = []
        self._rationales: list[Rationale] = []
        self._site = f"http://{quote(talk.website or 'recorded', safe='')}.invalid/"
        tasks = [turn.task for turn in talk.turns[:number]]
        self._survey = Survey(parts=(_ask_part(tasks, self._site),))
        self._meaning = Meaning(text=_ask_after(tasks)) if len(tasks) > 1 else Meaning()
        self._question = Question(text=tasks[-1], sites=(self._site,), seed=seed)

    @property
    def url(self) -> str:
        """The address of the next page."""
        return f"{self._site}{self._number}/{len(self._steps) + 1}"

    def arrive(self, shown: Snapshot) -> None:
        """The page that the site, or the last step, led to."""
        if not self._steps:
            self._steps = [self._make_step(Action(kind="goto", target=self._site))]
        digest = self._blobs.put(shown.model_dump_json().encode(), "view")
        tab = Tab(url=shown.url, title=shown.title)
        view = View(url=shown.url, title=shown.title, blob=digest, tabs=(tab,))
        page = Page(url=shown.url, title=shown.title, site=self._site)
        self._steps[-1] = self._steps[-1].model_copy(update={"view": view, "page": page})

    def take_step(self, step: PagedStep) -> str:
        """Take the right step on the page that is shown; its id."""
        action = describe_gold(step).model_copy(update={"at": self._steps[-1].id})
        self._steps.append(self._make_step(action))
        return self._steps[-1].id

    def explain_step(self, rationale: str) -> None:
        """Keep why the last step was taken."""
        self._rationales.append(Rationale(id=self._steps[-1].id, text=rationale))

    @property
    def state(self) -> State:
        """The state of a session; the page was read, and said nothing."""
        return State(
            question=self._question,
            meaning=self._meaning,
            survey=self._survey,
            draw=Draw(round=1),
            steps=tuple(self._steps),
            reading=Reading(step=self._steps[-1].id),
            rationales=tuple(self._rationales),
        )

    def learn_steps(self, embedder: Embedder) -> list[Snippet]:
        """The steps of the turn as a session keeps them, without the opening of the site."""
        order = float(self._number)
        found = learn_snippets(self._talk, self._number, order, self.state, self._blobs, embedder)
        return [one for one in found if one.action.kind != "goto"]

    def _make_step(self, action: Action) -> Step:
        number = len(self._steps) + 1
        return Step(id=f"1.{number}", round=1, number=number, action=action, outcome="moved")


def describe_gold(step: PagedStep) -> Action:
    """The right action in the annotators' words, or else by its operation alone."""
    operation, _, value = step.gold.operation.partition(" ")
    told = step.told
    op = told.op if told else operation
    kind: BrowserKind = next((kind for name, kind in KINDS.items() if name == op), "click")
    element = Element(role=told.role, name=told.name) if told else Element(role="element")
    return Action(kind=kind, value="Enter" if kind == "press" else value, element=element)


def _ask_after(tasks: Sequence[str]) -> str:
    """The last task, after the earlier ones of its conversation."""
    earlier = "\n".join(f"- {task}" for task in tasks[:-1])
    return f"{tasks[-1]}\nThis follows on earlier tasks, which are done:\n{earlier}"


def _ask_part(tasks: Sequence[str], site: str) -> SubQuestion:
    terms = dict.fromkeys(keywords("\n".join(tasks[:-1])), EARLIER_WEIGHT)
    terms |= dict.fromkeys(keywords(tasks[-1]), 1.0)
    return SubQuestion(id="p1", text=tasks[-1], query=" ".join(tasks), site=site, terms=terms)
