"""Benchmark results by graph and by type of question."""

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import streamlit as st

from graphs.experiments.result_rows import Row
from graphs.experiments.scoring import MARK
from graphs.experiments.side_by_side import GraphSummary, summarize_graph
from graphs.experiments.summary import summary_lines
from graphs.reports.answer_layout import BETWEEN_CELLS
from ui.web.markdown import escape_markdown
from ui.web.words import later, local_number, say, say_count

RIGHT: Final = later("✓ Right")
WRONG: Final = later("✗ Wrong")
COLOURS: Final = {RIGHT: "green", WRONG: "red"}
NOT_GRADED: Final = later("Not graded")
GRAPH: Final = later("graph")
COLUMNS: Final = frozenset(
    {
        *(GRAPH, later("model"), later("type"), later("question"), later("questions")),
        *(later("right"), later("status"), later("answer"), later("page loads")),
        *(later("seconds"), later("session")),
    }
)
"""The names of columns that are words, not names of graphs."""
PAGE: Final = 50
MOST_SHOWN: Final = 160
"""Characters of an answer."""
Cells = dict[str, str | float | None]


class Outcome(NamedTuple):
    """What a graph came to with a question, and what that took."""

    verdict: str
    status: str
    answer: str
    loads: int
    calls: int
    tokens: int
    seconds: float


OutcomeCells = dict[str, Outcome | str | None]
MEASURES: Final[dict[str, Callable[[GraphSummary], float | None]]] = {
    later("Right, %"): lambda each: _as_percent(each.right),
    later("Answered, %"): lambda each: _as_percent(each.answered),
    later("Page loads"): lambda each: each.loads,
    later("Fetched"): lambda each: each.fetched,
    later("Calls"): lambda each: each.calls,
    later("Tokens"): lambda each: each.tokens,
    later("US dollars"): lambda each: each.usd,
    later("Seconds"): lambda each: each.seconds,
}
"""Of the questions of a graph: means, and the median of the seconds."""
CHARTS: Final = (("Right, %", "Page loads"), ("Calls", "Seconds"))


def result_tables(rows: Sequence[Row]) -> None:
    """A summary, right and wrong side by side, charts, a table by type, and every question."""
    comparison_tables(rows)
    for pair in CHARTS:
        for column, measure in zip(st.columns(2), pair, strict=True):
            with column:
                st.caption(say(measure))
                data = _named(chart_data(rows, measure))
                st.bar_chart(data, x=say(GRAPH), y=say(measure), horizontal=True, height=180)
    with st.expander(say("By type of question")):
        st.dataframe(_named(summarize_rows(rows, by_type=True)), hide_index=True)
    with st.expander(say("Every question")):
        st.dataframe(_named([_question_cells(row) for row in rows]), hide_index=True)
    with st.expander(say("As the command line prints it")):
        st.code("\n".join(summary_lines(rows)), language=None)


def comparison_tables(rows: Sequence[Row]) -> None:
    """A summary of each graph, and its outcome for each question beside those of the others."""
    st.dataframe(_named(_without_empty(summarize_rows(rows, by_type=False))), hide_index=True)
    st.caption(say("Right and wrong, question by question"))
    _side_by_side(lay_side_by_side(rows))


def _without_empty(lines: Sequence[Cells]) -> list[Cells]:
    """The lines without columns in which no line says anything, as if nothing was graded."""
    said = {name for line in lines for name, cell in line.items() if cell is not None}
    return [{name: cell for name, cell in line.items() if name in said} for line in lines]


def _named(lines: Sequence[Cells]) -> list[Cells]:
    """The lines with the names of their columns in the language of the page."""
    return [{_name_cell(name): cell for name, cell in line.items()} for line in lines]


def _name_cell(column: str) -> str:
    return say(column) if column in COLUMNS or column in MEASURES else column


