"""Benchmark results by graph and by type of question."""

import math
from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple
from urllib.parse import urlencode

import streamlit as st

from graphs.experiments.result_rows import Row
from graphs.experiments.scoring import MARK
from graphs.experiments.side_by_side import GraphSummary, summarize_graph
from graphs.experiments.summary import summary_lines
from graphs.reports.answer_layout import BETWEEN_CELLS
from graphs.sessions.model_choice import OFFLINE
from ui.web.components.component import mount_part
from ui.web.graph_names import name_graph
from ui.web.markdown import escape_markdown
from ui.web.page_links import TRIAL
from ui.web.screens.graphs.version_list import count_differences, difference_list
from ui.web.words import later, local_number, say, say_count

RIGHT: Final = later("✓ Right")
PARTLY: Final = later("◐ Partly right")
WRONG: Final = later("✗ Wrong")
MARKS: Final = {RIGHT: "right", PARTLY: "partly", WRONG: "wrong"}
NOT_GRADED: Final = later("Not graded")
GRAPH: Final = later("method")
COLUMNS: Final = frozenset(
    {
        *(GRAPH, later("model"), later("type"), later("question"), later("questions")),
        *(later("right"), later("status"), later("answer"), later("page loads")),
        *(later("seconds"), later("session")),
    }
)
"""The names of columns that are words, not names of graphs."""
PAGE: Final = 50
FEW_CHANGES: Final = 4
"""So many differences of two graphs are shown at once; more are folded."""
FEW_NAMED: Final = 3
"""Of so many questions in which graphs differ, each is named."""
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
    session: str


class ComparedLine(NamedTuple):
    """A question with the outcome of each graph, and in what they differ.

    An outcome is None where the question was not asked yet.
    """

    id: str
    question: str
    outcomes: dict[str, Outcome | None]

    @property
    def differ(self) -> tuple[str, ...]:
        """What is not the same for all graphs that were asked."""
        asked = [each for each in self.outcomes.values() if each]
        return tuple(name for name, value in SIDES.items() if len(set(map(value, asked))) > 1)


SIDES: Final[dict[str, Callable[[Outcome], str]]] = {
    later("right or wrong"): lambda each: each.verdict,
    later("status"): lambda each: each.status,
    later("answer"): lambda each: " ".join(each.answer.casefold().split()),
}
"""What graphs may differ in."""
RIGHT_SHARE: Final = later("Right, %")
PARTLY_SHARE: Final = later("Partly right, %")
MEASURES: Final[dict[str, Callable[[GraphSummary], float | None]]] = {
    RIGHT_SHARE: lambda each: _as_percent(each.right),
    later("Answered, %"): lambda each: _as_percent(each.answered),
    later("Page loads"): lambda each: each.loads,
    later("Pages asked for"): lambda each: each.requested,
    later("Fetched first"): lambda each: each.fetched,
    later("Calls"): lambda each: each.calls,
    later("Tokens"): lambda each: each.tokens,
    later("US dollars"): lambda each: each.usd,
    later("Seconds"): lambda each: each.seconds,
    later("Fetching, s"): lambda each: each.fetching,
}
"""Of the questions of a graph: means, and the median of the seconds."""
SHOWN_IF_NONE: Final = frozenset({RIGHT_SHARE, "Answered, %"})
"""Columns in which 0 says something."""
GRAPH_WIDTH: Final = 130
"""In pixels; a name would touch the edge of its cell otherwise."""
CHARTS: Final = (RIGHT_SHARE, "Page loads", "Calls", "Seconds")


def result_tables(rows: Sequence[Row], kept: Collection[str] = (), asked: str = "") -> None:
    """A summary, right and wrong side by side, charts, a table by type, and every question.

    `asked` says how far a run has come that goes on.
    """
    comparison_tables(rows, kept)
    told = [name for name in CHARTS if any(line[name] for line in chart_data(rows, name))]
    for pair in (told[at : at + 2] for at in range(0, len(told), 2)):
        for column, measure in zip(st.columns(2), pair, strict=False):
            with column:
                _bar_chart(rows, measure, asked)
    with st.expander(say("By type of question")):
        st.dataframe(_named(summarize_rows(rows, by_type=True)), hide_index=True)
    with st.expander(say("Every question")):
        st.dataframe(_named([_question_cells(row) for row in rows]), hide_index=True)
    with st.expander(say("All figures as text")):
        st.code("\n".join(summary_lines(rows)), language=None)


def _bar_chart(rows: Sequence[Row], measure: str, asked: str) -> None:
    """A measure by graph, with its title once it is there: the first chart takes long to make."""
    title = st.empty()
    data = _named(chart_data(rows, measure))
    st.bar_chart(data, x=_name_cell(GRAPH), y=say(measure), horizontal=True, height=180)
    title.caption(" · ".join(filter(None, (say(measure), asked))))


