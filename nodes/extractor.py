"""Copies from the page just opened the passages that bear on what is asked, word for word."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from forager.browsing.link_pages import is_link_list
from forager.browsing.trajectory import pages_just_opened, shows_no_new_text
from forager.domain.base import Frozen
from forager.domain.documents import Document
from forager.domain.state import (
    Evidence,
    Page,
    Passage,
    PassageJudgement,
    Reading,
    RewrittenPart,
    State,
    SubQuestion,
    Update,
)
from forager.domain.translations import pages_read, without_repeats
from forager.domain.urls import pages_at_hand
from forager.evidence import list_rows, page_documents
from forager.evidence import passages as copying
from forager.evidence.ledger import best_scores
from forager.evidence.list_match import RankedEnumeration, describe_enumeration, rank_enumerations
from forager.node_type import NodeType, state_keys
from forager.ports import Embedder, Ports, RoleReply, Task
from forager.prompts.sections import (
    Section,
    evidence_items,
    list_items,
    safe_id,
    text_section,
)
from forager.questions.list_intent import parse_list_intent
from forager.questions.subquestions import covered_ids, list_parts
from forager.text.quotes import Span
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
when it answers the part by itself, 0.5 when it answers some of it, 0.2 when it only leads there."""

ON_LISTS = """\
Where lists of the page are shown under ids (t1, t2), the question wants things listed: name in
`lists` each whose rows are the things wanted, none that only resembles them. Their rows are copied
for you; do not copy them yourself."""

JUDGING = """\
You judge what you copy, too. Put a part's id in `answers` only if the passage says the answer
outright, so that somebody who knows nothing else could point at the words. Is it about the very
thing asked, the same person, product, version, option, place and year? Does it state the fact
itself, and hold without a condition that may not be met? What is likely, what you know from
elsewhere and what "must" follow answer nothing; a part that asks for a calculation is answered by
the values that it needs."""

ON_THE_LEDGER = """\
Under Ledger are the quotes kept so far, by id (e1, e2). In `agrees` name those that state the same
fact of the same thing; in `against` those that cannot be true together with the passage; in
`replaces` those that it makes needless, as it says the same more exactly. Other versions, options,
platforms, years or parts are no contradiction, nor is a rounded number."""

ON_WAITING_PARTS = """\
Where a passage says the result that a part "waits for", write that part again in `rewritten`: with
the result, in the spelling of the page, in the place of the words that pointed to it. `search`
holds the words that a page with its answer would use. Do so too if this page answers that part."""

TEXT_TOKENS = 4000
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
    joint: bool = Field(
        False, description="one call reads a page and judges it, for the parts that are open"
    )


class Copied(BaseModel):
    """A passage of the page."""

    model_config = ConfigDict(allow_inf_nan=False)

    part: Annotated[
        str | list[str], WithJsonSchema({"type": "array", "items": {"type": "string"}})
    ] = Field(description="ids of the parts it serves")
    quote: str = Field(description="the passage, letter for letter")
    confidence: float = Field(1.0, description="how surely it answers the part, 0 to 1")

    @property
    def part_ids(self) -> list[str]:
        """The ids of the parts, whether they came as a list or as a text."""
        return re.findall(r"[^\s,;]+", self.part) if isinstance(self.part, str) else self.part


class Found(RoleReply):
    """What the page says on the question."""

    passages: Sequence[Copied] = Field(description="what was copied; empty if nothing bears on it")
    lists: list[str] = Field(
        default_factory=list, description="ids of the page's lists that are what is asked for"
    )


