"""Scores a file of answers to a public question set by the metrics of its authors."""

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from bench.questions.grades import KINDS, AnswerGrader
from bench.scorers import assistantbench_metrics, fanoutqa_metrics, webwalkerqa_metrics
from bench.scorers.fanoutqa_metrics import as_text
from bench.scorers.word_overlap import compare_words
from bench.sets import answer_file, set_question
from bench.sets import assistantbench as assistant_set
from bench.sets import fanoutqa as fanout_set
from bench.sets import frames as frames_set
from bench.sets import webwalkerqa as walker_set
from bench.sets.answer_file import GivenAnswer
from forager.errors import UsageError
from forager.util.suggest import did_you_mean
from graphs.experiments.text_table import align_columns, format_figure

Gold = TypeVar("Gold")
Answers = Mapping[str, GivenAnswer]


def score_answers(
    name: str, gold: Path, given: Path, judge: AnswerGrader | None = None
) -> list[str]:
    """Return the metrics over all questions of a set; a missing answer counts as wrong.

    Raises UsageError for an unknown set or an invalid file, and ModelError and StoreError if a
    judge is asked.
    """
    if name not in SETS:
        raise UsageError(f"Unknown question set {name!r}.", did_you_mean(name, SETS))
    if judge is None:
        return SETS[name](gold, given, None)
    if name not in KINDS:
        raise UsageError(
            f"{name} has no metric by a judge.", f"Use --judge with {' or '.join(KINDS)}."
        )
    return [*SETS[name](gold, given, judge), *judge.cost_lines()]


def _load_answers(questions: Sequence[set_question.SetQuestion[Gold]], path: Path) -> Answers:
    return answer_file.load_answers(path, [question.id for question in questions])


def _fill_verdicts(
    name: str,
    questions: Sequence[set_question.SetQuestion[str]],
    said: Answers,
    judge: AnswerGrader | None,
) -> Answers:
    return judge.fill_verdicts(name, questions, said) if judge else said


def _answer_text(given: Answers, id: str) -> str:
    return as_text(given[id].answer) if id in given else ""


def _score_fanoutqa(gold: Path, given: Path, judge: AnswerGrader | None) -> list[str]:
    questions = fanout_set.load_questions(gold)
    said = _load_answers(questions, given)
    texts = [_answer_text(said, question.id) for question in questions]
    found = [
        fanoutqa_metrics.score_answer(*pair)
        for pair in zip(texts, (q.gold for q in questions), strict=True)
    ]
    cells = (
        _mean_percent(text != "" for text in texts),
        _mean_percent(one.loose for one in found),
        _mean_percent(one.strict for one in found),
    )
    return [
        *_one_row_table(("n", "answered %", "loose %", "strict %"), len(questions), cells),
        "loose: mean share of reference strings found; strict: questions with all of them",
    ]


def _score_assistantbench(gold: Path, given: Path, judge: AnswerGrader | None) -> list[str]:
    tasks = assistant_set.load_tasks(gold)
    said = _load_answers(tasks, given)
    predictions = [said[task.id].answer if task.id in said else "" for task in tasks]
    found = [
        assistantbench_metrics.score_answer(one, task.gold)
        for one, task in zip(predictions, tasks, strict=True)
    ]
    cells = (
        _mean_percent(one.accuracy for one in found),
        _mean_percent(one.answered for one in found),
        _mean_percent(one.accuracy for one in found if one.answered),
        _mean_percent(one.accuracy > 1 - 1e-9 for one in found),
    )
    return [
        *_one_row_table(
            ("n", "accuracy %", "answered %", "precision %", "exact %"), len(tasks), cells
        ),
        "accuracy: mean score; precision: that of answered questions; exact: those that score 1",
    ]


def _score_frames(gold: Path, given: Path, judge: AnswerGrader | None) -> list[str]:
    questions = frames_set.load_questions(gold)
    said = _fill_verdicts("frames", questions, _load_answers(questions, given), judge)
    texts = [_answer_text(said, question.id) for question in questions]
    found = [compare_words(text, one.gold) for text, one in zip(texts, questions, strict=True)]
    verdicts = [said[one.id].verdict is True if one.id in said else False for one in questions]
    judged = any(one.verdict is not None for one in said.values())
    cells = (
        _mean_percent(text != "" for text in texts),
        _mean_percent(verdicts if judged else ()),
        _mean_percent(one.contained for one in found),
        _mean_percent(one.exact for one in found),
        _mean_percent(one.f1 for one in found),
    )
    head = ("n", "answered %", "judged %", "contained %", "exact %", "F1 %")
    return [
        *_one_row_table(head, len(questions), cells),
        "judged: right by a judge's verdict (the published metric); the others compare words",
    ]


def _score_webwalkerqa(gold: Path, given: Path, judge: AnswerGrader | None) -> list[str]:
    questions = walker_set.load_questions(gold)
    said = _fill_verdicts("webwalkerqa", questions, _load_answers(questions, given), judge)
    graded = []
    for question in questions:
        one = said.get(question.id, GivenAnswer(id=question.id, answer=""))
        text = as_text(one.answer)
        graded.append(webwalkerqa_metrics.grade_answer(question, text, one.verdict, one.actions))
    head = ("type", "difficulty", "n", "right %", "contained %", "exact %", "F1 %", "actions")
    body = [
        (
            one.kind,
            one.difficulty,
            str(one.n),
            *(_format_percent(share) for share in (one.right, one.contained, one.exact, one.f1)),
            format_figure(one.actions, 2),
        )
        for one in webwalkerqa_metrics.group_answers(graded)
    ]
    return [
        *align_columns(head, body, texts=2),
        "right: by the judge's verdict; without one, if the answer contains the gold",
        "actions: mean over right answers that report them",
    ]


SETS: Mapping[str, Callable[[Path, Path, AnswerGrader | None], list[str]]] = {
    "fanoutqa": _score_fanoutqa,
    "assistantbench": _score_assistantbench,
    "frames": _score_frames,
    "webwalkerqa": _score_webwalkerqa,
}


def _one_row_table(head: Sequence[str], n: int, cells: Iterable[str]) -> list[str]:
    return align_columns(head, [(str(n), *cells)], texts=0)


def _mean_percent(values: Iterable[float]) -> str:
    of = list(values)
    return _format_percent(statistics.mean(of) if of else None)


def _format_percent(share: float | None) -> str:
    return format_figure(None if share is None else 100 * share)
