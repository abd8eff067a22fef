"""The results of two graphs on the same questions, side by side."""

import statistics
from collections.abc import Callable, Sequence

from forager.domain.base import Frozen
from graphs.experiments.result_rows import Row
from graphs.experiments.summary import share_right
from graphs.experiments.text_table import align_columns, format_figure, format_percent

HEAD = ("graph", "n", "right %", "loads", "pages", "fetched", "calls", "tokens", "$", "s")
LEGEND = """\
right   all gold strings in the answer, of the questions with gold
loads   pages opened while navigating, mean
pages   asked for, stored or not, mean; fetched: of these over the network, by who asks first, mean
calls   of language models, mean; $: as far as prices are known, mean; s: seconds, median,
        without those of first reading a page"""


class GraphSummary(Frozen):
    """A graph's shares of right (None without gold) and answered, its means, its median seconds."""

    graph: str
    questions: int
    right: float | None
    answered: float
    loads: float
    requested: float
    fetched: float
    fetching: float
    calls: float
    tokens: float
    usd: float
    seconds: float


def summarize_graphs(rows: Sequence[Row]) -> list[GraphSummary]:
    """A summary for each graph, in the order in which they were asked."""
    names = dict.fromkeys(row.graph for row in rows)
    return [summarize_graph(name, [row for row in rows if row.graph == name]) for name in names]


def find_lone_successes(rows: Sequence[Row]) -> dict[str, str]:
    """The questions that only one graph answered right, and that graph."""
    right: dict[str, list[str]] = {}
    for row in rows:
        right.setdefault(row.id, [])
        if row.graded and row.correct:
            right[row.id].append(row.graph)
    both = [id for id in right if sum(row.id == id for row in rows) > 1]
    return {id: right[id][0] for id in both if len(right[id]) == 1}


def comparison_lines(rows: Sequence[Row]) -> list[str]:
    """The comparison as a table, with a legend."""
    table = align_columns(HEAD, [_summary_cells(each) for each in summarize_graphs(rows)])
    lone = [f"{id}: only {name} is right" for id, name in find_lone_successes(rows).items()]
    return [*table, "", *lone, *([""] if lone else []), *LEGEND.splitlines()]


def summarize_graph(name: str, rows: Sequence[Row]) -> GraphSummary:
    """The summary of a graph from its rows, of which there is at least one."""

    def mean(value: Callable[[Row], float]) -> float:
        return statistics.mean(map(value, rows))

    return GraphSummary(
        graph=name,
        questions=len(rows),
        right=share_right(rows),
        answered=mean(lambda row: row.status == "answered"),
        loads=mean(lambda row: row.loads),
        requested=mean(lambda row: row.requested),
        fetched=mean(lambda row: row.fetched),
        fetching=mean(lambda row: row.fetching),
        calls=mean(lambda row: row.cost.calls),
        tokens=mean(lambda row: row.cost.tokens_in + row.cost.tokens_out),
        usd=mean(lambda row: row.cost.usd),
        seconds=statistics.median(row.seconds for row in rows),
    )


def _summary_cells(each: GraphSummary) -> tuple[str, ...]:
    return (
        each.graph,
        str(each.questions),
        format_percent(each.right),
        format_figure(each.loads),
        format_figure(each.requested),
        format_figure(each.fetched),
        format_figure(each.calls),
        f"{each.tokens:,.0f}",
        format_figure(each.usd, 4),
        format_figure(each.seconds, 2),
    )
