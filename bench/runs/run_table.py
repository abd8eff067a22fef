"""The results of a run as tables of plain text."""

from collections.abc import Sequence

from bench.questions.intervals import Interval
from bench.runs.set_results import Group, Result, by_graph, by_hop, by_type, group_results
from graphs.experiments.text_table import align_columns, format_figure

LEGEND = """\
metrics in percent, with the interval that holds 95 % of the means of resampled questions
costs are means per question: actions, pages fetched, calls and tokens of language models"""


def result_lines(results: Sequence[Result]) -> list[str]:
    """The tables: all graphs, then each graph by type and by gold pages."""
    lines = group_lines("graph", group_results(results, by_graph))
    for graph in dict.fromkeys(one.row.graph for one in results):
        own = [one for one in results if one.row.graph == graph]
        for title, names in (("type", by_type), ("gold pages", by_hop)):
            groups = group_results(own, names)
            lines += ["", *group_lines(f"{graph}, {title}", groups)] if groups else []
    return [*lines, "", *LEGEND.splitlines()]


def group_lines(title: str, groups: Sequence[Group]) -> list[str]:
    """A table with a row for each group, of which there is at least one."""
    metrics = list(groups[0].metrics)
    body = [
        (
            group.name,
            str(group.n),
            *(format_interval(group.metrics[metric]) for metric in metrics),
            *cost_cells(group),
        )
        for group in groups
    ]
    return align_columns((title, "n", *metrics, *groups[0].costs), body)


def format_interval(interval: Interval) -> str:
    """A mean and its interval, in percent."""
    mean, low, high = (f"{100 * bound:.1f}" for bound in interval)
    return f"{mean} ({low} to {high})"


def cost_cells(group: Group) -> tuple[str, ...]:
    """The mean costs."""
    return tuple(
        format_figure(value, 4 if cost == "usd" else 0 if cost == "tokens" else 1)
        for cost, value in group.costs.items()
    )
