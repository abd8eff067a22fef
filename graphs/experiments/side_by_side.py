"""What two graphs made of the same questions, side by side."""

import statistics
from collections.abc import Callable, Sequence

from forager.domain.base import Frozen
from graphs.experiments.result_rows import Row
from graphs.experiments.summary import right
from graphs.experiments.text_table import aligned, figure, percent

HEAD = ("graph", "n", "right %", "loads", "fetched", "calls", "tokens", "$", "s")
LEGEND = """\
right   all gold strings in the answer, of the questions with gold
loads   pages opened while navigating, mean; fetched: over the network, survey included, mean
calls   of language models, mean; $: as far as prices are known, mean; s: seconds, median"""


class Sum(Frozen):
    """Of one graph: the share that is right (None without gold), means, and median seconds."""

    graph: str
    questions: int
    right: float | None
    loads: float
    fetched: float
    calls: float
    tokens: float
    usd: float
    seconds: float


def beside(rows: Sequence[Row]) -> list[Sum]:
    """One for each graph, in the order in which they were asked."""
    names = dict.fromkeys(row.graph for row in rows)
    return [_sum(name, [row for row in rows if row.graph == name]) for name in names]


def apart(rows: Sequence[Row]) -> dict[str, str]:
    """The questions that only one graph has right, and which one."""
    right: dict[str, list[str]] = {}
    for row in rows:
        right.setdefault(row.id, [])
        if row.graded and row.correct:
            right[row.id].append(row.graph)
    both = [id for id in right if sum(row.id == id for row in rows) > 1]
    return {id: right[id][0] for id in both if len(right[id]) == 1}


def lines(rows: Sequence[Row]) -> list[str]:
    """The same as a table, and how to read it."""
    table = aligned(HEAD, [_cells(each) for each in beside(rows)])
    lone = [f"{id}: only {name} is right" for id, name in apart(rows).items()]
    return [*table, "", *lone, *([""] if lone else []), *LEGEND.splitlines()]


def _sum(name: str, rows: Sequence[Row]) -> Sum:
    def mean(value: Callable[[Row], float]) -> float:
        return statistics.mean(map(value, rows))

    return Sum(
        graph=name,
        questions=len(rows),
        right=right(rows),
        loads=mean(lambda row: row.loads),
        fetched=mean(lambda row: row.fetched),
        calls=mean(lambda row: row.cost.calls),
        tokens=mean(lambda row: row.cost.tokens_in + row.cost.tokens_out),
        usd=mean(lambda row: row.cost.usd),
        seconds=statistics.median(row.seconds for row in rows),
    )


def _cells(each: Sum) -> tuple[str, ...]:
    return (
        each.graph,
        str(each.questions),
        percent(each.right),
        figure(each.loads),
        figure(each.fetched),
        figure(each.calls),
        f"{each.tokens:,.0f}",
        figure(each.usd, 4),
        figure(each.seconds, 2),
    )