def comparison_tables(rows: Sequence[Row], kept: Collection[str] = ()) -> None:
    """A summary of each graph, and its outcome for each question beside those of the others.

    Each outcome links to its session, if that is one of those `kept`.
    """
    st.dataframe(
        _named(_without_empty(summarize_rows(rows, by_type=False))),
        hide_index=True,
        column_config={_name_cell(GRAPH): st.column_config.TextColumn(width=GRAPH_WIDTH)},
    )
    st.caption(_describe_models(rows))
    with st.container():
        _graph_differences(rows)
    with st.container():
        if any(row.fetching for row in rows):
            st.caption(
                say(
                    "Seconds: to the answer, without fetching pages; the median. Fetching, s: what "
                    "a method waited for pages that no other had fetched before; the mean."
                )
            )
    lines = lay_side_by_side(rows)
    differing = sum(bool(line.differ) for line in lines)
    graded = any(row.graded for row in rows)
    text = (
        later("Right and wrong, question by question; the methods differ in {n} of {of}.")
        if graded
        else later("Question by question; the methods differ in {n} of {of}.")
    )
    named = _name_differences(lines)
    st.caption(" ".join((say(text, n=differing, of=len(lines)), *([named] if named else []))))
    _side_by_side(lines, kept)


def _name_differences(lines: Sequence[ComparedLine]) -> str:
    """The questions in which methods differ, and in what; none where there are many."""
    found = [line for line in lines if line.differ]
    if not 0 < len(found) <= FEW_NAMED:
        return ""
    told = (
        say(
            "“{question}” ({what})",
            question=escape_markdown(line.question),
            what=", ".join(map(say, line.differ)),
        )
        for line in found
    )
    return say("Different: {questions}.", questions="; ".join(told))


def _describe_models(rows: Sequence[Row]) -> str:
    """The models that replied, of each graph where they are not the same for all."""
    by_column: dict[str, str] = {}
    for column in dict.fromkeys(_name_column(rows, row) for row in rows):
        own = [row for row in rows if _name_column(rows, row) == column]
        by_column[column] = _name_models(own)
    if len(set(by_column.values())) == 1:
        return escape_markdown(say("Model: {model}", model=next(iter(by_column.values()))))
    told = (say("{graph}: {model}", graph=name, model=own) for name, own in by_column.items())
    return escape_markdown(" · ".join(told))


def _name_models(rows: Sequence[Row]) -> str:
    """The models that replied in rows of one graph and model line."""
    if used := dict.fromkeys(name for row in rows for name in row.cost.models):
        return ", ".join(used)
    line = rows[0].model
    if line == OFFLINE:
        return say("none, the built-in rules answered")
    return line if any(row.cost.calls for row in rows) else say("{model}, never asked", model=line)


def _without_empty(lines: Sequence[Cells]) -> list[Cells]:
    """The lines without columns in which no line says anything, or all say none."""
    said = {name for line in lines for name, cell in line.items() if cell or name in SHOWN_IF_NONE}
    said -= {name for name in said if all(line.get(name) is None for line in lines)}
    return [{name: cell for name, cell in line.items() if name in said} for line in lines]


def _named(lines: Sequence[Cells]) -> list[Cells]:
    """The lines with the names of their columns in the language of the page."""
    return [{_name_cell(name): cell for name, cell in line.items()} for line in lines]


def _name_cell(column: str) -> str:
    if column in MEASURES.keys() | {PARTLY_SHARE}:
        return say(column)
    name = say(column)
    return name[:1].upper() + name[1:] if column in COLUMNS else column


