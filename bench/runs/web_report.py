"""Runs Mind2Web and reports: rows, predictions in the authors' form, tables and the page."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from bench.questions.intervals import bootstrap_mean
from bench.runs.run_page import group_table, report_page
from bench.runs.run_table import group_lines
from bench.runs.set_report import write_text
from bench.runs.set_results import Group
from bench.runs.set_run import Say
from bench.runs.web_run import MIND2WEB, StepPlan, StepRow, run_steps
from bench.scorers.mind2web_metrics import StepScore, average_steps, score_step
from bench.sets.web_steps import StepGold
from forager.settings import Settings
from graphs.experiments.result_rows import FAILED
from graphs.reports.exports.markup import Markup, element, join_markup

COSTS: Final[Mapping[str, Callable[[StepRow], float]]] = {
    "calls": lambda row: row.calls,
    "tokens": lambda row: row.tokens_in + row.tokens_out,
    "usd": lambda row: row.usd,
    "seconds": lambda row: row.seconds,
}
LISTED: Final = 200
"""Wrong steps on the page, at most, for each graph."""
LEGEND: Final = (
    "Metrics in percent, averaged as published, with the interval that holds 95 % of the means of "
    "resampled tasks: element and operation over the steps of each task, then over tasks; of "
    "conversations, step and turn success over each of them, then over conversations.",
    "shown: steps with a right element that the browser shows; no graph can be right more often.",
    "n: steps. Costs are means per step: calls and tokens of language models, dollars, seconds.",
)


class StepResult(NamedTuple):
    """A step with its task, its row and its score."""

    gold: StepGold
    task: str
    domain: str
    row: StepRow
    score: StepScore


def run_and_report_steps(plan: StepPlan, settings: Settings, say: Say) -> list[str]:
    """Ask what is missing, write predictions and page, and return the tables.

    Raises UsageError and StoreError.
    """
    results = score_rows(plan, run_steps(plan, settings, say))
    folder = plan.rows.parent
    files = [*_write_predictions(results, folder), folder / "report.html"]
    write_text(files[-1], _page(plan, results))
    written = f"Written: {', '.join(map(str, (plan.rows, *files)))}"
    return [*_lines(results), "", *LEGEND, *_notes(results), written]


def _notes(results: Sequence[StepResult]) -> list[str]:
    """What the figures do not say by themselves."""
    ruled = sum(one.row.unanswered > 0 for one in results)
    failed = sum(one.row.status == FAILED for one in results)
    notes = {
        "Steps where the model gave no usable reply, and a built-in rule stood in": ruled,
        "Steps that failed, which count as wrong; the next run asks them again": failed,
    }
    return [f"{what}: {count}." for what, count in notes.items() if count]


def score_rows(plan: StepPlan, rows: Sequence[StepRow]) -> list[StepResult]:
    """Score the rows of all graphs."""
    known = {
        step.gold.id: (step.gold, turn.task, talk.domain)
        for talk in plan.talks
        for turn in talk.turns
        for step in turn.steps
    }
    return [
        StepResult(*known[row.id], row, score_step(row.prediction, known[row.id][0]))
        for row in rows
    ]


def _write_predictions(results: Sequence[StepResult], folder: Path) -> Iterator[Path]:
    for graph, own in _by_graph(results).items():
        path = folder / f"predictions-{graph}.json"
        said = [one.row.prediction for one in own]
        triples = [[one.id, one.element, one.operation] for one in said]
        write_text(path, json.dumps(triples, ensure_ascii=False, indent=0) + "\n")
        yield path


def _by_graph(results: Sequence[StepResult]) -> dict[str, list[StepResult]]:
    return _group(results, lambda one: one.row.graph)


def _group(
    results: Sequence[StepResult], name: Callable[[StepResult], str]
) -> dict[str, list[StepResult]]:
    groups: dict[str, list[StepResult]] = {}
    for one in results:
        groups.setdefault(name(one), []).append(one)
    return groups


def _summarize(groups: Mapping[str, Sequence[StepResult]]) -> list[Group]:
    return [_summarize_one(name, groups[name]) for name in sorted(groups)]


def _summarize_one(name: str, results: Sequence[StepResult]) -> Group:
    means = average_steps([one.gold for one in results], [one.score for one in results])
    values = {
        "step success": means.steps,
        "element": means.elements,
        "operation F1": means.operations,
        "turn success": means.turns,
        "shown": [float(one.row.shown) for one in results],
    }
    metrics = {metric: bootstrap_mean(np.array(each)) for metric, each in values.items()}
    costs = {cost: float(np.mean([of(one.row) for one in results])) for cost, of in COSTS.items()}
    return Group(name, len(results), metrics, costs)


def _tables(results: Sequence[StepResult]) -> Iterator[tuple[str, list[Group]]]:
    """The tables of one graph: by domain and by website, where the file tells them."""
    for title, groups in (
        ("domain", _group(results, lambda one: one.domain)),
        ("website", _group(results, lambda one: one.gold.website)),
    ):
        if any(groups):
            yield title, _summarize(groups)


def _lines(results: Sequence[StepResult]) -> list[str]:
    graphs = _by_graph(results)
    lines = group_lines("graph", _summarize(graphs))
    for graph, own in graphs.items():
        for title, groups in _tables(own):
            lines += ["", *group_lines(f"{graph}, {title}", groups)]
    return lines


def _page(plan: StepPlan, results: Sequence[StepResult]) -> str:
    graphs = _by_graph(results)
    turns = len({one.gold.turn for one in results})
    title = f"{MIND2WEB}: {turns} tasks, {plan.model}"
    sections = [_graph_section(graph, own) for graph, own in graphs.items()]
    return report_page(title, [*LEGEND, *_notes(results)], _summarize(graphs), sections)


def _graph_section(graph: str, results: Sequence[StepResult]) -> Markup:
    wrong = [one for one in results if not one.score.success]
    heading = f"Not right: {len(wrong)} of {len(results)} steps"
    return join_markup(
        element("h2", graph),
        *(group_table(title, groups) for title, groups in _tables(results)),
        element("h3", heading if len(wrong) <= LISTED else f"{heading}, the first {LISTED}"),
        *map(_wrong_step, wrong[:LISTED]),
    )


def _wrong_step(one: StepResult) -> Markup:
    gold, row = one.gold, one.row
    said = f"{row.operation} on {row.element or 'no element'}" if row.operation else row.kind
    right = f"{gold.operation} on {' or '.join(gold.elements) or 'no element of the page'}"
    hidden = "" if row.shown else " The browser does not show it."
    return element(
        "details",
        element("summary", f"{row.id} {row.status}: {one.task}"),
        element("p", f"Gold: {right}.{hidden}"),
        element("p", f"Chosen: {row.error or said or '(none)'}"),
    )