class ReadPage(Task[Found]):
    """Copy passages from a page; `best` is the highest score known for each part."""

    ROLE = "extractor"
    PROMPT = f"{PROMPT}\n\n{ON_LISTS}"
    ASIDES: ClassVar[Mapping[str, str]] = {"lists": ON_LISTS}
    REPLY: ClassVar[type[Found]] = Found

    question: str
    parts: tuple[SubQuestion, ...]
    best: dict[str, float]
    document: Document
    params: ExtractorParams

    def find_idle(self) -> frozenset[str]:
        """Lists, where none is shown."""
        return frozenset() if self.fitting_lists else frozenset({"lists"})

    @property
    def shown_parts(self) -> tuple[SubQuestion, ...]:
        """The parts that a model is asked about."""
        return self.parts

    @property
    def part_lines(self) -> list[str]:
        """These parts, each with its id."""
        return list_parts(self.shown_parts)

    def sections(self) -> tuple[Section, ...]:
        """The parts, then as much of the page as fits, the most relevant units first."""
        parts = list_items(self.part_lines)
        listed = list_items(
            f"{id}: {describe_enumeration(self.document.text, each.found)}"
            for id, each in self.fitting_lists.items()
        )
        lists = Section(title="Lists of the page", items=listed, tokens=800)
        return (
            text_section("Question", self.question),
            Section(title="Parts", items=parts, tokens=400, material=False),
            Section(
                title="Page", items=list_items([self.document.title, self.document.url]), tokens=80
            ),
            *([lists] if self.fitting_lists else []),
            Section(
                title="Text",
                items=page_documents.text_items(self.document, self.shown_parts),
                tokens=TEXT_TOKENS,
                running=True,
            ),
        )

    def offline(self, embedder: Embedder) -> Found:
        """The spans that hold most of the odds of all parts, and the list that fits best."""
        asked = self.question, *(part.text for part in self.parts)
        page = page_documents.drop_repeats(page_documents.drop_walls(self.honest), asked)
        spans = copying.copy_passages(
            page_documents.index_page(page, embedder.matcher),
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
        lost = [
            f"Passage {number} is not on the page word for word, or longer than a passage may be."
            for number, copied in enumerate(reply.passages, start=1)
            if copying.find_passage_span(self.document.text, copied.quote) is None
        ]
        lost += [
            f"There is no part {safe_id(', '.join(copied.part_ids))}, only {', '.join(ids)}."
            for copied in reply.passages
            if not set(copied.part_ids) & set(ids)
        ]
        unknown = (id for id in reply.lists if id not in self.fitting_lists)
        wrong = [f"There is no list {safe_id(id)}." for id in unknown]
        return wrong + (lost[:5] if len(lost) * 2 > len(reply.passages) else [])

    @cached_property
    def honest(self) -> Document:
        """The page without orders to the tools that read it; what is left has its offsets."""
        return page_documents.drop_orders(self.document)

    @cached_property
    def fitting_lists(self) -> dict[str, RankedEnumeration]:
        """If the question asks for a list: the lists of the page by id, best fit first."""
        asked = parse_list_intent(self.question) if self.params.rows else None
        if asked is None or asked.is_comparison:
            return {}
        page = self.honest
        found = rank_enumerations(page.text, page.title, asked, self.question, self.parts)
        return {f"t{number}": each for number, each in enumerate(found[:MAX_LISTS], start=1)}


class CopiedAndJudged(Copied):
    """A passage of the page, and what it says."""

    answers: list[str] = Field(
        default_factory=list, description="ids of the parts that it answers outright"
    )
    agrees: list[str] = Field(
        default_factory=list, description="ids of entries that say the same as the passage"
    )
    against: list[str] = Field(
        default_factory=list, description="ids of entries that the passage contradicts"
    )
    replaces: list[str] = Field(
        default_factory=list, description="ids of entries that the passage makes needless"
    )


class Rewritten(BaseModel):
    """A part that waited for a result, with the result in it."""

    part: str = Field(description="id of the part that waited")
    ask: str = Field(description="the part, complete by itself")
    search: str = Field("", description="words of a page that answers it")


class FoundAndJudged(Found):
    """What the page says on the question, judged."""

    passages: Sequence[CopiedAndJudged] = Field(
        description="what was copied; empty if nothing bears on it"
    )
    rewritten: list[Rewritten] = Field(
        default_factory=list, description="parts that waited for a result that a passage says"
    )

    @property
    def judged(self) -> bool:
        """Does the reply say of each passage what it answers?"""
        return all("answers" in each.model_fields_set for each in self.passages)


class ReadAndJudge(ReadPage):
    """Copy passages from a page and judge them; `covered` parts are shown to nobody.

    Without a model all parts are read for, and nothing is judged.
    """

    PROMPT = "\n\n".join((PROMPT, ON_LISTS, JUDGING, ON_THE_LEDGER, ON_WAITING_PARTS))
    ASIDES: ClassVar[Mapping[str, str]] = {
        "lists": ON_LISTS,
        "agrees": ON_THE_LEDGER,
        "rewritten": ON_WAITING_PARTS,
    }
    REPLY = FoundAndJudged

    ledger: tuple[Evidence, ...] = ()
    covered: tuple[str, ...] = ()

    def unasked(self) -> Found | None:
        """Nothing is copied from contents and indexes, unless a list is asked for."""
        links_only = not self.fitting_lists and is_link_list(self.document)
        return FoundAndJudged(passages=[]) if links_only else None

    def find_idle(self) -> frozenset[str]:
        """Also what compares with the ledger while that is empty, and parts, if none waits."""
        compared = () if self.ledger else ("agrees", "against", "replaces")
        waiting = any(part.needs for part in self.shown_parts)
        return super().find_idle().union(compared, () if waiting else ("rewritten",))

    @property
    def shown_parts(self) -> tuple[SubQuestion, ...]:
        """The parts that are not covered; all if every part is."""
        return tuple(part for part in self.parts if part.id not in self.covered) or self.parts

    @property
    def part_lines(self) -> list[str]:
        """These parts, each with its id, and those that it waits for."""
        return [
            f"{line} (waits for: {part.needs[-1]})" if part.needs else line
            for part in self.shown_parts
            for line in list_parts([part])
        ]

    def sections(self) -> tuple[Section, ...]:
        """The parts and the page, with the ledger before its text."""
        *first, text = super().sections()
        worth = {item.id: max(item.passage.scores.values(), default=0.0) for item in self.ledger}
        kept = Section(title="Ledger", items=evidence_items(self.ledger, worth), tokens=1200)
        return (*first, *([kept] if self.ledger else []), text)


async def extract(state: State, ports: Ports, params: ExtractorParams) -> Update:
    """Copy passages from the last page opened, or from those recalled; only verbatim ones count."""
    if params.pages == "recalled":
        return {"reading": await _read_recalled(state, ports, params)}
    if state.proposal and state.proposal.action.kind == "search":
        return {"reading": Reading(step=state.reading.step if state.reading else "")}
    *others, (step, page) = pages_just_opened(state)
    loaded = [await page_documents.load_page(each, ports) for _, each in (*others, (step, page))]
    if not others and shows_no_new_text(state, step, loaded[-1].document, ports.blobs):
        return {"reading": Reading(step=step.id)}
    documents = {each.blob: document for each, document in loaded}
    read = await run_concurrently(
        _read_page(
            each,
            _make_task(state, each, state.survey.parts, documents[each.blob], params),
            ports,
        )
        for each in without_repeats([each for each, _ in loaded], pages_read(state))
    )
    return {"reading": _join_readings(step.id, read)}


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
    looks=state_keys("meaning arms draw recall proposal steps reading evidence feedback verdict"),
    writes=state_keys("reading"),
    tasks=(ReadPage, ReadAndJudge),
)


