"""The results of a run as one HTML page: no scripts, nothing fetched."""

import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from bench.runs.run_table import cost_cells, format_interval
from bench.runs.set_results import Group, Result, by_graph, by_hop, by_type, group_results
from graphs.reports.exports.html_format import POLICY, STYLE
from graphs.reports.exports.markup import Markup, element, join_markup

WIDTH, HEIGHT, EDGE = 640, 320, 48
OWN_STYLE: Final = """
body { max-width: 72rem; }
table { border-collapse: collapse; margin: 8px 0 24px; font-variant-numeric: tabular-nums; }
th, td { padding: 2px 12px 2px 0; text-align: right; vertical-align: top; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
details { margin: 8px 0; } code { font-family: var(--mono); font-size: 13px; }
svg { max-width: 100%; } svg text { fill: var(--ink-2); font: 12px var(--sans); }
"""
LEGEND = (
    "Metrics in percent, with the interval that holds 95 % of the means of resampled questions. "
    "Costs are means per question."
)


def result_page(name: str, model: str, results: Sequence[Result], notes: Sequence[str]) -> str:
    """The page on the results of a set, of which there is at least one."""
    title = f"{name}: {len({one.row.id for one in results})} questions, {model}"
    graphs = group_results(results, by_graph)
    sections = [_graph_section(group.name, results) for group in graphs]
    return report_page(title, [LEGEND, *notes], graphs, sections)


def report_page(
    title: str, notes: Sequence[str], graphs: Sequence[Group], sections: Sequence[Markup]
) -> str:
    """A page with notes, a table and a chart of all graphs, and a section on each."""
    head = join_markup(
        Markup('<meta charset="utf-8">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        element("title", title),
        Markup(f"<style>\n{STYLE}{OWN_STYLE}</style>"),
    )
    main = join_markup(
        *(element("p", note) for note in notes),
        group_table("graph", graphs),
        element("h2", "Cost against accuracy"),
        _scatter(graphs),
        *sections,
    )
    body = join_markup(element("header", element("h1", title)), element("main", main))
    page = join_markup(element("head", head), "\n", element("body", body))
    return f"<!doctype html>\n{element('html', page, lang='en')}\n"


def _graph_section(graph: str, results: Sequence[Result]) -> Markup:
    own = [one for one in results if one.row.graph == graph]
    parts = [element("h2", graph)]
    for title, names in (("type", by_type), ("gold pages", by_hop)):
        if groups := group_results(own, names):
            parts.append(group_table(title, groups))
    wrong = [one for one in own if one.main < 1]
    parts.append(element("h3", f"Not right: {len(wrong)} of {len(own)}"))
    return join_markup(*parts, *_failures(wrong))


def _failures(wrong: Sequence[Result]) -> Iterator[Markup]:
    for one in sorted(wrong, key=lambda result: result.main):
        row = one.row
        command = f"FORAGER_DATA={shlex.quote(row.data)} ./run show {row.session}"
        yield element(
            "details",
            element("summary", f"{100 * one.main:.0f} {row.id} {row.status}: {one.question}"),
            element("p", f"Gold: {one.gold or '(no page has the answer)'}"),
            element("p", f"Answer: {row.prediction or row.error or '(none)'}"),
            element("p", "Open the session: ", element("code", command)),
        )


def group_table(title: str, groups: Sequence[Group]) -> Markup:
    """A table with a row for each group, of which there is at least one."""
    metrics = list(groups[0].metrics)
    head = element(
        "tr", *(element("th", cell) for cell in (title, "n", *metrics, *groups[0].costs))
    )
    body = (
        element(
            "tr",
            *(
                element("td", cell)
                for cell in (
                    group.name,
                    str(group.n),
                    *(format_interval(group.metrics[metric]) for metric in metrics),
                    *cost_cells(group),
                )
            ),
        )
        for group in groups
    )
    return element("table", head, *body)


def _scatter(groups: Sequence[Group]) -> Markup:
    """A point per graph: the main metric with its interval over the first cost that is not 0."""
    cost = next((cost for cost in ("usd", "tokens", "seconds") if _most(groups, cost)), "seconds")
    most = _most(groups, cost) or 1.0
    marks = []
    for group in groups:
        mean, low, high = next(iter(group.metrics.values()))
        x = EDGE + (WIDTH - 2 * EDGE) * group.costs[cost] / most
        marks += [
            _line(x, _height(low), x, _height(high)),
            Markup(f'<circle cx="{x:.1f}" cy="{_height(mean):.1f}" r="4" fill="var(--accent)"/>'),
            _label(x, _height(high) - 6, group.name),
        ]
    axes = (
        _line(EDGE, _height(0), WIDTH - EDGE, _height(0)),
        _line(EDGE, _height(0), EDGE, _height(1)),
        _label(EDGE - 24, _height(0), "0"),
        _label(EDGE - 24, _height(1), "100"),
        _label(WIDTH - EDGE, _height(0) + 20, f"{most:.4g} {cost}"),
    )
    return element("svg", *axes, *marks, viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img")


def _most(groups: Sequence[Group], cost: str) -> float:
    return max(group.costs[cost] for group in groups)


def _height(share: float) -> float:
    return HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * min(1.0, max(0.0, share))


def _line(x: float, y: float, to_x: float, to_y: float) -> Markup:
    place = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    return Markup(f'<line {place} stroke="var(--line-2)" stroke-width="2"/>')


def _label(x: float, y: float, text: str) -> Markup:
    return element("text", text, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor="middle")
