"""Rows of a bench, summed up by graph and by type of question."""

import statistics
from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from graphs.experiments.result_rows import Row
from graphs.experiments.summary import lines, right

Cells = dict[str, str | float | None]
MEASURES: Final[dict[str, Callable[[Sequence[Row]], float | None]]] = {
    "Right, %": lambda rows: _percent(right(rows)),
    "Page loads": lambda rows: statistics.mean(row.loads for row in rows),
    "Calls": lambda rows: statistics.mean(row.cost.calls or row.calls for row in rows),
    "Seconds": lambda rows: statistics.median(row.seconds for row in rows),
}


def told(rows: Sequence[Row]) -> None:
    """Plots of graphs side by side, a table by type, and every question."""
    st.dataframe(summed(rows, by_type=False), hide_index=True)
    for pair in (("Right, %", "Page loads"), ("Calls", "Seconds")):
        for column, measure in zip(st.columns(2), pair, strict=True):
            with column:
                st.caption(measure)
                st.bar_chart(bars(rows, measure), x="graph", y=measure, horizontal=True, height=180)
    with st.expander("By type of question"):
        st.dataframe(summed(rows, by_type=True), hide_index=True)
    with st.expander("Every question"):
        st.dataframe([_row(row) for row in rows], hide_index=True)
    with st.expander("As the command line tells it"):
        st.code("\n".join(lines(rows)), language=None)


def summed(rows: Sequence[Row], *, by_type: bool) -> list[Cells]:
    """A line for each graph and model, or for each of their types of question."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        key = (row.graph, row.model, *([row.type] if by_type else []))
        groups.setdefault(key, []).append(row)
    return [_summed(key, group) for key, group in groups.items()]


def bars(rows: Sequence[Row], measure: str) -> list[Cells]:
    """A measure of each graph; where models differ, of each graph with its model."""
    models = {row.model for row in rows}
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(
            row.graph if len(models) == 1 else f"{row.graph}, {row.model}", []
        ).append(row)
    value = MEASURES[measure]
    return [{"graph": name, measure: _rounded(value(group))} for name, group in groups.items()]


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _summed(key: tuple[str, ...], rows: Sequence[Row]) -> Cells:
    names = ("graph", "model", "type")[: len(key)]
    cells: Cells = dict(zip(names, key, strict=True))
    figures = {name: _rounded(value(rows)) for name, value in MEASURES.items()}
    return {**cells, "questions": len(rows), **figures}


def _row(row: Row) -> Cells:
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
