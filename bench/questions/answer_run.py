"""Asks a question set through sessions and scores the answers against the gold."""

import asyncio

from bench.questions.grades import grade_rows
from bench.questions.judge import open_judge
from forager.settings import Settings
from graphs.experiments import result_rows
from graphs.experiments.experiment import ExperimentPlan, Say, describe_row, open_experiment
from graphs.experiments.question_set import allow_sites, refuse_unserved
from graphs.experiments.result_rows import Row
from graphs.spec.library import open_library
from graphs.spec.spec import GraphSpec


def ask_question_set(
    plan: ExperimentPlan, settings: Settings, say: Say, judge_settings: Settings | None = None
) -> list[Row]:
    """Ask all questions that have no row in `plan.out` yet; return the rows of all questions.

    `judge_settings`, if they differ, have the address that the judge's key is for.

    Raises UsageError and StoreError, and ModelError if the judge fails.
    """
    refuse_unserved(plan.records, plan.sites)
    allowed = allow_sites(settings, plan.sites)
    return asyncio.run(_ask_missing(plan, allowed, say, judge_settings or settings))


async def _ask_missing(
    plan: ExperimentPlan, settings: Settings, say: Say, judge_settings: Settings
) -> list[Row]:
    done = result_rows.read_finished_rows(plan.out)
    library = open_library(settings)
    specs = [library.resolve(graph) for graph in plan.graphs]
    found: list[Row] = []
    for spec in specs:
        own = settings if len(specs) == 1 else _own_folder(settings, spec)
        async with open_experiment(plan, own) as bench:
            for record in plan.records:
                key = result_rows.RowKey(spec.name, spec.hash, plan.model, plan.seed, record.id)
                row = done.get(key)
                if row is None:
                    row = await bench.ask_question(record, spec)
                    result_rows.append_line(plan.out, row)
                    count = f"{len(found) + 1}/{len(specs) * len(plan.records)}"
                    say(f"{count} {describe_row(row)}")
                found.append(row)
    if not plan.judge:
        return found
    async with open_judge(plan.judge, judge_settings, say) as judge:
        return await grade_rows(found, {one.id: one for one in plan.records}, judge, plan.out)


def _own_folder(settings: Settings, spec: GraphSpec) -> Settings:
    """A data folder for each of several graphs, so that none sees what another one read."""
    return settings.in_folder(settings.data / spec.name)
