"""What the tools return."""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from graphs.reports.exports.verify import CheckedQuote
from graphs.reports.report import Report, ReportedEvidence
from graphs.sessions.listing import SessionStatus
from graphs.sessions.service import ListedLine


class ToolResult(BaseModel):
    """A result whose members are described to clients."""

    model_config: ClassVar[ConfigDict] = ConfigDict(use_attribute_docstrings=True)


class CitedQuote(ToolResult):
    """A quote that the answer cites."""

    id: str
    """The id by which the answer cites it, such as `e1`."""
    quote: str
    """The words of the page."""
    url: str
    title: str


class AnswerResult(ToolResult):
    """The outcome of a question."""

    session: str
    """The session, for `follow_up`, `evidence`, `verify` and `resume`."""
    status: SessionStatus
    """answered, partial, abstained or failed."""
    answer: str
    """The answer; each claim cites quotes by their ids in brackets."""
    citations: list[CitedQuote]
    """The quotes that the answer cites."""
    open: list[str]
    """The sub-questions that were not answered."""
    reason: str
    """Why the question is not answered in full; empty if it is."""
    error: str
    """Cause and remedy, if the status is failed."""
    pages: int
    """Pages that were opened, survey excluded."""
    tokens: int
    """Tokens of language models, in and out."""
    usd: float
    """US dollars paid for language models."""
    seconds: float
    """Seconds of work."""


def describe_answer(report: Report) -> AnswerResult:
    """The outcome in a report."""
    spent = report.spent
    return AnswerResult(
        session=report.session,
        status=report.status,
        answer=report.answer,
        citations=[
            CitedQuote(id=each.id, quote=each.quote, url=each.url, title=each.title)
            for each in report.citations
        ],
        open=list(report.open),
        reason=report.reason,
        error=report.error,
        pages=len(report.visited),
        tokens=spent.tokens_in + spent.tokens_out,
        usd=round(spent.usd, 6),
        seconds=round(spent.seconds, 1),
    )


class SessionEntry(ToolResult):
    """A session in a list."""

    session: str
    question: str
    """The question of its last turn."""
    status: SessionStatus
    sites: list[str]
    turn: int
    """How many questions it has been asked."""
    answer: str


class SessionEntries(ToolResult):
    """Sessions, newest first."""

    sessions: list[SessionEntry]
    count: int
    """How many sessions match in all."""


def describe_lines(lines: tuple[ListedLine, ...], count: int) -> SessionEntries:
    """The first `count` sessions of a list."""
    entries = [
        SessionEntry(
            session=line.id,
            question=line.question,
            status=status,
            sites=list(line.sites),
            turn=line.turn,
            answer=line.answer,
        )
        for line, status in lines[:count]
    ]
    return SessionEntries(sessions=entries, count=len(lines))


class EvidenceResult(ToolResult):
    """The ledger of a session's last turn."""

    session: str
    evidence: list[ReportedEvidence]
    """Each quote with its page, its place and what it agrees or conflicts with."""


class VerifyResult(ToolResult):
    """The check of a session's quotes."""

    session: str
    all_stand: bool
    """Whether every quote is on its page, word for word."""
    live: bool
    """Whether the pages were fetched anew."""
    quotes: list[CheckedQuote]
    """Each quote with its verdict."""
