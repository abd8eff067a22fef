"""The report of a session: the object that `--json` prints and the API answers."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from textwrap import shorten
from typing import Annotated, Literal

from pydantic import Field

from forager.adapters.store.sessions.approval_rows import ApprovalRow
from forager.adapters.store.sessions.session_records import SessionStatus
from forager.adapters.store.sessions.session_store import Session
from forager.answers.answer_table import compared_things, fitting_part
from forager.answers.ending import STOPPED, left_open
from forager.answers.likelihood import is_uncertain
from forager.bandit.posterior import arm_beliefs
from forager.browsing.action_text import describe_action
from forager.browsing.trajectory import opens_asked_site
from forager.domain.actions import IN_BROWSER
from forager.domain.answers import Doubt, Lead, NearestQuote, Quote, Table
from forager.domain.approvals import approval_outcome
from forager.domain.base import OMIT_EMPTY, Frozen
from forager.domain.experience import Outcome
from forager.domain.spend import Spend
from forager.domain.state import Arm, Evidence, Lesson, Page, State, Step
from forager.domain.survey import NOT_THE_WEB, PARTLY_THE_WEB, join_pages
from forager.questions.subquestions import (
    distinct_texts,
    label_subquestion,
    standing_verdict,
)
from forager.text.sentences import BLOCK_MARK
from graphs.reports.answer_layout import (
    BEST_PASSAGES,
    AnswerLayout,
    format_share,
    lay_out_answer,
)
from graphs.reports.turns import (
    EarlierTurn,
    differing_reading,
    earlier_turns,
    nearest_today,
    reason_today,
)

ArmOutcome = Literal["", "found", "nothing"] | Outcome
Searched = Literal["", "kept", "both"]
"""Whether pages that earlier sessions fetched were searched instead of the web, or besides it."""


class ArmReport(Frozen):
    """An arm with its posterior Beta(alpha, beta) and how often it was judged (`draws`).

    `prior` is α and β before the first visit, `round` that of the last visit (0: none), `outcome`
    the verdict on it. The last round of a run has no verdict but `found` or `nothing`.
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
    outcome: ArmOutcome = ""


def arm_reports(state: State) -> tuple[ArmReport, ...]:
    """All arms, in rank order."""
    beliefs = arm_beliefs(state.arms, state.lessons)
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
            round=_last_round(arm, state, last.get(arm.url)),
            outcome=_arm_outcome(arm, state, last.get(arm.url)),
        )
        for arm in state.arms
    )


def _drawn_now(arm: Arm, state: State, lesson: Lesson | None) -> bool:
    """Whether it was drawn in the present round and has no verdict yet."""
    judged = lesson is not None and lesson.round == state.draw.round
    return arm.url in state.draw.urls and not judged


def _last_round(arm: Arm, state: State, lesson: Lesson | None) -> int:
    if _drawn_now(arm, state, lesson):
        return state.draw.round
    return lesson.round if lesson else 0


def _arm_outcome(arm: Arm, state: State, lesson: Lesson | None) -> ArmOutcome:
    if not _drawn_now(arm, state, lesson):
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


Say = Callable[[str], str]


class BrowserAction(Frozen):
    """An action in a browser: `what` in words, the page that it led to, or why it failed.

    `changed` says what it changed on the site.
    """

    round: int
    what: str
    outcome: Literal["moved", "failed"]
    url: Annotated[str, OMIT_EMPTY] = ""
    why: Annotated[str, OMIT_EMPTY] = ""
    changed: Annotated[str, OMIT_EMPTY] = ""

    def line(self, say: Say = str) -> str:
        """The whole in one line; `say` puts its pieces into another language."""
        what = say(self.what)
        if self.outcome == "failed":
            return f"{what}: {say('failed')}. {say(self.why)}".strip()
        led = f" → {self.url}" if self.url else ""
        return f"{what}{led}. {say(self.changed)}" if self.changed else f"{what}{led}"


class ReportedApproval(Frozen):
    """An approval request and its answer, null as long as there is none."""

    kind: Literal["approve", "take over"]
    what: str
    why: Annotated[str, OMIT_EMPTY] = ""
    url: Annotated[str, OMIT_EMPTY] = ""
    outcome: str
    answer: bool | None = None

    def line(self, say: Say = str) -> str:
        """The whole in one line; `say` puts its pieces into another language."""
        why = f" ({say(self.why)})" if self.why else ""
        at = f" · {self.url}" if self.url else ""
        return f"{say(self.outcome)}: {say(self.what)}{why}{at}"


