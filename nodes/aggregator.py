"""Edits the ledger of evidence, and says what it still lacks."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, NamedTuple

from pydantic import BaseModel, Field

from forager.domain.base import Frozen
from forager.domain.state import (
    Evidence,
    Feedback,
    Passage,
    Reading,
    State,
    SubQuestion,
    Update,
    merge,
)
from forager.evidence import list_rows
from forager.evidence.agreement import have_same_words
from forager.evidence.ledger import (
    absorb_passage,
    add_relations,
    contains_passage,
    find_near_duplicate,
    share_gained,
    strongest_passages,
)
from forager.node_type import NodeType, next_route, state_keys
from forager.offline.aggregator import edit_ledger
from forager.ports import Embedder, Ports, RoleReply, Task
from forager.prompts.sections import (
    Item,
    Section,
    evidence_items,
    format_passage,
    list_items,
    safe_id,
    text_section,
)
from forager.questions.subquestions import (
    covered_ids,
    distinct_texts,
    list_parts,
    spread_over_sites,
)

PROMPT = """\
You keep the ledger of evidence for a question. You see the question, its parts with their ids,
the entries of the ledger (e1, e2 and so on), and the passages that a reader has just copied from
one page, numbered from 1; each with the page and section where it stands.

Decide, passage by passage, what becomes of the ledger:
- ADD a passage that says something needed which no entry says, or that contradicts an entry: both
  stay, so that the answer can say so;
- REPLACE an entry by a passage that says the same and more, or says it more exactly or firmly;
- DROP an entry that the new passages show to be about something else.
A passage that repeats the ledger, or does not bear on the question, gets no edit. Nobody can
change the words of a passage, and nothing enters that is not among the numbered passages.

With each ADD and REPLACE name the entries that the passage bears out or contradicts. In `agrees`
go those that state the same fact of the same thing. In `against` go those that cannot be true
together with it: another value of the very same thing, under the same conditions. Two versions,
options, platforms, years or parts that differ are no contradiction, nor is a rounded number.

Then look at what the question still needs, and write `open`: one line for each thing to look up,
such that a navigator who has seen neither the ledger nor the pages can act on it. Name the thing,
what is wanted of it, and the kind of page that would say it: "default of option X of command Y,
in its reference page". Use what the ledger has taught (a name, a version, a year) instead of "it"
or "the first one". Name a thing as open only if a part of the question needs it, and never one
that an entry answers. If nothing is open, the list is empty."""

JUDGING = """

