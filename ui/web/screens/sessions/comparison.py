"""Two sessions side by side: what each answered in each turn, found, visited and spent."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import streamlit as st

from forager.domain.answers import Cell, Lead, Quote, Table
from forager.errors import SessionError
from forager.evidence.passages import table_columns
from graphs.reports.answer_layout import (
    ids_of_more,
    lay_out_answer,
    lines_before_more,
    only_quotes,
    quote_blocks,
    quote_columns,
)
from graphs.reports.exports.document import session_title
from graphs.reports.turns import EarlierTurn
from graphs.sessions.service import Report, Session, SessionLine, Sessions
from ui.server.backend import get_backend
from ui.server.live.session_status import ACTIVE
from ui.server.live.session_view import describe_blocks, describe_further, shown_status
from ui.web.components.component import mount_part
from ui.web.components.word_diff import Piece, diff_words
from ui.web.graph_names import name_graph
from ui.web.markdown import escape_markdown
from ui.web.screens.sessions.session_list import list_sessions
from ui.web.screens.sessions.session_rows import describe_session
from ui.web.tab_state import go_to
from ui.web.words import later, local_time, say, say_told

Document = dict[str, object]
NOT_FOUND: Final = "abstained"
NO_MARKS: Final = str.maketrans("“”|", '""/')
"""What marks a row that is quoted, and its cells, does not stand in one."""


def comparison_view(one: str, other: str) -> None:
    """The comparison, below two fields that choose the sessions, those that ended first."""
    listed = sorted(list_sessions(), key=lambda each: each.status in ACTIVE)
    known = {each.line.id: each.line for each in listed}
    with st.container(key="beside"):
        with st.container(horizontal=True, vertical_alignment="center", key="crumbs"):
            # A link to the page itself would leave `with` in the address.
            icon = ":material/arrow_back:"
            st.button(say("Sessions"), icon=icon, type="tertiary", on_click=_show_one, args=(one,))
            st.title(say("Compare"), anchor=False)
        left, right = st.columns(2)
        with left:
            _choose_session("session", "A", one, known)
        with right:
            _choose_session("with", "B", other, known)
        try:
            _mount_comparison(one, other)
        except SessionError as error:
            st.text(say_told(str(error)))


def _show_one(id: str) -> None:
    go_to(session=id)


def _choose_session(name: str, label: str, id: str, known: dict[str, SessionLine]) -> None:
    ids = list(known)
    chosen = st.selectbox(
        label,
        ids,
        index=ids.index(id) if id in known else None,
        format_func=lambda each: describe_session(known[each]),
        key=f"{name}-{id}",
    )
    if id in known:
        st.caption(escape_markdown(describe_session(known[id])))
    if chosen and chosen != id:
        st.query_params[name] = chosen
        st.rerun()


def _mount_comparison(one: str, other: str) -> None:
    """Raises SessionError where one of them does not exist."""

    async def look_at_both(sessions: Sessions) -> list[tuple[Session, Report]]:
        return [await sessions.show_session(id) for id in (one, other)]

    both = get_backend().sessions.call(look_at_both)
    mount_part("comparison", f"compare-{one}-{other}", **compare_sessions(both))


def compare_sessions(both: Sequence[tuple[Session, Report]]) -> Document:
    """The document that the component draws."""
    reports = [report for _, report in both]
    hints = [session.question.hints for session, _ in both]
    return {
        "sides": [
            _describe_side(session, report)
            | {"hints": [hint for hint in own if hint not in others]}
            for (session, report), own, others in zip(both, hints, reversed(hints), strict=True)
        ],
        "turns": [_compare_turn(*pair) for pair in zip_longest(*map(_list_turns, reports))],
        "evidence": _merge_evidence(reports),
    }


class _Turn(NamedTuple):
    """A question with its answer, what that cites in its order, and the headings over quotes.

    `leads` are the words that answer; a table has them for cells, and stands in their place.
    """

    question: str
    answer: str
    status: str
    citations: Sequence[Quote]
    sections: Mapping[str, str]
    leads: Sequence[Lead] = ()
    table: Table | None = None

    @property
    def numbers(self) -> dict[str, int]:
        """The numbers of the citations by id."""
        return {quote.id: number for number, quote in enumerate(self.citations, 1)}

    @property
    def is_closest(self) -> bool:
        """Whether the text is no answer."""
        return not self.leads and only_quotes(self.answer, self.citations)

    @property
    def words(self) -> str:
        """What answers, without further quotes."""
        if self.is_closest:
            return ""
        if self.table is None:
            return "\n".join(lines_before_more(self.answer))
        laid = lay_out_answer(self.answer, self.citations, self.leads, self.sections)
        return "\n".join((*laid.before, *map(_quote_row, self.table.rows), *laid.after))

    def folded(self) -> list[Quote]:
        """The quotes that do not stand in the answer: further ones, or the closest."""
        if self.is_closest:
            return list(self.citations)
        further = {*ids_of_more(self.answer)} - {lead.quote for lead in self.leads}
        return [quote for quote in self.citations if quote.id in further]

    def columns(self) -> dict[int, tuple[str, ...]]:
        """The headers of the tables that rows of the answer are from, by citation."""
        if self.table:
            return dict.fromkeys(self.numbers.values(), self.table.columns)
        found = {
            number: quote_columns(quote.quote, self.sections.get(quote.id, ""))
            for number, quote in enumerate(self.citations, 1)
        }
        return {number: header for number, header in found.items() if header}


NO_TURN: Final = _Turn("", "", "", (), {})


def _quote_row(row: Sequence[Cell]) -> str:
    """A row of a table in one line, as an answer quotes the rows of a page."""
    cells = (" ".join(cell.text.translate(NO_MARKS).split()) or "–" for cell in row)
    cited = dict.fromkeys(id for cell in row for id in cell.cites)
    return f"“{' | '.join(cells)}” {''.join(f'[{id}]' for id in cited)}"


def _list_turns(report: Report) -> list[_Turn]:
    """All turns of a session, the present one last."""
    sections = {item.id: item.section for item in report.evidence}
    turns: Sequence[EarlierTurn | Report] = (*report.turns, report)
    return [
        _Turn(
            turn.question,
            turn.answer,
            turn.status,
            turn.citations,
            sections,
            turn.leads,
            turn.table if isinstance(turn, Report) else None,
        )
        for turn in turns
    ]


def _compare_turn(one: _Turn | None, other: _Turn | None) -> list[Document | None]:
    """A turn of each; None for a session that has fewer."""
    left, right = one or NO_TURN, other or NO_TURN
    answers = diff_words(left.words, right.words, left.numbers, right.numbers)
    return [
        _describe_turn(turn, pieces) if turn else None
        for turn, pieces in zip((one, other), answers, strict=True)
    ]


def _describe_turn(turn: _Turn, pieces: Sequence[Piece]) -> Document:
    numbers = turn.numbers
    return {
        "question": turn.question,
        "answer": [piece._asdict() for piece in pieces],
        "columns": {str(number): list(header) for number, header in turn.columns().items()},
        "vain": turn.status == NOT_FOUND,
        "more": [
            describe_further(quote) | {"quote": str(numbers[quote.id])} for quote in turn.folded()
        ],
    }


def _describe_side(session: Session, report: Report) -> Document:
    spent = report.spent
    return {
        "id": session.id,
        "title": session_title(session.title, report),
        "graph": name_graph(session.graph),
        "model": session.writer,
        "when": local_time(session.created),
        "stands": shown_status(report),
        "open": list(report.open),
        "path": _visited_pages(report),
        "spend": {
            later("Pages opened"): spent.actions,
            later("Calls"): spent.model_calls,
            later("Tokens"): spent.tokens_in + spent.tokens_out,
            later("Dollars"): round(spent.usd, 6),
            later("Time"): round(spent.seconds, 1),
        },
    }


def _visited_pages(report: Report) -> list[Document]:
    """Each page with a sign: cited by the answer, quoted only, or neither.

    Pages known from before that are quoted come first, with round 0. What comes closest where
    nothing answers is cited by no answer.
    """
    vain = report.status == NOT_FOUND
    cited = set() if vain else {quote.url for quote in report.citations}
    quoted = {item.url for item in report.evidence}
    titles = {arm.url: arm.title for arm in report.arms}
    titles |= {item.url: item.title for item in report.evidence}
    opened = {page.url for page in report.visited}
    known = dict.fromkeys(item.url for item in report.evidence if item.url not in opened)
    pages = [*((url, 0) for url in known), *((page.url, page.round) for page in report.visited)]
    return [
        {
            "url": url,
            "title": titles.get(url) or _name_page(url),
            "round": round,
            "sign": "found" if url in cited else "partial" if url in quoted else "nothing",
        }
        for url, round in pages
    ]


def _name_page(url: str) -> str:
    parts = urlsplit(url)
    return parts.path.rstrip("/").rpartition("/")[2] or parts.netloc


def _merge_evidence(reports: Sequence[Report]) -> list[Document]:
    """Each quote once, with the visit that found it on either side; those of both sides first."""
    rounds: dict[str, list[int | None]] = {}
    rows: dict[str, Document] = {}
    for side, report in enumerate(reports):
        for item in report.evidence:
            key = " ".join(item.quote.split())
            rounds.setdefault(key, [None, None])[side] = item.round
            rows.setdefault(
                key,
                {
                    "quote": item.quote,
                    "blocks": describe_blocks(quote_blocks(item.quote)),
                    "columns": list(table_columns(item.section)),
                    "url": item.url,
                    "title": item.title,
                    "part": item.part_text,
                    "rounds": rounds[key],
                },
            )
    return [rows[key] for key in sorted(rows, key=lambda key: None in rounds[key])]