def browser_actions(state: State) -> tuple[BrowserAction, ...]:
    """The browser actions, in order."""
    return tuple(_browser_action(step) for step in state.steps if step.action.kind in IN_BROWSER)


def reported_approvals(rows: Iterable[ApprovalRow]) -> tuple[ReportedApproval, ...]:
    """The approval requests, in the order of asking."""
    return tuple(
        ReportedApproval(
            kind=row.plea.kind,
            what=row.plea.what,
            why=row.plea.why,
            url=row.plea.url,
            outcome=approval_outcome(row.plea, row.answer),
            answer=row.answer,
        )
        for row in rows
    )


def _browser_action(step: Step) -> BrowserAction:
    return BrowserAction(
        round=step.round,
        what=describe_action(step.action),
        outcome=step.outcome,
        url=step.view.url if step.view else "",
        why=step.reason if step.outcome == "failed" else "",
        changed=step.harm,
    )


MAX_NOTES = 10
LONGEST_NEAREST = 200
NEAREST = "Nearest passage, does not answer"
"""The heading of the quote that comes closest."""
CITATION_GROUP = re.compile(r"\[([^\[\]]+)\]")
ID_SEPARATOR = re.compile(r"[\s,;]+")


class ReportedEvidence(Quote):
    """A quote of the ledger: its sub-question (`part`), the round that found it, and its place.

    `quote` is characters `start` to `end` of the document in `blob`, under the heading `section`;
    `score` is how well it answers the sub-question, about 0 to 2. `dated` is the date that the
    page gives itself, `also` are pages that say the same; `agrees` and `conflicts` are the ids of
    evidence that agrees or conflicts with it.
    """

    part: str
    round: int
    part_text: str = ""
    section: str = ""
    blob: str = ""
    start: int = 0
    end: int = 0
    score: float = 0.0
    cited: bool = False
    fetched: Annotated[datetime | None, OMIT_EMPTY] = None
    dated: Annotated[str, OMIT_EMPTY] = ""
    also: Annotated[tuple[str, ...], OMIT_EMPTY] = ()
    agrees: Annotated[tuple[str, ...], OMIT_EMPTY] = ()
    conflicts: Annotated[tuple[str, ...], OMIT_EMPTY] = ()


class VisitedPage(Frozen):
    """A page opened while navigating."""

    url: str
    depth: int
    round: int


class ReportedSpend(Spend):
    """What a session used, with its rounds, and how many it makes at most, where that is known."""

    tokens_cached: Annotated[int, OMIT_EMPTY] = 0
    refused: Annotated[int, OMIT_EMPTY] = 0
    rounds: int = 0
    most_rounds: int = Field(0, exclude=True)


class Report(Frozen):
    """A session's outcome, or what it has so far."""

    session: str
    graph: str
    graph_hash: str
    model: str
    status: SessionStatus
    answer: str
    table: Annotated[Table | None, OMIT_EMPTY] = None
    """Left out of the JSON where there is none."""
    citations: tuple[Quote, ...] = ()
    leads: Annotated[tuple[Lead, ...], OMIT_EMPTY] = ()
    """The words that answer each sub-question; left out where there is none."""
    evidence: tuple[ReportedEvidence, ...] = ()
    open: tuple[str, ...] = ()
    reason: Annotated[str, OMIT_EMPTY] = ""
    """Why the question is not answered in full; left out where it is."""
    nearest: Annotated[NearestQuote | None, OMIT_EMPTY] = None
    """The quote that comes closest to what is open; left out where nothing is."""
    notes: Annotated[tuple[str, ...], OMIT_EMPTY] = ()
    """Sites that could not be read, and failed or empty searches; left out where there is none."""
    doubts: Annotated[tuple[Doubt, ...], OMIT_EMPTY] = ()
    visited: tuple[VisitedPage, ...] = ()
    actions: Annotated[tuple[BrowserAction, ...], OMIT_EMPTY] = ()
    """The browser actions; left out of the JSON where there is none."""
    pleas: Annotated[tuple[ReportedApproval, ...], OMIT_EMPTY] = ()
    """The approval requests and their answers; left out of the JSON where there is none."""
    arms: tuple[ArmReport, ...] = ()
    spent: ReportedSpend = ReportedSpend()
    meant: Annotated[str, OMIT_EMPTY] = ""
    """How a follow-up was understood; left out of the JSON where it stands alone."""
    turns: Annotated[tuple[EarlierTurn, ...], OMIT_EMPTY] = ()
    """The earlier turns; left out of the JSON of a first turn."""
    question: str = Field("", exclude=True)
    known: int = Field(0, exclude=True)
    """The number of known pages on the sites."""
    searched: Searched = Field("", exclude=True)
    unjudged: tuple[str, ...] = Field((), exclude=True)
    """The sub-questions of which a stopped run had judged nothing yet."""
    error: Annotated[str, OMIT_EMPTY] = ""
    """Cause and remedy of a failed session; left out of the JSON of any other."""


