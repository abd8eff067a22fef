"""Copies from the page just opened the passages that bear on what is asked, word for word."""

from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np
from pydantic import BaseModel, Field

from forager.browsing.search_results import shows_no_new_text
from forager.domain.base import Frozen
from forager.domain.documents import Document
from forager.domain.state import Page, Passage, Reading, State, SubQuestion, Update
from forager.domain.urls import pages_at_hand
from forager.evidence import list_rows
from forager.evidence import passages as copying
from forager.evidence.list_match import RankedEnumeration, describe_enumeration, rank_enumerations
from forager.node_type import NodeType, state_keys
from forager.offline.extractor import copy_passages
from forager.ports import Embedder, Ports, RoleReply, Task
from forager.prompts.sections import Item, Section, list_items, safe_id, text_section
from forager.questions.list_intent import parse_list_intent
from forager.ranking import scoring
from forager.ranking.index import Index, Source, build_index
from forager.text.languages import page_language
from forager.util.concurrency import run_concurrently

PROMPT = """\
You read one web page for a team that answers a question, and copy out what it says. You see the
question, its parts, each with an id, the page's title and address, and its text as Markdown;
[...] or […] stands where text was left out for length.

Copy every passage that answers a part, or states a fact that the answer will need: a definition,
a value with its unit, a date, a condition or an exception. Copy letter for letter, as it stands:
no correction, no translation, no shortening, no joining of places that are apart, nothing across
a left out place. A passage has one to three sentences, list items or table rows, and enough of
them that a reader who sees nothing else knows what it is about. A passage that cannot be found on
the page word for word is thrown away.

Never infer: what the page does not say outright is not on it, however likely. Something similar
about another version, person, year or option does not answer the part. Better an empty list than
a passage beside the point. For each passage give the `part` it serves and your `confidence`: 1
when it answers the part by itself, 0.5 when it answers some of it, 0.2 when it only leads there.

Where lists of the page are shown under ids (t1, t2), the question wants things listed: name in
`lists` each whose rows are the things wanted, none that only resembles them. Their rows are copied
for you; do not copy them yourself."""

TEXT_TOKENS = 4000
NEIGHBOUR_SHARE = 0.95
"""The share of its relevance that a unit passes on to its neighbours."""
MAX_LISTS = 12
MAX_SCORE = 2.0
"""The highest score, whatever a reply claims."""


class ExtractorParams(Frozen):
    """How much is taken from a page."""

    passages: int = Field(5, ge=1, description="passages taken from a page")
    least: float = Field(0.2, ge=0, description="score a passage needs without a model")
    rows: int = Field(200, ge=0, description="rows taken of a list that the question asks for")
    fits: float = Field(
        0.5, ge=0, description="how well a list must fit to be taken without a model"
    )
    embedded: int = Field(
        16, ge=0, description="units of a page compared by embeddings, for each part"
    )
    pages: Literal["opened", "recalled"] = Field(
        "opened", description="the page just opened, or the pages recalled from earlier turns"
    )


class Copied(BaseModel):
    """A passage of the page."""

    part: str = Field(description="id of the part it serves")
    quote: str = Field(description="the passage, letter for letter")
    confidence: float = Field(
        1.0, allow_inf_nan=False, description="how surely it answers the part, 0 to 1"
    )


class Found(RoleReply):
    """What the page says on the question."""

    passages: list[Copied] = Field(description="what was copied; empty if nothing bears on it")
    lists: list[str] = Field(
        default_factory=list, description="ids of the page's lists that are what is asked for"
    )


