"""Rounds until every gold arm is drawn, by strategy, on real surveys of sites."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bench.questions.intervals import bootstrap_mean
from bench.survey.arm_reader import ArmReader
from bench.survey.node_params import ReadingParams, read_reading_params, read_surveyor_params
from forager.bandit.posterior import KAPPA, StrategyName, assign_priors, draw_arms
from forager.domain import urls
from forager.domain.state import Arm, Question, State
from forager.ports import Ports
from forager.settings import Settings
from graphs.experiments.question_set import Record, Sites, allow_sites, refuse_unserved
from graphs.experiments.text_table import align_columns, format_figure
from graphs.runtime.composition import open_adapters
from nodes.surveyor import SurveyorParams, survey

Say = Callable[[str], None]
STRATEGIES: Mapping[str, StrategyName] = {
    "thompson": "thompson",
    "greedy": "greedy",
    "uct": "mcts",
    "correlated": "correlated",
}
SAMPLED = ("thompson",)
"""Strategies whose draws depend on the seed."""
BASELINE = "greedy"


@dataclass(frozen=True)
class DrawPlan:
    """What is measured: questions on sites, with the surveyor and the readers of a graph."""

    records: Sequence[Record]
    sites: Sites
    graph: str = "forager"
    seeds: int = 20


@dataclass(frozen=True)
class DrawnQuestion:
    """A question: its gold pages, how many are arms, and the mean rounds by prior and strategy."""

    record: Record
    gold: int
    among_arms: int
    rounds: Mapping[tuple[str, str], float]


def draw_gold(plan: DrawPlan, settings: Settings, say: Say) -> list[DrawnQuestion]:
    """Measure every question with gold pages. Raises UsageError, WebError and GraphError."""
    asked = [record for record in plan.records if record.pages]
    refuse_unserved(asked, plan.sites)
    return asyncio.run(
        _draw_all(replace(plan, records=asked), allow_sites(settings, plan.sites), say)
    )


async def _draw_all(plan: DrawPlan, settings: Settings, say: Say) -> list[DrawnQuestion]:
    params, reading = read_surveyor_params(plan.graph), read_reading_params(plan.graph)
    found: list[DrawnQuestion] = []
    with open_adapters(settings) as doors:
        async with doors("offline", time.time()) as ports:
            for record in plan.records:
                found.append(await _draw_question(record, plan, params, reading, ports))
                say(_progress_line(found[-1]))
    return found


async def _draw_question(
    record: Record, plan: DrawPlan, params: SurveyorParams, reading: ReadingParams, ports: Ports
) -> DrawnQuestion:
    roots = tuple(plan.sites[name] for name in record.sites)
    asked = State(question=Question(text=record.question, sites=roots))
    surveyed = replace(asked, **(await survey(asked, ports, params)))
    keys = record.gold_keys(plan.sites)
    gold = {arm.url for arm in surveyed.arms if urls.page_key(arm.url) in keys}
    among = {urls.page_key(url) for url in gold}
    reader = ArmReader(surveyed, ports, reading)
    priors = {
        "own": surveyed.arms,
        "mango": assign_priors(surveyed.arms, KAPPA),
    }
    rounds = {
        (prior, name): await _mean_rounds(STRATEGIES[name], arms, gold, reader, seeds)
        for prior, arms in priors.items()
        for name in STRATEGIES
        if gold
        for seeds in [plan.seeds if name in SAMPLED else 1]
    }
    return DrawnQuestion(record, len(keys), len(among), rounds)


async def _mean_rounds(
    strategy: StrategyName, arms: Sequence[Arm], gold: set[str], reader: ArmReader, seeds: int
) -> float:
    counts = [await rounds_to_gold(strategy, arms, gold, reader, seed) for seed in range(seeds)]
    return sum(counts) / len(counts)


async def rounds_to_gold(
    strategy: StrategyName, arms: Sequence[Arm], gold: set[str], reader: ArmReader, seed: int
) -> int:
    """The round in which the last gold arm is drawn; every attempt retires its arm."""
    visited: list[str] = []
    while not gold.issubset(visited):
        lessons = await reader.lessons_after(visited)
        drawn = draw_arms(strategy, arms, lessons, seed=seed, round=len(visited) + 1)
        visited += drawn.urls
    return len(visited)


def _progress_line(one: DrawnQuestion) -> str:
    cells = (f"{name} {one.rounds['own', name]:.1f}" for name in STRATEGIES if one.rounds)
    return f"{one.record.id}: {one.among_arms} of {one.gold} gold pages are arms; {' '.join(cells)}"


HEAD = ("questions", "prior", "strategy", "n", "rounds", "95 %", f"less {BASELINE}", "95 %")
LEGEND = f"""\
rounds: mean over questions until every gold page among the arms is drawn, one arm a round; the
intervals are bootstraps over questions. less {BASELINE}: mean difference per question. prior: own
is that of the graph, mango has kappa {KAPPA:g}. Each page is read as by a run without a model: the
reward is the share of the evidence that it adds, not whether the page is gold."""


def draw_lines(drawn: Sequence[DrawnQuestion]) -> list[str]:
    """The table, in all and by type; the questions that lack a gold page; and the legend."""
    kinds = dict.fromkeys(one.record.type for one in drawn)
    groups = {"all": list(drawn)} | {
        kind: [one for one in drawn if one.record.type == kind] for kind in kinds if len(kinds) > 1
    }
    body = [
        row
        for kind, group in groups.items()
        for row in _group_rows(kind, [one for one in group if one.rounds])
    ]
    missing = [one for one in drawn if one.among_arms < one.gold]
    none = sum(not one.among_arms for one in missing)
    told = f"Gold pages not among the arms: {len(missing)} of {len(drawn)} questions, {none} of"
    names = ", ".join(one.record.id for one in missing)
    return [
        *align_columns(HEAD, body, texts=3),
        "",
        f"{told} them without any." + (f" ({names})" if names else ""),
        *LEGEND.splitlines(),
    ]


def _group_rows(kind: str, drawn: Sequence[DrawnQuestion]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for prior, name in drawn[0].rounds if drawn else ():
        rounds = np.array([one.rounds[prior, name] for one in drawn])
        base = np.array([one.rounds[prior, BASELINE] for one in drawn])
        cells = (kind, prior, name, str(len(drawn)), *_mean_cells(rounds))
        rows.append(cells + (("", "") if name == BASELINE else _mean_cells(rounds - base)))
    return rows


def _mean_cells(values: NDArray[np.float64]) -> tuple[str, str]:
    found = bootstrap_mean(values)
    return format_figure(found.mean, 2), f"{found.low:.2f} to {found.high:.2f}"