def build_report(
    session: Session, status: SessionStatus, state: State, requests: Iterable[ApprovalRow] = ()
) -> Report:
    """The report of a session with this state and these approval requests."""
    answer = state.answer
    citations = answer.citations if answer else ()
    cited = {item.id for item in citations}
    asked = session.question.text
    parts = {part.id: label_subquestion(part.text, asked) for part in state.survey.parts}
    things = compared_things(state.survey.parts, state.asked)
    return Report(
        session=session.id,
        graph=session.graph,
        graph_hash=session.graph_hash,
        model=session.writer,
        status=status,
        answer=answer.text if answer else "",
        table=answer.table if answer else None,
        citations=tuple(
            Quote(id=item.id, url=item.url, title=item.title, quote=item.quote)
            for item in citations
        ),
        leads=tuple(_labelled_lead(lead, asked) for lead in answer.leads) if answer else (),
        evidence=tuple(
            _reported_evidence(item, fitting_part(item, things), parts, item.id in cited)
            for item in state.evidence
            if not item.dropped
        ),
        open=tuple(label_subquestion(text, asked) for text in open_subquestions(state)),
        reason=reason_today(answer.reason) if answer else "",
        nearest=nearest_today(answer.nearest) if answer and answer.nearest else None,
        notes=_site_notes(state),
        doubts=answer.doubts if answer else (),
        visited=tuple(_visited_page(step.page, step.round) for step in state.steps if step.page),
        actions=browser_actions(state),
        pleas=reported_approvals(requests),
        arms=arm_reports(state),
        spent=ReportedSpend(
            **state.spend.model_dump(), rounds=state.draw.round, most_rounds=state.draw.most
        ),
        meant=differing_reading(state.meaning.text, session.question),
        turns=earlier_turns(state.past),
        question=session.question.text,
        known=sum(state.survey.pages.values()),
        searched=searched_place(state),
        unjudged=tuple(label_subquestion(text, asked) for text in unjudged_parts(state)),
        error=f"{session.error} {session.mend}".strip() if status == "failed" else "",
    )


ESTIMATED = "The figure is an estimate by rules with learned weights; no language model made it."
ESTIMATES = "The figures are estimates by rules with learned weights; no language model made them."
"""What is said of the likelihood of an answer."""


def searched_place(state: State) -> Searched:
    """Where pages were searched for, if no site is named."""
    if state.question.sites:
        return ""
    steps = [step for step in state.steps if step.action.kind == "search" and step.found]
    in_kept = [NOT_THE_WEB in step.reason for step in steps if not step.action.site]
    surveyed = noted_place(state.survey.notes)
    if not surveyed and not any(in_kept):
        return ""
    on_web = surveyed == "both" or (state.survey.pages and not surveyed)
    return "both" if on_web or not all(in_kept) else "kept"


def noted_place(notes: Sequence[str]) -> Searched:
    """Where pages were searched for, by the notes of the searches."""
    return "both" if PARTLY_THE_WEB in notes else "kept" if NOT_THE_WEB in notes else ""


def answer_worth(report: Report) -> str:
    """How likely the least likely lead that was judged is right; empty if none was rated."""
    judged = [lead for lead in report.leads if lead.part not in report.unjudged]
    rated = [lead.confidence for lead in judged if lead.confidence is not None]
    return f"certainty: {format_share(min(rated))}" if rated else ""


def rates_each_part(report: Report) -> bool:
    """Whether each sub-question stands over its own answer, with how likely that is right."""
    leads = answer_layout(report).leads
    parts = {*report.open, *(lead.part for lead in leads)}
    return not report.table and bool(leads) and (len(leads) > 1 or len(parts) > 1)


