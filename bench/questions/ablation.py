"""What each part of a graph is worth: a question set asked with one part after another off."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bench.questions.ablation_parts import PARTS, switched_off, without_part
from bench.questions.intervals import bootstrap_mean
from forager.errors import UsageError
from forager.settings import Settings
from graphs.experiments.experiment import ExperimentPlan, Say, describe_row, open_experiment
from graphs.experiments.question_set import Record, allow_sites, refuse_unserved
from graphs.experiments.result_rows import Row, RowKey, append_line, read_finished_rows
from graphs.experiments.scoring import missing_gold
from graphs.experiments.text_table import align_columns, format_figure
from graphs.reports.answer_layout import split_more
from graphs.spec.library import open_library

WHOLE = "whole"
"""Names the rows of the graph with nothing switched off."""
CHANGE = ("change", "95 %")
HEAD = ("without", "right", *CHANGE, "in the lead", *CHANGE, "wrong", "told", "loads", "s")
LEGEND = """\
right: the share of all questions that are answered, at least partly, with all gold strings, or that
no page answers and that ended as abstained; in the lead: with all of it before the further quotes.
change: that share less the whole graph's, over the same questions, and the interval of the mean
change (bootstrap over questions). wrong: of the answers whose status is `answered`. told: of the
questions that no page answers, those that ended as abstained. loads, s: page loads and seconds,
means."""


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


def ablation_lines(found: Mapping[str, Sequence[Row]], records: Sequence[Record]) -> list[str]:
    """The table, the parts that cost most first, and the legend, for rows of these records."""
    gold = {record.id: record.answer for record in records}
    right = {name: np.array([_is_right(row) for row in rows]) for name, rows in found.items()}
    lead = {name: np.array([_leads(row, gold) for row in rows]) for name, rows in found.items()}
    order = sorted((name for name in found if name != WHOLE), key=lambda name: right[name].sum())
    body = []
    for name in (WHOLE, *order):
        shares = [cell for each in (right, lead) for cell in _share_cells(each[name], each[WHOLE])]
        body.append((name, *shares, *_cost_cells(found[name], right[name])))
    used = [f"{name}: {PARTS[name].summary}" for name in order]
    return [*align_columns(HEAD, body), "", *used, "", *LEGEND.splitlines()]


def _is_right(row: Row) -> bool:
    """Whether the answer is right; one that says that there is none is not."""
    return row.correct and row.abstain == (row.status == "abstained")


def _leads(row: Row, gold: Mapping[str, Sequence[str]]) -> bool:
    lead, _ = split_more(row.answer)
    return _is_right(row) and not missing_gold("\n".join(lead), gold[row.id])


Flags = NDArray[np.bool_]


def _share_cells(flags: Flags, whole: Flags) -> tuple[str, ...]:
    """The share of the questions, its change, and the interval of the change."""
    change = bootstrap_mean(flags.astype(np.float64) - whole)
    low_high = f"{change.low:+.3f} to {change.high:+.3f}"
    return f"{flags.mean():.3f}", f"{change.mean:+.3f}", low_high


def _cost_cells(rows: Sequence[Row], right: Flags) -> tuple[str, ...]:
    answered = [not good for row, good in zip(rows, right, strict=True) if row.status == "answered"]
    return (
        format_figure(_mean(answered), 2),
        format_figure(_mean(row.status == "abstained" for row in rows if row.abstain), 2),
        format_figure(_mean(row.loads for row in rows)),
        format_figure(_mean(row.seconds for row in rows)),
    )


def _mean(values: Iterable[float]) -> float | None:
    listed = list(values)
    return sum(listed) / len(listed) if listed else None