class ReadPage(Task[Found]):
    """Copy passages from a page; `best` is the highest score known for each part."""

    ROLE = "extractor"
    PROMPT = PROMPT
    REPLY = Found

    question: str
    parts: tuple[SubQuestion, ...]
    best: dict[str, float]
    document: Document
    params: ExtractorParams

    def sections(self) -> tuple[Section, ...]:
        """The parts, then as much of the page as fits, the most relevant units first."""
        parts = [f"{part.id}: {part.text}" for part in self.parts]
        return (
            text_section("Question", self.question),
            Section(title="Parts", items=list_items(parts), tokens=400, material=False),
            Section(
                title="Page", items=list_items([self.document.title, self.document.url]), tokens=80
            ),
            *self._list_section(),
            Section(title="Text", items=self._text_items(), tokens=TEXT_TOKENS, running=True),
        )

    def offline(self, embedder: Embedder) -> Found:
        """The spans that hold most of the odds of all parts, and the list that fits best."""
        spans = copy_passages(
            self._page_index(),
            self.parts,
            self.question,
            self.best,
            embedder,
            passages=self.params.passages,
            least=self.params.least,
            embedded=self.params.embedded,
        )
        fitting = [id for id, one in self.fitting_lists.items() if one.fit >= self.params.fits]
        return Found(
            passages=[Copied.model_validate(each._asdict()) for each in spans], lists=fitting[:1]
        )

    def faults(self, reply: Found) -> list[str]:
        """Unknown lists; and passages to be discarded, if these are most of those copied."""
        ids = [part.id for part in self.parts]
        text = self.document.text
        lost = [
            f"Passage {number} is not on the page word for word, or longer than a passage may be."
            for number, copied in enumerate(reply.passages, start=1)
            if copying.find_passage_span(text, copied.quote) is None
        ]
        lost += [
            f"There is no part {safe_id(copied.part)}, only {', '.join(ids)}."
            for copied in reply.passages
            if copied.part not in ids
        ]
        wrong = [
            f"There is no list {safe_id(id)}." for id in reply.lists if id not in self.fitting_lists
        ]
        return wrong + (lost[:5] if len(lost) * 2 > len(reply.passages) else [])

    @cached_property
    def fitting_lists(self) -> dict[str, RankedEnumeration]:
        """If the question asks for a list: the lists of the page by id, best fit first."""
        asked = parse_list_intent(self.question) if self.params.rows else None
        if asked is None or asked.is_comparison:
            return {}
        page = self.document
        found = rank_enumerations(page.text, page.title, asked, self.question, self.parts)
        return {f"t{number}": each for number, each in enumerate(found[:MAX_LISTS], start=1)}

    def _list_section(self) -> tuple[Section, ...]:
        text = self.document.text
        items = list_items(
            f"{id}: {describe_enumeration(text, each.found)}"
            for id, each in self.fitting_lists.items()
        )
        return (Section(title="Lists of the page", items=items, tokens=800),) if items else ()

    def _page_index(self) -> Index:
        page = self.document
        headings = tuple((heading.start, heading.text) for heading in page.headings)
        language = page_language(page.lang, page.text)
        return build_index([Source(page.url, page.title, page.text, headings, language=language)])

    def _text_items(self) -> tuple[Item, ...]:
        """The units of the page, each as relevant as itself or nearly as its best neighbour.

        Words alone decide: embeddings would only reorder the best few, which fit anyway.
        """
        index = self._page_index()
        if not index.size:
            return (Item(text=self.document.text),) if self.document.text else ()
        scored = [scoring.lexical_scores(index, part) for part in self.parts]
        worth = np.max(scored, axis=0)
        near = [np.roll(worth, step) * NEIGHBOUR_SHARE for step in (-1, 1, 2)]
        worth = np.max([worth, *near], axis=0)
        bounds = [0, *(int(start) for start in index.start[1:]), len(self.document.text)]
        return tuple(
            Item(text=self.document.text[start:end], relevance=float(value))
            for (start, end), value in zip(pairwise(bounds), worth, strict=True)
        )


async def extract(state: State, ports: Ports, params: ExtractorParams) -> Update:
    """Copy passages from the last page opened, or from those recalled; only verbatim ones count."""
    if params.pages == "recalled":
        return {"reading": await _read_recalled(state, ports, params)}
    step, page = next((step, step.page) for step in reversed(state.steps) if step.page)
    document = _load_document(page, ports)
    if shows_no_new_text(state, step, document, ports.blobs):
        return {"reading": Reading(step=step.id)}
    task = _make_task(state, page, state.survey.parts, document, params)
    return {"reading": Reading(step=step.id, passages=await _read_page(page, task, ports))}