async def _read_recalled(state: State, ports: Ports, params: ExtractorParams) -> Reading:
    """Read the recalled pages at once: at the start, and when there are new look-ups."""
    new = tuple(part for part in state.survey.parts if part.since == state.draw.round)
    pages = pages_at_hand(state) if new else ()
    loaded = [await page_documents.load_page(page, ports) for page in pages]
    read = await run_concurrently(
        _read_page(
            page.model_copy(update={"title": document.title, "dated": document.dated}),
            _make_task(state, page, new, document, params),
            ports,
        )
        for page, document in loaded
    )
    return _join_readings("", read)


def _join_readings(step: str, read: Sequence[Reading]) -> Reading:
    """One reading of all pages; it counts as judged if each page with passages was."""
    passages = tuple(passage for page in read for passage in page.passages)
    if not all(page.judged for page in read if page.passages):
        return Reading(step=step, passages=passages)
    return Reading(
        step=step,
        passages=passages,
        judged=tuple(dict.fromkeys(id for page in read for id in page.judged)),
        judgements=tuple(each for page in read for each in page.judgements),
        rewritten=tuple(each for page in read for each in page.rewritten),
    )


async def _read_page(page: Page, task: ReadPage, ports: Ports) -> Reading:
    """The list rows and the passages of a page that serve the parts of the task.

    Rows are judged with the whole list, by the aggregator and the critic.
    """
    page = await page_documents.warn_of_orders(page, task.document, task.honest)
    found = await ports.model.ask(task) if task.document.text else Found(passages=[])
    rows = _copy_rows(found, task, page)
    passages = _locate_passages(found, task, page)
    passages = copying.strongest_passages(passages, max(task.params.passages, len(task.parts)))
    apart = tuple(
        each for each in passages if not any(copying.passages_overlap(each, row) for row in rows)
    )
    if rows or not isinstance(found, FoundAndJudged) or not found.judged:
        return Reading(step="", passages=(*rows, *apart))
    ids = tuple(part.id for part in task.shown_parts)
    waiting = {part.id for part in task.shown_parts if part.needs}
    said: dict[Span | None, list[CopiedAndJudged]] = {}
    for each in found.passages:
        span = copying.find_passage_span(task.document.text, each.quote)
        said.setdefault(span, []).append(each)
    return Reading(
        step="",
        passages=apart,
        judged=ids,
        judgements=tuple(_judgement(said.get((each.start, each.end), ()), ids) for each in apart),
        rewritten=tuple(
            RewrittenPart(part=each.part, ask=each.ask.strip(), search=each.search)
            for each in found.rewritten
            if each.part in waiting and each.ask.strip()
        ),
    )