def summarize_rows(rows: Sequence[Row], *, by_type: bool) -> list[Cells]:
    """A line for each graph and model, or for each of their types of question."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        key = (row.graph, row.model, *([row.type] if by_type else []))
        groups.setdefault(key, []).append(row)
    return [_summary_cells(key, group) for key, group in groups.items()]


def _side_by_side(lines: Sequence[OutcomeCells]) -> None:
    """A table whose cells wrap, so that graphs stand beside each other; fifty questions a page."""
    pages = math.ceil(len(lines) / PAGE)
    page = min(st.session_state.get("page-of-questions", 1), pages)
    st.table(
        [
            {escape_markdown(_name_cell(name)): _format_cell(cell) for name, cell in line.items()}
            for line in lines[(page - 1) * PAGE : page * PAGE]
        ],
        hide_index=True,
    )
    if pages > 1:
        st.pagination(pages, key="page-of-questions", max_visible_pages=5)


def _format_cell(outcome: Outcome | str | None) -> str:
    if outcome is None or isinstance(outcome, str):
        return escape_markdown(outcome or "")
    verdict = say(outcome.verdict)
    colour = COLOURS.get(outcome.verdict)
    head = f":{colour}[**{verdict}**]" if colour else f":gray[{verdict}]"
    status = say(outcome.status.capitalize())
    figures = (
        say_count(outcome.loads, "{n} page load", "{n} page loads"),
        *([say_count(outcome.calls, "{n} call", "{n} calls")] if outcome.calls else ()),
        *([say_count(outcome.tokens, "{n} token", "{n} tokens")] if outcome.tokens else ()),
        say("{n} s", n=local_number(outcome.seconds, 1)),
    )
    lines = (
        f"{head} · {status}",
        escape_markdown(outcome.answer),
        f":small[{' · '.join(figures)}]",
    )
    return "  \n".join(filter(None, lines))


def lay_side_by_side(rows: Sequence[Row]) -> list[OutcomeCells]:
    """A line for each question, with the outcome of each graph; None where it was not asked yet."""
    lines: dict[str, OutcomeCells] = {}
    columns = dict.fromkeys(_name_column(rows, row) for row in rows)
    for row in rows:
        empty: OutcomeCells = {"question": row.question or row.id, **dict.fromkeys(columns)}
        line = lines.setdefault(row.id, empty)
        line[_name_column(rows, row)] = Outcome(
            verdict=_verdict(row),
            status=row.status,
            answer=_shorten(row.answer),
            loads=row.loads,
            calls=row.cost.calls,
            tokens=_tokens(row),
            seconds=row.seconds,
        )
    return list(lines.values())


def _verdict(row: Row) -> str:
    if not row.graded:
        return NOT_GRADED
    return RIGHT if row.correct else WRONG


def _shorten(answer: str) -> str:
    """An answer on one line, without the marks of its citations."""
    text = " ".join(MARK.sub("", answer).replace(BETWEEN_CELLS, ", ").split())
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def _name_column(rows: Sequence[Row], row: Row) -> str:
    """The graph; with its model where models differ."""
    models = {each.model for each in rows}
    return row.graph if len(models) == 1 else f"{row.graph}, {row.model}"


def chart_data(rows: Sequence[Row], measure: str) -> list[Cells]:
    """A measure of each graph; if models differ, of each graph with its model."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(_name_column(rows, row), []).append(row)
    value = MEASURES[measure]
    return [
        {"graph": name, measure: _round_value(value(summarize_graph(name, group)))}
        for name, group in groups.items()
    ]


def _tokens(row: Row) -> int:
    return row.cost.tokens_in + row.cost.tokens_out


def _as_percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _round_value(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _summary_cells(key: tuple[str, ...], rows: Sequence[Row]) -> Cells:
    names = ("graph", "model", "type")[: len(key)]
    cells: Cells = dict(zip(names, key, strict=True))
    summary = summarize_graph(key[0], rows)
    figures = {name: _round_value(value(summary)) for name, value in MEASURES.items()}
    return {**cells, "questions": len(rows), **figures}


def _question_cells(row: Row) -> Cells:
    return {
        "graph": row.graph,
        "question": row.id,
        "type": row.type,
        "right": ("yes" if row.correct else "no") if row.graded else None,
        "status": row.status,
        "answer": row.answer,
        "page loads": row.loads,
        "seconds": round(row.seconds, 2),
        "session": row.session,
    }
