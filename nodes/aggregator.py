"""Edits the ledger of evidence, and says what it still lacks."""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field

from forager.frozen import Frozen
from forager.parts import asks_of
from forager.ports import Embedder, Ports, Said, Task
from forager.ranking import shares
from forager.sections import Item, Section, listed, named, quoted, quotes, said
from forager.state import Evidence, Feedback, Part, Passage, State, Update
from forager.tokens import tokenize

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

Then look at what the question still needs, and write `open`: one line for each thing to look up,
such that a navigator who has seen neither the ledger nor the pages can act on it. Name the thing,
what is wanted of it, and the kind of page that would say it: "default of option X of command Y,
in its reference page". Use what the ledger has taught (a name, a version, a year) instead of "it"
or "the first one". Name a thing as open only if a part of the question needs it, and never one
that an entry answers. If nothing is open, the list is empty."""

SAME_WORDS = 0.8


class AggregatorParams(Frozen):
    """How large the ledger may grow."""

    entries: int = Field(24, ge=1, description="entries kept; beyond it the weakest is dropped")
    least: float = Field(0.65, ge=0, description="score at which a part no longer counts as open")


class Edit(BaseModel):
    """One change of the ledger."""

    op: Literal["ADD", "REPLACE", "DROP"] = Field(description="what to do")
    passage: int = Field(0, description="number of the passage that enters; 0 for DROP")
    entry: str = Field("", description="id of the entry that goes; empty for ADD")


class Edits(Said):
    """All changes, and what is open after them."""

    edits: list[Edit] = Field(description="the changes; empty where the ledger stays as it is")
    open: list[str] = Field(description="look-ups still to be made, one line each")


class EditLedger(Task[Edits]):
    """Decide what enters the ledger."""

    ROLE = "aggregator"
    PROMPT = PROMPT
    REPLY = Edits

    question: str
    parts: tuple[Part, ...]
    ledger: tuple[Evidence, ...]
    passages: tuple[Passage, ...]
    params: AggregatorParams

    def sections(self) -> tuple[Section, ...]:
        """The parts, the ledger, and what was just read."""
        parts = [f"{part.id}: {part.text}" for part in self.parts]
        worth = {item.id: max(item.passage.scores.values(), default=0.0) for item in self.ledger}
        passages = [
            Item(
                text=quoted(str(number), passage), relevance=max(passage.scores.values(), default=0)
            )
            for number, passage in enumerate(self.passages, start=1)
        ]
        return (
            said("Question", self.question),
            Section(title="Parts", items=listed(parts), tokens=400, material=False),
            Section(title="Ledger", items=quotes(self.ledger, worth), tokens=2000),
            Section(title="New passages", items=tuple(passages), tokens=1500),
        )

    def faults(self, reply: Edits) -> list[str]:
        """Edits that name what is not there."""
        ids = {item.id for item in self.ledger}
        last = len(self.passages)
        wrong = [
            f"There is no passage {edit.passage}, only 1 to {last}."
            for edit in reply.edits
            if edit.op != "DROP" and not 1 <= edit.passage <= last
        ]
        wrong += [
            f"{edit.op} needs an entry of the ledger; there is none {named(edit.entry)}."
            for edit in reply.edits
            if edit.op != "ADD" and edit.entry not in ids
        ]
        return wrong

    def offline(self, embedder: Embedder) -> Edits:
        """Add what is new."""
        edits: list[Edit] = []
        kept = [item.passage for item in self.ledger]
        for number, passage in enumerate(self.passages, start=1):
            if not any(_same(passage, known) for known in kept):
                edits.append(Edit(op="ADD", passage=number))
                kept.append(passage)
        return Edits(edits=edits, open=self._open(kept))

    def _open(self, passages: Sequence[Passage]) -> list[str]:
        best = {part.text: 0.0 for part in self.parts}
        for part in self.parts:
            scores = [passage.scores.get(part.id, 0.0) for passage in passages]
            best[part.text] = max([best[part.text], *scores])
        return [text for text, score in best.items() if score < self.params.least]


async def aggregate(state: State, ports: Ports, params: AggregatorParams) -> Update:
    """Apply the edits that name things that exist; beyond the limit the weakest entries go."""
    assert state.reading is not None, "the aggregator follows the extractor"  # noqa: S101
    reading = state.reading
    ledger = tuple(item for item in state.evidence if not item.dropped)
    reply = await ports.model.ask(
        EditLedger(
            question=state.question.text,
            parts=state.survey.parts,
            ledger=ledger,
            passages=reading.passages,
            params=params,
        )
    )
    stay, enter = _edited(ledger, reading.passages, reply.edits)
    strong = _strongest([*(item.passage for item in stay), *enter], params.entries)
    added = [
        Evidence(
            id=f"e{len(state.evidence) + place}",
            passage=passage,
            round=state.draw.round,
            step=reading.step,
        )
        for place, passage in enumerate((each for each in enter if each in strong), start=1)
    ]
    dropped = [
        item.model_copy(update={"dropped": True})
        for item in ledger
        if item not in stay or item.passage not in strong
    ]
    parts = state.survey.parts
    # An empty ledger leaves everything open, whatever a reply says.
    open = tuple(reply.open) or (() if stay or added else asks_of(parts))
    feedback = Feedback(open=open, added=len(added), gain=_gain(parts, ledger, added))
    return {"evidence": (*dropped, *added), "feedback": feedback}


def _edited(
    ledger: Sequence[Evidence], passages: Sequence[Passage], edits: Sequence[Edit]
) -> tuple[list[Evidence], list[Passage]]:
    """What stays and what enters; no entry is lost to a passage that is not there."""
    ids = {item.id for item in ledger}
    valid = [
        edit
        for edit in edits
        if (edit.op == "ADD" or edit.entry in ids)
        and (edit.op == "DROP" or 1 <= edit.passage <= len(passages))
    ]
    leaving = {edit.entry for edit in valid if edit.op != "ADD"}
    stay = [item for item in ledger if item.id not in leaving]
    enter: list[Passage] = []
    for number in dict.fromkeys(edit.passage for edit in valid if edit.op != "DROP"):
        passage = passages[number - 1]
        if not any(_holds(known, passage) for known in (*(e.passage for e in stay), *enter)):
            enter.append(passage)
    return stay, enter


def _strongest(passages: Sequence[Passage], count: int) -> list[Passage]:
    """The passages with the largest shares of the odds."""
    values = [sum(of.values()) for of in shares([passage.scores for passage in passages])]
    order = sorted(range(len(passages)), key=lambda place: -values[place])
    return [passages[place] for place in order[:count]]


def _holds(known: Passage, passage: Passage) -> bool:
    """Is a passage a piece of one that is known, or the very same words on another page?"""
    if known.blob == passage.blob:
        return known.start <= passage.start and passage.end <= known.end
    return known.text == passage.text


def _gain(parts: Sequence[Part], ledger: Sequence[Evidence], added: Sequence[Evidence]) -> float:
    """The share of the odds of all parts that the new entries hold, 0 to 1."""
    held = shares([item.passage.scores for item in (*ledger, *added)])[len(ledger) :]
    total = sum(share for of in held for share in of.values())
    return min(1.0, total / max(1, len(parts)))


def _same(one: Passage, other: Passage) -> bool:
    """The same stretch of a page, or the same words on another, with the same numbers."""
    if one.blob == other.blob:
        return one.start < other.end and other.start < one.end
    left, right = set(tokenize(one.text)), set(tokenize(other.text))
    apart = any(term[0].isdigit() for term in left ^ right)
    return not apart and len(left & right) >= SAME_WORDS * max(1, len(left | right))