Judge every part, too. In `covered` name each part that a quote answers outright, so that somebody
who knows nothing else could point at the words, with those quotes: ids of entries, or numbers of
new passages. Is the quote about the very thing asked, the same person, product, version, option,
place and year? Does it state the fact itself, and hold without a condition that may not be met?
Where two quotes contradict each other the part is covered: name both. What is likely and what
"must" follow cover nothing; what follows from quoted values by arithmetic is covered by them."""


class AggregatorParams(Frozen):
    """How large the ledger may grow, and when a part is answered."""

    entries: int = Field(24, ge=1, description="entries kept; beyond that the weakest are dropped")
    rows: int = Field(400, ge=0, description="rows of lists kept, counted apart")
    least: float = Field(0.65, ge=0, description="score at which a sub-question is answered")
    judges: bool = Field(
        False, description="its call says what is covered, unless the reading has said so"
    )


class Edit(BaseModel):
    """One change of the ledger."""

    op: Literal["ADD", "REPLACE", "DROP"] = Field(description="what to do")
    passage: int = Field(0, description="number of the passage that enters; 0 for DROP")
    entry: str = Field("", description="id of the entry that goes; empty for ADD")
    agrees: list[str] = Field(
        default_factory=list, description="ids of entries that say the same as the passage"
    )
    against: list[str] = Field(
        default_factory=list, description="ids of entries that the passage contradicts"
    )


class Edits(RoleReply):
    """All changes, and what is open after them."""

    edits: list[Edit] = Field(description="the changes; empty where the ledger stays as it is")
    open: list[str] = Field(description="what must still be looked up, one line each")


class EditLedger(Task[Edits]):
    """Decide what enters the ledger."""

    ROLE = "aggregator"
    PROMPT = PROMPT
    REPLY: ClassVar[type[Edits]] = Edits

    question: str
    parts: tuple[SubQuestion, ...]
    ledger: tuple[Evidence, ...]
    passages: tuple[Passage, ...]
    params: AggregatorParams

    def sections(self) -> tuple[Section, ...]:
        """The parts, the ledger, and the passages just copied."""
        worth = {item.id: max(item.passage.scores.values(), default=0.0) for item in self.ledger}
        passages = [
            Item(
                text=format_passage(str(number), passage),
                relevance=max(passage.scores.values(), default=0),
            )
            for number, passage in enumerate(self.passages, start=1)
        ]
        return (
            text_section("Question", self.question),
            Section(
                title="Parts", items=list_items(list_parts(self.parts)), tokens=400, material=False
            ),
            Section(title="Ledger", items=evidence_items(self.ledger, worth), tokens=2000),
            Section(title="New passages", items=tuple(passages), tokens=1500),
        )

    def faults(self, reply: Edits) -> list[str]:
        """Edits that name a passage or an entry that does not exist."""
        ids = {item.id for item in self.ledger}
        last = len(self.passages)
        wrong = [
            f"There is no passage {edit.passage}, only 1 to {last}."
            for edit in reply.edits
            if edit.op != "DROP" and not 1 <= edit.passage <= last
        ]
        wrong += [
            f"{edit.op} needs an entry of the ledger; there is none {safe_id(edit.entry)}."
            for edit in reply.edits
            if edit.op != "ADD" and edit.entry not in ids
        ]
        wrong += [
            f"There is no entry {safe_id(id)} to agree with or to contradict."
            for edit in reply.edits
            for id in (*edit.agrees, *edit.against)
            if id not in ids
        ]
        return wrong

    def offline(self, embedder: Embedder) -> Edits:
        """Add what is new, with the entries that it agrees or conflicts with."""
        added, open = edit_ledger(self.passages, self.ledger, self.parts, self.params.least)
        edits = [Edit.model_validate({"op": "ADD", **each._asdict()}) for each in added]
        return Edits(edits=edits, open=open)


class Coverage(BaseModel):
    """A part that is covered."""

    quotes: list[str] = Field(
        description="ids of entries and numbers of new passages that answer it outright"
    )
    part: str = Field(description="id of the part")


class EditsAndCoverage(Edits):
    """All changes, what is open after them, and what is covered."""

    covered: list[Coverage] = Field(
        default_factory=list, description="the parts that a quote answers outright"
    )


class EditAndJudge(EditLedger):
    """Decide what enters the ledger, and which parts it covers; without a model, only the first."""

    PROMPT = PROMPT + JUDGING
    REPLY = EditsAndCoverage


async def aggregate(state: State, ports: Ports, params: AggregatorParams) -> Update:
    """Apply the edits to the ledger, and say what is still open.

    Rows of lists enter without being asked about; beyond their limit, the weakest entries go.
    """
    assert state.reading is not None, "the aggregator follows the extractor"  # noqa: S101
    before = tuple(item for item in state.evidence if not item.dropped)
    rows, gone = list_rows.choose_new_rows(before, state.reading.passages, params.rows)
    lists = [_new_entry(state, place, row) for place, row in enumerate(rows, start=1)]
    passages = tuple(passage for passage in state.reading.passages if passage.row is None)
    shown = list_rows.shorten_lists((*(item for item in before if item.id not in gone), *lists))
    reply = await _edits_and_coverage(state, ports, params, shown, passages)
    edits = _valid_edits(reply.edits, shown, passages)
    gone |= list_rows.rows_of_same_lists(
        (*before, *lists), {edit.entry for edit in edits if edit.op == "DROP"}
    )
    ledger = tuple(item for item in before if item.passage.row is None)
    edited = _apply_edits(state, edits, ledger, passages, params.entries, 1 + len(lists))
    known = {item.id: item for item in before}
    changed = list_rows.apply_row_changes(before, lists, gone)
    changed += [item for item in edited.entries if known.get(item.id) != item]
    added = [*(item for item in lists if item.id not in gone), *edited.new]
    rows_stay = any(item.passage.row and item.id not in gone for item in before)
    empty = not (edited.kept or added or rows_stay)
    feedback = _give_feedback(state, reply, before, added, empty=empty)
    after = [item for item in merge(before, changed) if not item.dropped]
    grounds = _grounds(state, reply, after, passages)
    return {
        "evidence": tuple(changed),
        "feedback": feedback.model_copy(update={"grounds": grounds}),
    }


NODE_TYPE = NodeType(
    name="aggregator",
    family="read",
    summary="Sorts the quotes and says what is still missing.",
    function=aggregate,
    params=AggregatorParams,
    routes=("next",),
    route=next_route,
    reads=state_keys("question survey reading"),
    looks=state_keys("past meaning draw steps evidence feedback verdict"),
    writes=state_keys("evidence feedback"),
    tasks=(EditLedger, EditAndJudge),
)


async def _edits_and_coverage(
    state: State,
    ports: Ports,
    params: AggregatorParams,
    ledger: tuple[Evidence, ...],
    passages: tuple[Passage, ...],
) -> Edits:
    """What the reading has judged already; else a model's reply, or the rule's."""
    if state.reading and state.reading.judged:
        return _edits_of_reading(state, state.reading, ledger)
    kind = EditAndJudge if params.judges else EditLedger
    return await ports.model.ask(
        kind(
            question=state.asked,
            parts=state.survey.parts,
            ledger=ledger,
            passages=passages,
            params=params,
        )
    )


def _edits_of_reading(
    state: State, reading: Reading, ledger: Sequence[Evidence]
) -> EditsAndCoverage:
    """Each passage enters, in place of the entries that it replaces; its parts are covered.

    An entry stays if it covers a part: the reader was not shown that part.
    """
    ids = {item.id for item in ledger}
    before = state.feedback.grounds | (state.verdict.grounds if state.verdict else {})
    held = {id for quotes in before.values() for id in quotes}
    edits: list[Edit] = []
    quotes: dict[str, list[str]] = {}
    for number, said in enumerate(reading.judgements, start=1):
        related = {
            "passage": number,
            "agrees": [id for id in said.agrees if id in ids]
            + [id for id in said.replaces if id in ids & held and id not in said.against],
            "against": [id for id in said.against if id in ids],
        }
        replaced = [id for id in said.replaces if id in ids - held and id not in said.against]
        edits += [
            Edit.model_validate({"op": "REPLACE", "entry": id, **related}) for id in replaced
        ] or [Edit.model_validate({"op": "ADD", **related})]
        for part in said.answers:
            quotes.setdefault(part, []).append(str(number))
    covered = [Coverage(part=part, quotes=numbers) for part, numbers in quotes.items()]
    answered = {id: tuple(numbers) for id, numbers in quotes.items()}
    known = {*covered_ids(state), *spread_over_sites(answered, state.survey.parts)}
    left = [part for part in state.survey.parts if part.id not in known]
    return EditsAndCoverage(edits=edits, open=list(distinct_texts(left)), covered=covered)


def _grounds(
    state: State, reply: Edits, ledger: Sequence[Evidence], passages: Sequence[Passage]
) -> dict[str, tuple[str, ...]]:
    """The quotes for each part that was judged, now or before; a list is judged by the critic.

    Before means: covered by quotes that are still there, or open and without news since.
    """
    if any(item.passage.row for item in ledger):
        return {}
    known = {item.id for item in ledger}
    told = {
        id: quotes
        for id, quotes in state.feedback.grounds.items()
        if quotes and known.issuperset(quotes)
    }
    if not isinstance(reply, EditsAndCoverage) or "covered" not in reply.model_fields_set:
        return told
    asked = state.reading.judged if state.reading else ()
    fresh: dict[str, tuple[str, ...]] = {
        part.id: () for part in state.survey.parts if not asked or part.id in asked
    }
    for each in reply.covered:
        ids = (_entry_id(name.strip("[]# "), ledger, passages) for name in each.quotes)
        if each.part in fresh:
            fresh[each.part] += tuple(id for id in ids if id and id not in fresh[each.part])
    return told | spread_over_sites(fresh, state.survey.parts)


def _entry_id(name: str, ledger: Sequence[Evidence], passages: Sequence[Passage]) -> str:
    """The id of an entry, given by its id or by the number of a passage in it; empty if gone."""
    if not name.isdecimal() or not 1 <= int(name) <= len(passages):
        return next((item.id for item in ledger if item.id == name), "")
    passage = passages[int(name) - 1]
    held = (item for item in ledger if contains_passage(item.passage, passage))
    item = next(held, None) or find_near_duplicate(passage, ledger)
    return item.id if item else ""


class EditedLedger(NamedTuple):
    """All entries after the edits, the dropped ones marked; and which were kept, and are new."""

    entries: list[Evidence]
    kept: list[Evidence]
    new: list[Evidence]


def _apply_edits(  # noqa: PLR0913, PLR0917
    state: State,
    edits: Sequence[Edit],
    ledger: Sequence[Evidence],
    passages: Sequence[Passage],
    most: int,
    first: int,
) -> EditedLedger:
    """Edit a ledger without rows: at most `most` entries stay; new ids are counted from `first`."""
    leaving = {edit.entry for edit in edits if edit.op != "ADD"}
    enter, stay = _admit_passages(edits, passages, [e for e in ledger if e.id not in leaving])
    strong = strongest_passages([*(item.passage for item in stay), *enter.values()], most)
    kept = [item for item in stay if item.passage in strong]
    ids = {item.id for item in kept}
    lost = [item.model_copy(update={"dropped": True}) for item in ledger if item.id not in ids]
    entering = ((number, passage) for number, passage in enter.items() if passage in strong)
    new = {
        number: _new_entry(state, place, passage, _replaced_pages(passage, number, edits, ledger))
        for place, (number, passage) in enumerate(entering, start=first)
    }
    entries = add_relations([*lost, *kept, *new.values()], *_related_pairs(edits, new))
    return EditedLedger(entries, kept, list(new.values()))


def _new_entry(state: State, place: int, passage: Passage, also: tuple[str, ...] = ()) -> Evidence:
    """A new entry; `place` (from 1) continues the numbers of the conversation."""
    assert state.reading is not None  # noqa: S101
    return Evidence(
        id=f"e{_count_earlier_entries(state) + len(state.evidence) + place}",
        passage=passage,
        round=state.draw.round,
        step=_step_of(state, passage),
        also=also,
    )


def _step_of(state: State, passage: Passage) -> str:
    """The step that opened a passage's page, if several were read at once; else the one read."""
    read = state.reading.step if state.reading else ""
    own = (
        step.id
        for step in reversed(state.steps)
        if step.page and step.page.blob == passage.blob and step.round == state.draw.round
    )
    return next(own, read) if read else read


