"""What a session has to show: the object that `--json` prints."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import ClassVar, Literal

from pydantic import Field

from forager.adapters.store.sessions.approval_rows import Asked
from forager.adapters.store.sessions.session_store import Session
from forager.bandit.posterior import posterior
from forager.browsing.action_text import in_words
from forager.browsing.trajectory import begins
from forager.domain.actions import IN_BROWSER
from forager.domain.answers import Doubt, Quote, Table
from forager.domain.approvals import outcome
from forager.domain.base import Frozen
from forager.domain.experience import Outcome
from forager.domain.spend import Spend
from forager.domain.state import Arm, Evidence, Lesson, Page, State, Step
from forager.questions.subquestions import asks_of, open_parts
from graphs.reports.turns import Told, meant, told
from graphs.silent import Silent

ArmStatus = Literal["", "found", "nothing"] | Outcome


class ArmReport(Frozen):
    """An arm with its posterior and how often it was judged.

    `prior` is α and β before the first visit, `round` that of the last one (0: none), `outcome`
    how that was judged. The round that ends a run is judged by nobody: `found` or `nothing`.
    """

    url: str
    title: str
    site: str
    score: float
    alpha: float
    beta: float
    draws: int
    prior: tuple[float, float] = (1.0, 1.0)
    round: int = 0
    outcome: ArmStatus = ""


def arm_reports(state: State) -> tuple[ArmReport, ...]:
    """All arms, in the order of their rank."""
    beliefs = posterior(state.arms, state.lessons)
    last = {lesson.url: lesson for lesson in state.lessons}
    return tuple(
        ArmReport(
            url=arm.url,
            title=arm.title,
            site=arm.site,
            score=arm.score,
            alpha=beliefs[arm.url].alpha,
            beta=beliefs[arm.url].beta,
            draws=beliefs[arm.url].pulls,
            prior=(arm.alpha, arm.beta),
            round=_round(arm, state, last.get(arm.url)),
            outcome=_outcome(arm, state, last.get(arm.url)),
        )
        for arm in state.arms
    )


def _open(arm: Arm, state: State, lesson: Lesson | None) -> bool:
    """Was it drawn in the present round, which nobody has judged yet?"""
    judged = lesson is not None and lesson.round == state.draw.round
    return arm.url in state.draw.urls and not judged


def _round(arm: Arm, state: State, lesson: Lesson | None) -> int:
    if _open(arm, state, lesson):
        return state.draw.round
    return lesson.round if lesson else 0


def _outcome(arm: Arm, state: State, lesson: Lesson | None) -> ArmStatus:
    if not _open(arm, state, lesson):
        return lesson.outcome if lesson else ""
    if not state.answer:
        return ""
    alone = len(state.draw.urls) == 1
    brought = any(
        item.round == state.draw.round and (alone or item.passage.url == arm.url)
        for item in state.evidence
        if not item.dropped
    )
    return "found" if brought else "nothing"


class Done(Silent):
    """An action in a browser: `what` in words, the page it led to, or why it failed.

    `changed` says what it changed on the site.
    """

    SILENT: ClassVar[tuple[str, ...]] = ("url", "why", "changed")
    round: int
    what: str
    outcome: Literal["moved", "failed"]
    url: str = ""
    why: str = ""
    changed: str = ""

    @property
    def line(self) -> str:
        """All of it in one line."""
        if self.outcome == "failed":
            return f"{self.what}: failed. {self.why}".strip()
        led = f" → {self.url}" if self.url else ""
        return f"{self.what}{led}. {self.changed}" if self.changed else f"{self.what}{led}"


class Pleaded(Silent):
    """What the person was asked; the answer is null as long as there is none."""

    SILENT: ClassVar[tuple[str, ...]] = ("why", "url")
    kind: Literal["approve", "take over"]
    what: str
    why: str = ""
    url: str = ""
    outcome: str
    answer: bool | None = None

    @property
    def line(self) -> str:
        """All of it in one line."""
        why = f" ({self.why})" if self.why else ""
        at = f", at {self.url}" if self.url else ""
        return f"{self.outcome}: {self.what}{why}{at}"


def done(state: State) -> tuple[Done, ...]:
    """The actions in a browser, in their order."""
    return tuple(_done(step) for step in state.steps if step.action.kind in IN_BROWSER)


def pleaded(asked: Iterable[Asked]) -> tuple[Pleaded, ...]:
    """What was asked, in the order of asking."""
    return tuple(
        Pleaded(
            kind=each.plea.kind,
            what=each.plea.what,
            why=each.plea.why,
            url=each.plea.url,
            outcome=outcome(each.plea, each.answer),
            answer=each.answer,
        )
        for each in asked
    )


def _done(step: Step) -> Done:
    return Done(
        round=step.round,
        what=in_words(step.action),
        outcome=step.outcome,
        url=step.view.url if step.view else "",
        why=step.reason if step.outcome == "failed" else "",
        changed=step.harm,
    )


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
