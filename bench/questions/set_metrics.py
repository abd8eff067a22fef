"""Scores a file of answers to a public question set, as the set's authors do."""

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from bench.questions.grades import KINDS, Grading
from bench.scorers import assistantbench_metrics, fanoutqa_metrics, webwalkerqa_metrics
from bench.scorers.fanoutqa_metrics import as_text
from bench.scorers.word_overlap import overlap
from bench.sets import answer_file, set_question
from bench.sets import assistantbench as assistant_set
from bench.sets import fanoutqa as fanout_set
from bench.sets import frames as frames_set
from bench.sets import webwalkerqa as walker_set
from bench.sets.answer_file import Given
from forager.errors import UsageError
from forager.util.suggest import did_you_mean
from graphs.experiments.text_table import align_columns, format_figure

Gold = TypeVar("Gold")
Answers = Mapping[str, Given]


def run(name: str, gold: Path, given: Path, judge: Grading | None = None) -> list[str]:
    """The metrics of a set over all its questions, one without an answer being wrong.

    Raises UsageError for an unknown set and for files that are none, ModelError and StoreError
    where a judge is to be asked.
    """
    if name not in SETS:
        raise UsageError(f"There is no question set {name!r}.", did_you_mean(name, SETS))
    if judge is None:
        return SETS[name](gold, given, None)
    if name not in KINDS:
        raise UsageError(f"No judge grades {name}.", f"One grades {' and '.join(KINDS)}.")
    return [*SETS[name](gold, given, judge), *judge.told()]


def _answers(questions: Sequence[set_question.Asked[Gold]], path: Path) -> Answers:
    return answer_file.load(path, [question.id for question in questions])


def _judged(
    name: str, questions: Sequence[set_question.Asked[str]], said: Answers, judge: Grading | None
) -> Answers:
    return judge.fill(name, questions, said) if judge else said


def _text(given: Answers, id: str) -> str:
    return as_text(given[id].answer) if id in given else ""


def _fanoutqa(gold: Path, given: Path, judge: Grading | None) -> list[str]:
    questions = fanout_set.load(gold)
    said = _answers(questions, given)
    texts = [_text(said, question.id) for question in questions]
    found = [
        fanoutqa_metrics.score(*pair)
        for pair in zip(texts, (q.gold for q in questions), strict=True)
    ]
    cells = (
        _share(text != "" for text in texts),
        _share(one.loose for one in found),
        _share(one.strict for one in found),
    )
    return [
        *_table(("n", "answered %", "loose %", "strict %"), len(questions), cells),
        "loose: reference strings found, mean; strict: questions with all of them",
    ]


def _assistantbench(gold: Path, given: Path, judge: Grading | None) -> list[str]:
    tasks = assistant_set.load(gold)
    said = _answers(tasks, given)
    predictions = [said[task.id].answer if task.id in said else "" for task in tasks]
    found = [
        assistantbench_metrics.score(one, task.gold)
        for one, task in zip(predictions, tasks, strict=True)
    ]
    cells = (
        _share(one.accuracy for one in found),
        _share(one.answered for one in found),
        _share(one.accuracy for one in found if one.answered),
        _share(one.accuracy > 1 - 1e-9 for one in found),
    )
    return [
        *_table(("n", "accuracy %", "answered %", "precision %", "exact %"), len(tasks), cells),
        "accuracy: mean score; precision: that of the answered; exact: those that score 1",
    ]


def _frames(gold: Path, given: Path, judge: Grading | None) -> list[str]:
    questions = frames_set.load(gold)
    said = _judged("frames", questions, _answers(questions, given), judge)
    texts = [_text(said, question.id) for question in questions]
    found = [overlap(text, one.gold) for text, one in zip(texts, questions, strict=True)]
    verdicts = [said[one.id].verdict is True if one.id in said else False for one in questions]
    judged = any(one.verdict is not None for one in said.values())
    cells = (
        _share(text != "" for text in texts),
        _share(verdicts if judged else ()),
        _share(one.contained for one in found),
        _share(one.exact for one in found),
        _share(one.f1 for one in found),
    )
    head = ("n", "answered %", "judged %", "contained %", "exact %", "F1 %")
    return [
        *_table(head, len(questions), cells),
        "judged: right by a judge's verdict, the published metric; the others compare words",
    ]


def _webwalkerqa(gold: Path, given: Path, judge: Grading | None) -> list[str]:
    questions = walker_set.load(gold)
    said = _judged("webwalkerqa", questions, _answers(questions, given), judge)
    graded = []
    for question in questions:
        one = said.get(question.id, Given(id=question.id, answer=""))
        text = as_text(one.answer)
        graded.append(webwalkerqa_metrics.grade(question, text, one.verdict, one.actions))
    head = ("type", "difficulty", "n", "right %", "contained %", "exact %", "F1 %", "actions")
    body = [
        (
            one.kind,
            one.difficulty,
            str(one.n),
            *(_percent(share) for share in (one.right, one.contained, one.exact, one.f1)),
            format_figure(one.actions, 2),
        )
        for one in webwalkerqa_metrics.buckets(graded)
    ]
    return [
        *align_columns(head, body, texts=2),
        "right: by the judge's verdict, or without one, the gold contained",
        "actions: mean of the right answers that say how many they took",
    ]


SETS: Mapping[str, Callable[[Path, Path, Grading | None], list[str]]] = {
    "fanoutqa": _fanoutqa,
    "assistantbench": _assistantbench,
    "frames": _frames,
    "webwalkerqa": _webwalkerqa,
}


def _table(head: Sequence[str], n: int, cells: Iterable[str]) -> list[str]:
    return align_columns(head, [(str(n), *cells)], texts=0)


def _share(values: Iterable[float]) -> str:
    of = list(values)
    return _percent(statistics.mean(of) if of else None)


def _percent(share: float | None) -> str:
    return format_figure(None if share is None else 100 * share)