def _count_earlier_entries(state: State) -> int:
    """How many entries earlier turns have: an id is unique in a conversation."""
    return sum(len(turn.evidence) for turn in state.past)


def _give_feedback(
    state: State,
    reply: Edits,
    before: Sequence[Evidence],
    added: Sequence[Evidence],
    *,
    empty: bool,
) -> Feedback:
    """What the reply names as open, or everything if the ledger is empty; and the share gained."""
    parts = state.survey.parts
    open = tuple(reply.open) or (distinct_texts(parts) if empty else ())
    gain = share_gained((*before, *added), {item.id for item in added}, len(parts))
    return Feedback(open=open, added=len(added), gain=gain)


def _valid_edits(
    edits: Sequence[Edit], ledger: Sequence[Evidence], passages: Sequence[Passage]
) -> list[Edit]:
    """The edits whose entry and passage exist."""
    ids = {item.id for item in ledger}
    return [
        edit
        for edit in edits
        if (edit.op == "ADD" or edit.entry in ids)
        and (edit.op == "DROP" or 1 <= edit.passage <= len(passages))
    ]


def _admit_passages(
    edits: Sequence[Edit], passages: Sequence[Passage], stay: list[Evidence]
) -> tuple[dict[int, Passage], list[Evidence]]:
    """The passages that enter, by number, and the entries that stay.

    A passage that only repeats an entry adds its page to that entry.
    """
    wanted = dict.fromkeys(edit.passage for edit in edits if edit.op != "DROP")
    enter: dict[int, Passage] = {}
    for number in dict.fromkeys((*wanted, *range(1, len(passages) + 1))):
        passage = passages[number - 1]
        if same := find_near_duplicate(passage, stay):
            stay = [absorb_passage(item, passage) if item is same else item for item in stay]
            continue
        held = (*(item.passage for item in stay), *enter.values())
        if number in wanted and not any(contains_passage(known, passage) for known in held):
            enter[number] = passage
    return enter, stay


def _replaced_pages(
    passage: Passage, number: int, edits: Sequence[Edit], ledger: Sequence[Evidence]
) -> tuple[str, ...]:
    """The pages of the entries that a passage replaces in the same words."""
    ids = {edit.entry for edit in edits if edit.op == "REPLACE" and edit.passage == number}
    urls = [
        url
        for item in ledger
        if item.id in ids and have_same_words(item.passage, passage)
        for url in (item.passage.url, *item.also)
    ]
    return tuple(url for url in dict.fromkeys(urls) if url != passage.url)


def _related_pairs(
    edits: Sequence[Edit], new: Mapping[int, Evidence]
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The ids of the pairs that agree and of those that conflict, new entries first."""
    entering = [edit for edit in edits if edit.op != "DROP" and edit.passage in new]
    agreeing = [(new[edit.passage].id, id) for edit in entering for id in edit.agrees]
    conflicting = [(new[edit.passage].id, id) for edit in entering for id in edit.against]
    return agreeing, conflicting
