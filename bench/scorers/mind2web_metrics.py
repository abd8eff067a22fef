"""Mind2Web's and MT-Mind2Web's metrics (arXiv 2306.06070 and 2402.15057).

A step succeeds if its element and all words of its operation are right. Mind2Web's authors average
over the steps of each task, then over the tasks (macro). MT-Mind2Web's do so for element and
operation, but average steps and turns over each conversation, then over the conversations; a turn
succeeds if all its steps do. Without conversations, each task is one of its own.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple, TypeVar

from bench.sets.web_steps import StepGold, StepPrediction
from forager.domain.base import Frozen

Value = TypeVar("Value")


class StepScore(Frozen):
    """How right a step is: its element (0 or 1), its operation (F1) and both (0 or 1)."""

    element: float = 0.0
    operation: float = 0.0
    success: float = 0.0


class WebScores(Frozen):
    """Means over steps, and the authors' macro averages; all from 0 to 1.

    `turn_success` is the share of tasks, or of the turns of a conversation, without a wrong step.
    """

    steps: int
    turns: int
    conversations: int
    micro: StepScore
    element_accuracy: float
    operation_f1: float
    step_success: float
    turn_success: float


def score_step(predicted: StepPrediction | None, gold: StepGold) -> StepScore:
    """Score a step; one without a right element in the page, or without a prediction, scores 0."""
    if predicted is None or not gold.elements or not (predicted.element or predicted.operation):
        return StepScore()
    element = float(predicted.element in gold.elements)
    operation = operation_f1(predicted.operation, gold.operation)
    return StepScore(element=element, operation=operation, success=float(element == operation == 1))


def operation_f1(predicted: str, gold: str) -> float:
    """Return the F1 of the distinct words of two operations; case counts."""
    said, wanted = set(predicted.split()), set(gold.split())
    if not said or not wanted:
        return float(said == wanted)
    return 2 * len(said & wanted) / (len(said) + len(wanted))


def score_steps(golds: Sequence[StepGold], predictions: Mapping[str, StepPrediction]) -> WebScores:
    """Score the predictions of all steps of a set, of which there is at least one."""
    scores = [score_step(predictions.get(gold.id), gold) for gold in golds]
    means = average_steps(golds, scores)
    return WebScores(
        steps=len(golds),
        turns=len(means.elements),
        conversations=len(means.steps),
        micro=StepScore(
            element=fmean(one.element for one in scores),
            operation=fmean(one.operation for one in scores),
            success=fmean(one.success for one in scores),
        ),
        element_accuracy=fmean(means.elements),
        operation_f1=fmean(means.operations),
        step_success=fmean(means.steps),
        turn_success=fmean(means.turns),
    )


class WebMeans(NamedTuple):
    """The values that the macro averages are the means of.

    `elements` and `operations` have one for each turn, `steps` and `turns` for each conversation.
    """

    elements: list[float]
    operations: list[float]
    steps: list[float]
    turns: list[float]


def average_steps(golds: Sequence[StepGold], scores: Sequence[StepScore]) -> WebMeans:
    """Average the scores of steps over turns and conversations."""
    by_turn = _group((gold.turn for gold in golds), scores)
    by_conversation = _group((gold.conversation for gold in golds), scores)
    home = {gold.turn: gold.conversation for gold in golds}
    success = {turn: float(all(one.success for one in of)) for turn, of in by_turn.items()}
    turns = _group((home[turn] for turn in success), list(success.values()))
    return WebMeans(
        elements=[fmean(one.element for one in of) for of in by_turn.values()],
        operations=[fmean(one.operation for one in of) for of in by_turn.values()],
        steps=[fmean(one.success for one in of) for of in by_conversation.values()],
        turns=[fmean(of) for of in turns.values()],
    )


def _group(keys: Iterable[str], values: Sequence[Value]) -> dict[str, list[Value]]:
    found: defaultdict[str, list[Value]] = defaultdict(list)
    for key, value in zip(keys, values, strict=True):
        found[key].append(value)
    return dict(found)
