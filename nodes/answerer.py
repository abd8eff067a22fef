"""Writes the answer from the ledger alone; every sentence cites the entries it rests on."""

from collections.abc import Mapping
from typing import ClassVar

from pydantic import BaseModel, Field

from forager.answers import answer_table, conflicts
from forager.answers.answer_table import WrittenTable
from forager.answers.arithmetic import REFERENCE, Formulas, Sum
from forager.answers.citation_check import EVIDENCE_ID, check_citations
from forager.answers.ending import left_open, nearest_quote, settle_ending
from forager.answers.small_model import MAX_QUOTES, WriteShort, WrittenShort
from forager.budget import current_meter
from forager.domain.answers import Answer, Citation, Lead
from forager.domain.base import Frozen
from forager.domain.state import Evidence, State, SubQuestion, Update
from forager.evidence import list_rows
from forager.node_type import NodeType, end_route, state_keys
from forager.offline.answerer import write_answer
from forager.ports import Embedder, Ports, RoleReply, SmallTask, Task
from forager.prompts.sections import (
    CITATION_MARK,
    Section,
    evidence_items,
    list_items,
    text_section,
)
from forager.questions.list_intent import parse_list_intent
from forager.ranking.scoring import odds_shares

PROMPT = """\
You write the answer to a question from a ledger of quotes. You see the question, its parts, and
the quotes, each under its id with the page and section where it stands.

Answer in the language of the question, whatever language the quotes are in; names, titles,
commands and code stay as they are written. Begin with the answer itself; one or two sentences are
enough for most questions, a list where several things are asked for. End every sentence with the
ids of the quotes that it rests on, as [e3] or [e3][e7]: each sentence, each list item. What a
sentence states must stand in the quotes it cites: copy numbers, names, dates and units exactly,
keep conditions and exceptions, and round nothing.

Never work a number out yourself. Where the question asks for a difference, a total, a product, a
ratio, a percentage, a count, the days, months or years between dates, the least or greatest of
values, their order, or whether they are the same, ask for it in `sums`: the operation, and each
value copied word for word from the quote named. A sum may use the result of an earlier one: the
value is then {sum 1}. "50 % more", "twice as many" and "a third of" are values of a product. Write
{sum 1} in the text where the first one belongs, {sum 2} for the second: there its formula, with its
result and citations, will be put.

Use nothing but the quotes: not what you know, not what is likely. Where quotes contradict each
other, say so and cite both. What no quote answers goes into `open`, in words, and into the text
only as not found. If no quote answers any part, leave `text` empty: it is better to say nothing
than to guess."""

ON_TABLES = """\
Where the question wants a list or a comparison, lay it out in `table`: a row for each thing, in the
order of the quotes, a column for its name and one for each property asked for. A cell's text is
copied from the quotes that `cites` names, in their language; leave empty what no quote says, and
name it in `open`. If one of the lists shown under Lists is the answer as it stands, leave `table`
without columns: its rows are laid out for you. The text then says in a sentence what the table
holds, citing some of its rows."""

MOST_WITHOUT_TABLE = 2
"""So many things asked are told in a sentence or two, unless one of them is a list."""


class AnswererParams(Frozen):
    """How much is quoted without a model, and when it is too little to answer."""

    citations: int = Field(
        5,
        ge=1,
        description="entries cited at most for one sub-question, without a model; one more for "
        "each further one",
    )
    least: float = Field(
        0.65, ge=0, description="score a part needs to be answered without a model"
    )


class Written(RoleReply):
    """The answer."""

    NUMBERED = frozenset({"sums"})
    text: str = Field(description="the answer, ids in brackets; empty when the quotes do not say")
    sums: list[Sum] = Field(
        default_factory=list, description="what is to be worked out; {sum 1} is the first one"
    )
    open: list[str] = Field(
        default_factory=list, description="what was asked and no quote answers, in words"
    )
    table: WrittenTable = Field(
        default_factory=WrittenTable, description="rows and columns, where the question wants them"
    )


class QuotedAnswer(Written):
    """An answer written by rule, with its leads."""

    leads: list[Lead] = Field(default_factory=list)