def count_read(report: Report) -> int:
    """How many pages were read: those that were opened or quoted."""
    visited = {page.url for page in report.visited}
    return len(visited | {item.url for item in report.evidence})


def unjudged_parts(state: State) -> tuple[str, ...]:
    """The sub-questions that a run was stopped before it judged; none of any other run."""
    stopped = state.answer is not None and state.answer.reason.startswith(STOPPED)
    adequate = bool(state.lessons) and state.lessons[-1].outcome == "adequate"
    verdict = standing_verdict(state)
    if not stopped or (adequate and verdict is None):
        return ()
    judged = {*verdict.covered, *verdict.open} if verdict else set[str]()
    return distinct_texts([part for part in state.survey.parts if part.id not in judged])


def is_weak(report: Report) -> bool:
    """Whether it has a part that is weaker than its status says, or that was not judged."""
    return is_uncertain(report) or bool(report.answer and report.unjudged)


def answer_layout(report: Report) -> AnswerLayout:
    """How the answer of a report is laid out."""
    sections = {item.id: item.section for item in report.evidence}
    return lay_out_answer(report.answer, report.citations, report.leads, sections, report.unjudged)


def shows_nearest(report: Report) -> bool:
    """Whether the nearest quote is among those that an answer of nothing but quotes shows whole."""
    citations = report.citations
    shown = answer_layout(report).passages[:BEST_PASSAGES]
    return report.nearest is not None and report.nearest.id in {
        citations[passage.number - 1].id for passage in shown
    }


def split_citations(text: str, citations: Sequence[Quote]) -> Iterator[str | int]:
    """Pieces of text, and the numbers (from 1) of the citations in brackets, in order."""
    numbers = {item.id: number for number, item in enumerate(citations, 1)}
    done = 0
    for found in CITATION_GROUP.finditer(text):
        ids = ID_SEPARATOR.split(found[1].strip())
        if not numbers.keys() >= set(ids):
            continue  # brackets that cite nothing
        if text[done : found.start()]:
            yield text[done : found.start()]
        yield from (numbers[id] for id in ids)
        done = found.end()
    if text[done:]:
        yield text[done:]


def _labelled_lead(lead: Lead, question: str) -> Lead:
    return lead.model_copy(update={"part": label_subquestion(lead.part, question)})


def open_subquestions(state: State) -> tuple[str, ...]:
    """The sub-questions that are still open, in words."""
    if state.answer:
        return state.answer.open
    if state.verdict is not None and state.verdict.sufficient:
        return left_open(state)
    return left_open(state) or state.feedback.open or distinct_texts(state.survey.parts)


def _site_notes(state: State) -> tuple[str, ...]:
    """Notes of the survey, of searches, and of sites that could not be opened.

    Of a survey of named sites only its faults; where a search chose the sites, all its notes.
    """
    notes = list(state.survey.faults if state.question.sites else state.survey.notes)
    notes += [
        step.reason
        for step in state.steps
        if step.action.kind == "search"
        or (step.outcome == "failed" and opens_asked_site(state, step.action))
    ]
    return join_pages(filter(None, notes))[:MAX_NOTES]


def _reported_evidence(
    item: Evidence, part: str, parts: Mapping[str, str], cited: bool
) -> ReportedEvidence:
    passage = item.passage
    return ReportedEvidence(
        id=item.id,
        url=passage.url,
        title=passage.title,
        quote=passage.text,
        part=part,
        round=item.round,
        part_text=parts.get(part, ""),
        section=passage.section,
        blob=passage.blob,
        start=passage.start,
        end=passage.end,
        score=passage.scores.get(part, 0.0),
        cited=cited,
        fetched=datetime.fromtimestamp(round(passage.fetched), UTC) if passage.fetched else None,
        dated=passage.dated,
        also=item.also,
        agrees=item.agrees,
        conflicts=item.conflicts,
    )


def _visited_page(page: Page, round: int) -> VisitedPage:
    return VisitedPage(url=page.url, depth=page.depth, round=round)


def describe_nearest(nearest: NearestQuote) -> str:
    """The quote that comes closest and its page, in one line; why it does not answer follows."""
    words = " ".join(BLOCK_MARK.sub("", nearest.quote).split())
    quote = shorten(words, LONGEST_NEAREST, placeholder=" …")
    return f"“{quote}” ({nearest.title or nearest.url})."
