"""What a session has to show: the object that `--json` prints."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import ClassVar, Literal

from pydantic import Field

from forager.adapters.store.sessions.approval_rows import Asked
from forager.adapters.store.sessions.session_store import Session
from forager.browsing.trajectory import begins
from forager.domain.answers import Doubt, Quote, Table
from forager.domain.base import Frozen
from forager.domain.spend import Spend
from forager.domain.state import Evidence, Page, State
from forager.questions.subquestions import asks_of, open_parts
from graphs.arm_report import ArmReport, arm_reports
from graphs.doings import Done, Pleaded, done, pleaded
from graphs.silent import Silent
from graphs.turns import Told, meant, told

MOST_NOTES = 10
Standing = Literal[
    "answered", "partial", "abstained", "failed", "running", "waiting", "paused", "interrupted"
]


class Kept(Quote, Silent):
    """An entry of the ledger: the part it bears on, the round that found it, and where it stands.

    `quote` is characters `start` to `end` of the document in `blob`, under the heading `section`;
    `confidence` is how well it answers the part, about 0 to 2. `dated` is the date that the page
    gives itself, `also` are pages that say the same, and the others the ids of entries that agree
    or conflict with it.
    """

    SILENT: ClassVar[tuple[str, ...]] = ("fetched", "dated", "also", "agrees", "conflicts")
    part: str
    round: int
    part_text: str = ""
    section: str = ""
    blob: str = ""
    start: int = 0
    end: int = 0
    confidence: float = 0.0
    cited: bool = False
    fetched: datetime | None = None
    dated: str = ""
    also: tuple[str, ...] = ()
    agrees: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()


class Visited(Frozen):
    """A page opened while navigating."""

    url: str
    depth: int
    round: int


class Spent(Spend, Silent):
    """What a session used, rounds included."""

    SILENT: ClassVar[tuple[str, ...]] = ("tokens_cached", "refused")
    rounds: int = 0


class Report(Silent):
    """A session's outcome, or its present state."""

    SILENT: ClassVar[tuple[str, ...]] = (
        *("error", "doubts", "notes", "table", "actions", "pleas"),
        *("meant", "turns"),
    )
    session: str
    graph: str
    graph_hash: str
    model: str
    status: Standing
    answer: str
    table: Table | None = None
    """Left out of the JSON where there is none."""
    citations: tuple[Quote, ...] = ()
    evidence: tuple[Kept, ...] = ()
    open: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Sites that could not be had, what searches said that failed or fell through; or left out."""
    doubts: tuple[Doubt, ...] = ()
    visited: tuple[Visited, ...] = ()
    actions: tuple[Done, ...] = ()
    """What was done in a browser; left out of the JSON where there was none, as the pleas."""
    pleas: tuple[Pleaded, ...] = ()
    """What the person was asked, and their answers."""
    arms: tuple[ArmReport, ...] = ()
    spent: Spent = Spent()
    meant: str = ""
    """How a follow-up was read; left out of the JSON of a question that stands alone."""
    turns: tuple[Told, ...] = ()
    """The earlier turns of the session; left out of the JSON of a first one."""
    question: str = Field("", exclude=True)
    known: int = Field(0, exclude=True)
    """So many pages of the sites are known."""
    error: str = ""
    """Cause and mend, of a session that failed; left out of the JSON of any other, as no doubts."""


def report(session: Session, status: Standing, state: State, asked: Iterable[Asked] = ()) -> Report:
    """The session's report, as far as its state has come."""
    answer = state.answer
    citations = answer.citations if answer else ()
    cited = {item.id for item in citations}
    parts = {part.id: part.text for part in state.survey.parts}
    return Report(
        session=session.id,
        graph=session.graph,
        graph_hash=session.graph_hash,
        model=session.model,
        status=status,
        answer=answer.text if answer else "",
        table=answer.table if answer else None,
        citations=tuple(
            Quote(id=item.id, url=item.url, title=item.title, quote=item.quote)
            for item in citations
        ),
        evidence=tuple(
            _kept(item, parts, item.id in cited) for item in state.evidence if not item.dropped
        ),
        open=still_open(state),
        notes=_notes(state),
        doubts=answer.doubts if answer else (),
        visited=tuple(_visited(step.page, step.round) for step in state.steps if step.page),
        actions=done(state),
        pleas=pleaded(asked),
        arms=arm_reports(state),
        spent=Spent(**state.spend.model_dump(), rounds=state.draw.round),
        meant=meant(state.meaning.text, session.question),
        turns=told(state.past),
        question=session.question.text,
        known=sum(state.survey.pages.values()),
        error=f"{session.error} {session.mend}".strip() if status == "failed" else "",
    )


def caveat(report: Report) -> str:
    """What is to be known of an answer that no language model wrote."""
    if not report.answer or report.model != "offline":
        return ""
    return "Quotes chosen by rule: the offline model does not write or conclude."


def still_open(state: State) -> tuple[str, ...]:
    """What was asked and is not in the ledger yet, in words."""
    if state.answer:
        return state.answer.open
    if state.verdict and state.verdict.open:
        return asks_of(open_parts(state.survey, state.verdict))
    return state.feedback.open or asks_of(state.survey.parts)


def _notes(state: State) -> tuple[str, ...]:
    """Of the steps that searched, or could not open a site that was asked; and of the survey.

    Of that, all where a search chose the sites.
    """
    said = list(state.survey.faults if state.question.sites else state.survey.notes)
    said += [
        step.reason
        for step in state.steps
        if step.action.kind == "search" or (step.outcome == "failed" and begins(state, step.action))
    ]
    return tuple(dict.fromkeys(filter(None, said)))[:MOST_NOTES]


def _kept(item: Evidence, parts: Mapping[str, str], cited: bool) -> Kept:
    passage = item.passage
    return Kept(
        id=item.id,
        url=passage.url,
        title=passage.title,
        quote=passage.text,
        part=passage.part,
        round=item.round,
        part_text=parts.get(passage.part, ""),
        section=passage.section,
        blob=passage.blob,
        start=passage.start,
        end=passage.end,
        confidence=passage.scores.get(passage.part, 0.0),
        cited=cited,
        fetched=datetime.fromtimestamp(round(passage.fetched), UTC) if passage.fetched else None,
        dated=passage.dated,
        also=item.also,
        agrees=item.agrees,
        conflicts=item.conflicts,
    )


def _visited(page: Page, round: int) -> Visited:
    return Visited(url=page.url, depth=page.depth, round=round)