def summarize_rows(rows: Sequence[Row], *, by_type: bool) -> list[Cells]:
    """A line for each graph and model, or for each of their types of question."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        key = (row.graph, row.model, *([row.type] if by_type else []))
        groups.setdefault(key, []).append(row)
    return [_summary_cells(key, group) for key, group in groups.items()]


def _side_by_side(lines: Sequence[ComparedLine], kept: Collection[str]) -> None:
    """A table in which graphs stand beside each other; fifty questions a page."""
    pages = math.ceil(len(lines) / PAGE)
    page = min(st.session_state.get("page-of-questions", 1), pages)
    mount_part(
        "trial_table",
        "trial-table",
        columns=list(lines[0].outcomes) if lines else [],
        lines=[
            {
                "id": line.id,
                "question": line.question,
                "differ": [say(each) for each in line.differ],
                "outcomes": [each and _lay_out(each, kept) for each in line.outcomes.values()],
            }
            for line in lines[(page - 1) * PAGE : page * PAGE]
        ],
    )
    if pages > 1:
        st.pagination(pages, key="page-of-questions", max_visible_pages=5)


def _lay_out(outcome: Outcome, kept: Collection[str]) -> dict[str, str]:
    """An outcome as a cell of the table."""
    figures = (
        say_count(outcome.loads, "{n} page load", "{n} page loads"),
        *([say_count(outcome.calls, "{n} call", "{n} calls")] if outcome.calls else ()),
        *([say_count(outcome.tokens, "{n} token", "{n} tokens")] if outcome.tokens else ()),
        say("{n} s", n=local_number(outcome.seconds, 1)),
    )
    run = urlencode({"session": outcome.session, "of": TRIAL})
    return {
        "mark": MARKS.get(outcome.verdict, ""),
        "verdict": say(outcome.verdict),
        "status": outcome.status,
        "answer": outcome.answer,
        "figures": " · ".join(figures),
        "run": f"sessions?{run}" if outcome.session in kept else "",
    }


def _graph_differences(rows: Sequence[Row]) -> None:
    """In what the two graphs of a trial differ, in words."""
    found = rows[0].differences
    other = next((row.graph for row in rows if row.graph != rows[0].graph), "")
    if not found or not other:
        return
    title = escape_markdown(
        say("From {one} to {other}", one=name_graph(rows[0].graph), other=name_graph(other))
    )
    with st.expander(f"{title}: {count_differences(found)}", expanded=len(found) <= FEW_CHANGES):
        difference_list(found, f"trial-{rows[0].graph_hash}")


def lay_side_by_side(rows: Sequence[Row]) -> list[ComparedLine]:
    """A line for each question, with the outcome of each graph."""
    lines: dict[str, ComparedLine] = {}
    columns = dict.fromkeys(_name_column(rows, row) for row in rows)
    for row in rows:
        empty = ComparedLine(row.id, row.question or row.id, dict.fromkeys(columns))
        line = lines.setdefault(row.id, empty)
        line.outcomes[_name_column(rows, row)] = Outcome(
            verdict=_verdict(row),
            status=row.status,
            answer=_without_marks(row.answer),
            loads=row.loads,
            calls=row.cost.calls,
            tokens=_tokens(row),
            seconds=row.seconds,
            session=row.session,
        )
    return list(lines.values())


def _verdict(row: Row) -> str:
    """What an answer is; one that leaves a part open is not right as a whole."""
    if not row.graded:
        return NOT_GRADED
    if not row.correct:
        return WRONG
    return PARTLY if row.status == "partial" else RIGHT


def _without_marks(answer: str) -> str:
    """An answer without the marks of its citations."""
    return MARK.sub("", answer).replace(BETWEEN_CELLS, ", ").strip()


def _name_column(rows: Sequence[Row], row: Row) -> str:
    """The method; with its model where models differ."""
    models = {each.model for each in rows}
    name = name_graph(row.graph)
    return name if len(models) == 1 else f"{name}, {row.model}"


def chart_data(rows: Sequence[Row], measure: str) -> list[Cells]:
    """A measure of each graph; if models differ, of each graph with its model."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(_name_column(rows, row), []).append(row)
    value = MEASURES[measure]
    return [
        {
            GRAPH: name,
            measure: _summary_cells((name,), group)[RIGHT_SHARE]
            if measure == RIGHT_SHARE
            else _round_value(value(summarize_graph(name, group))),
        }
        for name, group in groups.items()
    ]


def _tokens(row: Row) -> int:
    return row.cost.tokens_in + row.cost.tokens_out


def _as_percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _round_value(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _summary_cells(key: tuple[str, ...], rows: Sequence[Row]) -> Cells:
    names = (GRAPH, "model", "type")[: len(key)]
    cells: Cells = dict(zip(names, (name_graph(key[0]), *key[1:]), strict=True))
    summary = summarize_graph(key[0], rows)
    figures = {name: _round_value(value(summary)) for name, value in MEASURES.items()}
    if figures[RIGHT_SHARE] is not None:
        verdicts = [_verdict(row) for row in rows if row.graded]
        right, partly = (100 * verdicts.count(each) / len(verdicts) for each in (RIGHT, PARTLY))
        figures = {RIGHT_SHARE: round(right, 2), PARTLY_SHARE: round(partly, 2), **figures}
        figures[RIGHT_SHARE] = round(right, 2)
    return {**cells, "questions": len(rows), **figures}


def _question_cells(row: Row) -> Cells:
    return {
        GRAPH: name_graph(row.graph),
        "question": row.id,
        "type": row.type,
        "right": _verdict(row).partition(" ")[2] if row.graded else None,
        "status": row.status,
        "answer": row.answer,
        "page loads": row.loads,
        "seconds": round(row.seconds, 2),
        "session": row.session,
    }
