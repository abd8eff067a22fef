"""Two sessions side by side: what each answered, found, walked and spent."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from graphs.sessions.service import Report, Session, Sessions
from ui.parts.component import alone
from ui.parts.words import Piece, compared
from ui.server.backend import get_backend as here
from ui.server.live.session_status import display_status as stands

Told = dict[str, object]


def compare(one: str, other: str) -> None:
    """Mount the comparison. Raises SessionError where one of them is not there."""

    async def both(sessions: Sessions) -> list[tuple[Session, Report]]:
        return [await sessions.look(id) for id in (one, other)]

    alone("compare", f"compare-{one}-{other}", **comparison(here().desk.call(both)))


def comparison(both: Sequence[tuple[Session, Report]]) -> Told:
    """The document that the component draws."""
    reports = [report for _, report in both]
    numbers = [
        {quote.id: number for number, quote in enumerate(report.citations, 1)} for report in reports
    ]
    answers = compared(reports[0].answer, reports[1].answer, *numbers)
    return {
        "sides": [
            _side(session, report, pieces)
            for (session, report), pieces in zip(both, answers, strict=True)
        ],
        "evidence": _evidence(reports),
    }


def _side(session: Session, report: Report, pieces: Sequence[Piece]) -> Told:
    spent = report.spent
    return {
        "id": session.id,
        "question": session.question.text,
        "graph": session.graph,
        "model": session.model,
        "created": session.created,
        "stands": stands(report.status, report.answer),
        "answer": [piece._asdict() for piece in pieces],
        "open": list(report.open),
        "path": _path(report),
        "spend": {
            "Pages": spent.actions,
            "Calls": spent.model_calls,
            "Tokens": spent.tokens_in + spent.tokens_out,
            "Dollars": round(spent.usd, 6),
            "Time": round(spent.seconds, 1),
        },
    }


def _path(report: Report) -> list[Told]:
    """The pages visited: those that the answer cites, those quoted only, and the others."""
    cited = {quote.url for quote in report.citations}
    quoted = {item.url for item in report.evidence}
    titles = {arm.url: arm.title for arm in report.arms}
    titles |= {item.url: item.title for item in report.evidence}
    return [
        {
            "url": page.url,
            "title": titles.get(page.url) or _name(page.url),
            "round": page.round,
            "sign": "found"
            if page.url in cited
            else "partial"
            if page.url in quoted
            else "nothing",
        }
        for page in report.visited
    ]


def _name(url: str) -> str:
    parts = urlsplit(url)
    return parts.path.rstrip("/").rpartition("/")[2] or parts.netloc


def _evidence(reports: Sequence[Report]) -> list[Told]:
    """Each quote once, with the visit that found it on either side; those in both first."""
    rows: dict[str, Told] = {}
    for side, report in enumerate(reports):
        for item in report.evidence:
            key = " ".join(item.quote.split())
            row = rows.setdefault(
                key,
                {
                    "quote": item.quote,
                    "url": item.url,
                    "title": item.title,
                    "part": item.part_text,
                    "rounds": [None, None],
                },
            )
            rounds = row["rounds"]
            if isinstance(rounds, list):
                rounds[side] = item.round
    return sorted(rows.values(), key=_in_one)


def _in_one(row: Told) -> bool:
    rounds = row["rounds"]
    return isinstance(rounds, list) and None in rounds