def _found_route(state: State) -> str:
    """Did the page have a passage that bears on the question?"""
    return "found" if state.reading and state.reading.passages else "nothing"


NODE_TYPE = NodeType(
    name="extractor",
    family="read",
    summary="Copies the passages that bear on the question, word for word.",
    function=extract,
    params=ExtractorParams,
    routes=("found", "nothing"),
    route=_found_route,
    reads=state_keys("question survey"),
    looks=state_keys("meaning arms draw recall steps evidence"),
    writes=state_keys("reading"),
    tasks=(ReadPage,),
)


async def _read_recalled(state: State, ports: Ports, params: ExtractorParams) -> Reading:
    """Read the recalled pages at once: at the start, and when there are new look-ups."""
    new = tuple(part for part in state.survey.parts if part.since == state.draw.round)
    pages = pages_at_hand(state) if new else ()
    documents = [_load_document(page, ports) for page in pages]
    read = await run_concurrently(
        _read_page(
            page.model_copy(update={"title": document.title, "dated": document.dated}),
            _make_task(state, page, new, document, params),
            ports,
        )
        for page, document in zip(pages, documents, strict=True)
    )
    return Reading(step="", passages=tuple(passage for found in read for passage in found))


async def _read_page(page: Page, task: ReadPage, ports: Ports) -> tuple[Passage, ...]:
    """The list rows and the passages of a page that serve the parts of the task."""
    found = await ports.model.ask(task) if task.document.text else Found(passages=[])
    rows = _copy_rows(found, task, page)
    passages = _locate_passages(found, task, page)
    passages = copying.strongest_passages(passages, max(task.params.passages, len(task.parts)))
    apart = (
        each for each in passages if not any(copying.passages_overlap(each, row) for row in rows)
    )
    return (*rows, *apart)


def _load_document(page: Page, ports: Ports) -> Document:
    return Document.model_validate_json(ports.blobs.get(page.blob))


def _make_task(
    state: State,
    page: Page,
    parts: tuple[SubQuestion, ...],
    document: Document,
    params: ExtractorParams,
) -> ReadPage:
    """For the parts on the page's site, or for all if there are none."""
    return ReadPage(
        question=state.asked,
        parts=tuple(part for part in parts if part.site == page.site) or parts,
        best=_best_scores(state),
        document=document,
        params=params,
    )


def _best_scores(state: State) -> dict[str, float]:
    """The highest score of an arm or an entry for each part."""
    best: dict[str, float] = {}
    known = [arm.scores for arm in state.arms]
    known += [item.passage.scores for item in state.evidence if not item.dropped]
    for scores in known:
        for part, score in scores.items():
            best[part] = max(score, best.get(part, 0.0))
    return best


def _copy_rows(found: Found, task: ReadPage, page: Page) -> tuple[Passage, ...]:
    """The rows of the lists that were chosen, for every part."""
    taken: list[Passage] = []
    for id in dict.fromkeys(found.lists):
        if id not in task.fitting_lists:
            continue
        fit, enumeration = task.fitting_lists[id]
        fit = min(MAX_SCORE, fit)
        scores = {part.id: fit for part in task.parts}
        like = copying.make_passage(page, task.document, (0, 0), scores)
        taken += list_rows.passages_of_rows(
            like, task.document.text, enumeration, fit, task.params.rows
        )
    return tuple(taken)


def _locate_passages(found: Found, task: ReadPage, page: Page) -> tuple[Passage, ...]:
    """The copied passages that stand on the page and serve a known part."""
    document = task.document
    ids = {part.id for part in task.parts}
    scores: dict[tuple[int, int], dict[str, float]] = {}
    for copied in found.passages:
        span = (
            copying.find_passage_span(document.text, copied.quote) if copied.part in ids else None
        )
        if span:
            scores.setdefault(span, {})[copied.part] = min(MAX_SCORE, max(0.0, copied.confidence))
    return tuple(
        copying.make_passage(page, document, span, of, copying.section_at(document, span[0]))
        for span, of in scores.items()
    )
