"""What each part of a graph is worth: a question set asked with one part after another off."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace

import numpy as np

from bench.questions.ablation_parts import PARTS, switched_off, without_part
from bench.questions.intervals import bootstrap_mean
from forager.errors import UsageError
from forager.settings import Settings
from graphs.experiments.experiment import ExperimentPlan, Say, describe_row, open_experiment
from graphs.experiments.question_set import allow_sites, refuse_unserved
from graphs.experiments.result_rows import Row, RowKey, append_line, read_finished_rows
from graphs.experiments.text_table import align_columns, format_figure
from graphs.spec.library import open_library

WHOLE = "whole"
"""Names the rows of the graph with nothing switched off."""
HEAD = ("without", "right", "change", "95 %", "wrong if answered", "told", "loads", "s")
LEGEND = """\
right: the share of all questions; change: that share less the whole graph's, over the same
questions, and the interval of the mean change (bootstrap over questions). wrong if answered: the
share of wrong answers among those whose status is `answered`. told: of the questions that no page
answers, those that ended as abstained. loads, s: page loads and seconds, means."""


def ask_without_parts(
    plan: ExperimentPlan, names: Sequence[str], settings: Settings, say: Say
) -> dict[str, list[Row]]:
    """Ask all questions of the whole graph and without each part; rows by the part's name.

    `plan.out` is a folder, with a file of rows for each part; rows that exist are not asked again.
    Raises UsageError and StoreError.
    """
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        raise UsageError(f"There is no part {unknown[0]}.", f"Parts: {', '.join(PARTS)}.")
    refuse_unserved(plan.records, plan.sites)
    allowed = allow_sites(settings, plan.sites)
    found = {}
    for name in (WHOLE, *names):
        with switched_off(PARTS[name]) if name in PARTS else nullcontext():
            found[name] = asyncio.run(_ask_all(plan, name, allowed, say))
    return found


async def _ask_all(plan: ExperimentPlan, name: str, settings: Settings, say: Say) -> list[Row]:
    [graph] = plan.graphs
    spec = open_library(settings).resolve(graph)
    spec = without_part(spec, PARTS[name]) if name in PARTS else spec
    out = plan.out / f"{name}.jsonl"
    done, found = read_finished_rows(out), list[Row]()
    async with open_experiment(replace(plan, out=out), settings) as bench:
        for record in plan.records:
            key = RowKey(spec.name, spec.hash, plan.model, plan.seed, record.id)
            row = done.get(key)
            if row is None:
                row = await bench.ask_question(record, spec)
                append_line(out, row)
                say(f"without {name}, {len(found) + 1}/{len(plan.records)} {describe_row(row)}")
            found.append(row)
    return found


def ablation_lines(found: Mapping[str, Sequence[Row]]) -> list[str]:
    """The table, the parts that cost most first, and the legend."""
    whole = found[WHOLE]
    changes = {name: _changes(rows, whole) for name, rows in found.items() if name != WHOLE}
    order = sorted(changes, key=lambda name: float(changes[name].mean()))
    body = [(WHOLE, *_share_cells(whole), "", "", *_cost_cells(whole))]
    for name in order:
        change = bootstrap_mean(changes[name])
        cells = (f"{change.mean:+.3f}", f"{change.low:+.3f} to {change.high:+.3f}")
        body.append((name, *_share_cells(found[name]), *cells, *_cost_cells(found[name])))
    used = [f"{name}: {PARTS[name].summary}" for name in order]
    return [*align_columns(HEAD, body), "", *used, "", *LEGEND.splitlines()]


def _changes(
    rows: Sequence[Row], whole: Sequence[Row]
) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """1 where a question is right only without the part, -1 where only with it, else 0."""
    pairs = zip(rows, whole, strict=True)
    return np.array([float(row.correct) - float(before.correct) for row, before in pairs])


def _share_cells(rows: Sequence[Row]) -> tuple[str]:
    return (format_figure(_mean(row.correct for row in rows), 3),)


def _cost_cells(rows: Sequence[Row]) -> tuple[str, ...]:
    return (
        format_figure(_mean(not row.correct for row in rows if row.status == "answered"), 2),
        format_figure(_mean(row.status == "abstained" for row in rows if row.abstain), 2),
        format_figure(_mean(row.loads for row in rows)),
        format_figure(_mean(row.seconds for row in rows)),
    )


def _mean(values: Iterable[float]) -> float | None:
    listed = list(values)
    return sum(listed) / len(listed) if listed else None
