"""The results of a run: scores of each turn, and their means with bootstrap intervals."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from bench.questions.intervals import Interval, bootstrap_mean
from bench.runs.set_rows import SetRow
from bench.runs.set_tasks import SetTask
from bench.scorers import assistantbench_metrics, fanoutqa_metrics
from bench.scorers.fanoutqa_metrics import Normalize
from bench.scorers.normal_form import stem_text
from bench.scorers.word_overlap import compare_words
from graphs.experiments import scoring

Scores = Mapping[str, float]
"""Scores by metric; the first one is the set's main metric."""
COSTS = ("actions", "pages", "calls", "tokens", "usd", "seconds")


class Result(NamedTuple):
    """A turn with its task, its row and its scores."""

    task: SetTask
    row: SetRow
    gold: str
    question: str
    scores: Scores

    @property
    def main(self) -> float:
        """The score by the main metric."""
        return next(iter(self.scores.values()))

    @property
    def costs(self) -> dict[str, float]:
        """What the turn cost."""
        row = self.row
        tokens = row.tokens_in + row.tokens_out
        return dict(
            zip(
                COSTS,
                (row.actions, row.pages, row.calls, tokens, row.usd, row.seconds),
                strict=True,
            )
        )


class Group(NamedTuple):
    """A group of results: the interval of each metric, and the mean of each cost."""

    name: str
    n: int
    metrics: Mapping[str, Interval]
    costs: Mapping[str, float]


def score_rows(
    name: str,
    tasks: Sequence[SetTask],
    rows: Iterable[SetRow],
    verdicts: Mapping[tuple[str, str], bool] | None = None,
    normalize: Normalize = stem_text,
) -> list[Result]:
    """Score the rows of a set; `verdicts` of a judge are by graph and id of the question."""
    known = {one.id: (task, one) for task in tasks for one in task.questions}
    results = []
    for row in rows:
        task, asked = known[row.id]
        scores: dict[str, float] = SCORERS[name](row, asked.gold, normalize)
        if verdicts is not None:
            judged = verdicts.get((row.graph_hash, row.id), False)
            scores = {"judged": float(judged), **scores}
        gold = fanoutqa_metrics.as_text(asked.gold)
        results.append(Result(task, row, gold, asked.text, scores))
    return results


def _fanoutqa(row: SetRow, gold: Any, normalize: Normalize) -> dict[str, float]:
    found = fanoutqa_metrics.score_answer(row.prediction, gold, normalize)
    return {"loose": found.loose, "strict": float(found.strict)}


def _assistantbench(row: SetRow, gold: Any, normalize: Normalize) -> dict[str, float]:
    found = assistantbench_metrics.score_answer(row.prediction, gold)
    return {"accuracy": found.accuracy, "answered": float(found.answered)}


def _by_words(row: SetRow, gold: Any, normalize: Normalize) -> dict[str, float]:
    found = compare_words(row.prediction, gold)
    return {"contained": float(found.contained), "F1": found.f1}


def _own_questions(row: SetRow, gold: Any, normalize: Normalize) -> dict[str, float]:
    """`right` as the words are, `whole` as whole words, `partly` with some gold, or abstained.

    A whole yes or no is the first word of the answer: "no" is in most texts.
    """
    abstained = row.status == "abstained"
    if not gold:
        right = whole = abstained
        partly = False
    else:
        missing = scoring.missing_gold(row.prediction, gold)
        right, partly = not missing, 0 < len(missing) < len(gold)
        said = _first_word(row.prediction) if _is_yes_or_no(gold) else row.prediction
        whole = not scoring.missing_gold(said, gold, whole=True)
    flags = {"right": right, "whole": whole, "partly": partly, "abstained": abstained}
    return {name: float(flag) for name, flag in flags.items()}


def _is_yes_or_no(gold: Sequence[str]) -> bool:
    return len(gold) == 1 and gold[0].split("|")[0] in {"yes", "no"}


def _first_word(text: str) -> str:
    return next(iter(re.findall(r"\w+", text)), "")


SCORERS: Mapping[str, Callable[[SetRow, Any, Normalize], dict[str, float]]] = {
    "fanoutqa": _fanoutqa,
    "assistantbench": _assistantbench,
    "frames": _by_words,
    "webwalkerqa": _by_words,
    "questions": _own_questions,
}


def group_results(
    results: Sequence[Result], names: Callable[[Result], Iterable[str]]
) -> list[Group]:
    """Group results by each of the names that a result has; in the order of the names."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        for name in names(result):
            groups.setdefault(name, []).append(result)
    return [_summarize(name, groups[name]) for name in sorted(groups, key=_natural)]


def _natural(name: str) -> tuple[int, str]:
    return (int(name), "") if name.isdecimal() else (-1, name)


def _summarize(name: str, results: Sequence[Result]) -> Group:
    metrics = {
        metric: bootstrap_mean(np.array([one.scores[metric] for one in results]))
        for metric in results[0].scores
    }
    costs = {cost: float(np.mean([one.costs[cost] for one in results])) for cost in COSTS}
    return Group(name, len(results), metrics, costs)


def by_graph(result: Result) -> tuple[str]:
    """The group of a result by its graph."""
    return (result.row.graph,)


def by_type(result: Result) -> tuple[str, ...]:
    """The groups of a result by its types."""
    return result.task.types


def by_hop(result: Result) -> tuple[str, ...]:
    """The group of a result by the number of its gold pages, if that is known."""
    return (str(result.task.hops),) if result.task.hops else ()