def _judgement(said: Sequence[CopiedAndJudged], ids: Sequence[str]) -> PassageJudgement:
    """What a reply says of one passage, with the parts that were asked about."""
    return PassageJudgement(
        answers=tuple(id for id in ids if any(id in each.answers for each in said)),
        agrees=tuple(dict.fromkeys(id for each in said for id in each.agrees)),
        against=tuple(dict.fromkeys(id for each in said for id in each.against)),
        replaces=tuple(dict.fromkeys(id for each in said for id in each.replaces)),
    )


def _make_task(
    state: State,
    page: Page,
    parts: tuple[SubQuestion, ...],
    document: Document,
    params: ExtractorParams,
) -> ReadPage:
    """For the parts on the page's site, or for all if there are none."""
    task = ReadPage(
        question=state.asked,
        parts=tuple(part for part in parts if part.site == page.site) or parts,
        best=best_scores(state),
        document=document,
        params=params,
    )
    if not params.joint:
        return task
    kept = (item for item in state.evidence if not item.dropped)
    return ReadAndJudge(
        **dict(task), ledger=list_rows.shorten_lists(kept), covered=covered_ids(state)
    )


def _copy_rows(found: Found, task: ReadPage, page: Page) -> tuple[Passage, ...]:
    """The rows of the lists that were chosen, for every part."""
    taken: list[Passage] = []
    for id in dict.fromkeys(id for id in found.lists if id in task.fitting_lists):
        fit, enumeration = task.fitting_lists[id]
        fit = min(MAX_SCORE, fit)
        like = copying.make_passage(
            page, task.document, (0, 0), {part.id: fit for part in task.parts}
        )
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
        serves = [id for id in copied.part_ids if id in ids]
        span = copying.find_passage_span(document.text, copied.quote) if serves else None
        if span and task.honest.text[slice(*span)] == document.text[slice(*span)]:
            score = min(MAX_SCORE, max(0.0, copied.confidence))
            scores.setdefault(span, {}).update(dict.fromkeys(serves, score))
    return tuple(
        copying.make_passage(page, document, span, of, copying.section_at(task.honest, span[0]))
        for span, of in scores.items()
    )