class WriteAnswer(Task[Written]):
    """Write the answer from these entries; `open` are the texts of parts that were judged open."""

    ROLE = "answerer"
    PROMPT = f"{PROMPT}\n\n{ON_TABLES}"
    ASIDES: ClassVar[Mapping[str, str]] = {"table": ON_TABLES}
    REPLY = Written

    question: str
    parts: tuple[SubQuestion, ...]
    ledger: tuple[Evidence, ...]
    params: AnswererParams
    open: tuple[str, ...] = ()

    def find_idle(self) -> frozenset[str]:
        """The table, where at most two things are asked and none of them is a list."""
        few = len({part.text for part in self.parts}) <= MOST_WITHOUT_TABLE
        listed = any(part.row or part.column for part in self.parts) or any(
            item.passage.row for item in self.ledger
        )
        asked = listed or parse_list_intent(self.question) is not None
        return frozenset({"table"}) if few and not asked else frozenset()

    def sections(self) -> tuple[Section, ...]:
        """The parts, and the quotes, those that hold most of the odds first."""
        parts = list(dict.fromkeys(answer_table.label_sub_question(part) for part in self.parts))
        loose = [item for item in self.ledger if item.passage.row is None]
        held = odds_shares([item.passage.scores for item in loose])
        worth = {item.id: sum(of.values()) for item, of in zip(loose, held, strict=True)}
        return (
            text_section("Question", self.question),
            Section(title="Parts", items=list_items(parts), tokens=400, material=False),
            *list_rows.list_sections(self.ledger),
            Section(title="Quotes", items=evidence_items(loose, worth), tokens=4000),
        )

    def faults(self, reply: Written) -> list[str]:
        """Text without citations, ids that do not exist, and faults of the table and the sums."""
        known = {item.id for item in self.ledger}
        cited = {
            id
            for found in CITATION_MARK.finditer(reply.text)
            for id in EVIDENCE_ID.findall(found[1])
        }
        wrong = [f"There is no quote {id!r}." for id in sorted(cited - known)]
        if reply.text.strip() and not cited and not REFERENCE.search(reply.text):
            wrong.append("The text cites nothing: end each sentence with the ids it rests on.")
        wrong += answer_table.table_faults(reply.table, self.ledger, self.question)
        return wrong + _read_formulas(reply, self.ledger).find_faults(reply.text)

    def offline(self, embedder: Embedder) -> QuotedAnswer:
        """Begin with the words that answer each part, and quote the best entries."""
        written = write_answer(
            self.question,
            self.parts,
            self.ledger,
            embedder,
            citations=self.params.citations,
            least=self.params.least,
            open=self.open,
        )
        return QuotedAnswer.model_validate(written._asdict())

    def small_task(self, draft: Written) -> SmallTask | None:
        """Write the answer from the quotes that the rule chose, if they cover anything."""
        if draft.table.columns or all(part.text in self.open for part in self.parts):
            return None
        entries = {item.id: item for item in self.ledger}
        cited = dict.fromkeys(EVIDENCE_ID.findall(draft.text))
        quotes = tuple(entries[id] for id in cited if id in entries)[:MAX_QUOTES]
        return WriteShort(question=self.question, quotes=quotes) if quotes else None

    def with_small_reply(self, draft: Written, small: SmallTask, reply: BaseModel) -> Written:
        """The model's text, if its quotes support it and lead the rule's too; else the rule's."""
        assert isinstance(small, WriteShort)  # noqa: S101
        assert isinstance(reply, WrittenShort)  # noqa: S101
        text = small.cited_text(reply)
        checked = check_citations(text, self.ledger, self.question)
        leads = draft.leads if isinstance(draft, QuotedAnswer) else []
        named = {item.id for item in small.chosen(reply.quotes)}
        agree = not leads or any(lead.quote in named for lead in leads)
        supported = checked.text and not checked.doubts and agree
        return Written(text=text, open=draft.open) if supported else draft


async def answer(state: State, ports: Ports, params: AnswererParams) -> Update:
    """Answer from the ledger; what its quotes do not support is removed or reported as a doubt."""
    ledger = tuple(item for item in state.evidence if not item.dropped)
    task = WriteAnswer(
        question=state.asked,
        parts=state.survey.parts,
        ledger=ledger,
        params=params,
        open=left_open(state),
    )
    nothing = Written(text="")
    written = await ports.model.ask(task) if ledger else nothing
    by_rule = current_meter().unanswered > 0
    return {"answer": _checked_answer(state, written, ledger, by_rule=by_rule)}


NODE_TYPE = NodeType(
    name="answerer",
    family="answer",
    summary="Writes the answer from the quotes alone, each sentence citing its own.",
    function=answer,
    params=AnswererParams,
    routes=("end",),
    route=end_route,
    reads=state_keys("question spend"),
    looks=state_keys("meaning survey draw steps evidence feedback verdict lessons"),
    writes=state_keys("answer"),
    fed={"end": "evidence"},
    tasks=(WriteAnswer,),
)


def _checked_answer(
    state: State, written: Written, ledger: tuple[Evidence, ...], *, by_rule: bool
) -> Answer:
    """The reply with its sums worked out, its citations checked, and its status."""
    entries = {item.id: item for item in ledger}
    formulas = _read_formulas(written, ledger)
    text, cited, doubts = check_citations(
        formulas.append_unused(written.text), ledger, state.asked, formulas
    )
    text, cited = conflicts.disclose_conflicts(text, cited, ledger, state.survey.parts)
    laid = answer_table.lay_out_table(state.asked, ledger, written.table, text)
    text, cited = laid.text, tuple(dict.fromkeys((*cited, *laid.cited)))
    open = [*written.open, *laid.open] if text else written.open
    quotes_alone = isinstance(written, QuotedAnswer) and laid.table is None
    quoted = [entries[id] for id in cited]
    ending = settle_ending(state, text, open, quoted, by_rule=by_rule, quotes_alone=quotes_alone)
    return Answer(
        text=text,
        status=ending.status,
        table=laid.table,
        citations=tuple(_cite_entry(entries[id]) for id in cited),
        leads=tuple(written.leads) if isinstance(written, QuotedAnswer) and text else (),
        doubts=(*doubts, *laid.doubts),
        open=ending.open,
        reason=ending.reason,
        nearest=nearest_quote(state, ledger) if ending.open else None,
    )


def _read_formulas(written: Written, ledger: tuple[Evidence, ...]) -> Formulas:
    return Formulas(written.sums, {item.id: item.passage.text for item in ledger})


def _cite_entry(item: Evidence) -> Citation:
    passage = item.passage
    return Citation(
        id=item.id,
        url=passage.url,
        title=passage.title,
        quote=passage.text,
        blob=passage.blob,
        start=passage.start,
        end=passage.end,
    )
