"""Scores a file of answers to a public question set by the metrics of its authors."""

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from bench.questions.grades import KINDS, AnswerGrader
from bench.scorers import (
    assistantbench_metrics,
    fanoutqa_metrics,
    mind2web_metrics,
    webwalkerqa_metrics,
)
from bench.scorers.fanoutqa_metrics import as_text
from bench.scorers.generated_text import bleurt_scores, rouge_scores
from bench.scorers.lemmas import PUBLISHED, Lemmatizer, open_lemmatizer
from bench.scorers.word_overlap import compare_words
from bench.sets import answer_file, set_question, web_steps
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


@dataclass(frozen=True, kw_only=True)
class ScoreOptions:
    """What is measured besides the metrics that need nothing but the files.

    `lemmas` wishes a spaCy model (see `bench.scorers.lemmas`); `bleurt` is a checkpoint's folder.
    """

    judge: AnswerGrader | None = None
    lemmas: str = ""
    rouge: bool = False
    bleurt: Path | None = None


def score_answers(
    name: str, gold: Path, given: Path, options: ScoreOptions = ScoreOptions()
) -> list[str]:
    """Return the metrics over all questions of a set; a missing answer counts as wrong.

    Raises UsageError for an unknown set, an invalid file or a metric whose package is missing, and
    ModelError and StoreError if a judge is asked.
    """
    if name not in SETS:
        raise UsageError(f"Unknown question set {name!r}.", did_you_mean(name, SETS))
    if options.judge and name not in KINDS:
        raise UsageError(
            f"{name} has no metric by a judge.", f"Use --judge with {' or '.join(KINDS)}."
        )
    lines = SETS[name](gold, given, options)
    return [*lines, *options.judge.cost_lines()] if options.judge else lines


def _load_answers(questions: Sequence[set_question.SetQuestion[Gold]], path: Path) -> Answers:
    return answer_file.load_answers(path, [question.id for question in questions])


def _fill_verdicts(
    name: str,
    questions: Sequence[set_question.SetQuestion[Any]],
    said: Answers,
    judge: AnswerGrader | None,
) -> Answers:
    return judge.fill_verdicts(name, questions, said) if judge else said


def _answer_text(given: Answers, id: str) -> str:
    return as_text(given[id].answer) if id in given else ""


def _score_fanoutqa(gold: Path, given: Path, options: ScoreOptions) -> list[str]:
    questions = fanout_set.load_questions(gold)
    said = _fill_verdicts("fanoutqa", questions, _load_answers(questions, given), options.judge)
    texts = [_answer_text(said, question.id) for question in questions]
    lemmatizer = open_lemmatizer(options.lemmas)
    normalize = fanoutqa_metrics.make_normalizer(lemmatizer)
    found = [
        fanoutqa_metrics.score_answer(text, question.gold, normalize)
        for text, question in zip(texts, questions, strict=True)
    ]
    columns = {
        "answered %": _mean_percent(text != "" for text in texts),
        "loose %": _mean_percent(one.loose for one in found),
        "strict %": _mean_percent(one.strict for one in found),
        **_text_columns([as_text(question.gold) for question in questions], texts, options),
    }
    if any(one.verdict is not None for one in said.values()):
        columns["judged %"] = _mean_percent(
            one.id in said and said[one.id].verdict is True for one in questions
        )
    return [
        *_one_row_table(("n", *columns), len(questions), columns.values()),
        "loose: mean share of reference strings found; strict: questions with all of them",
        lemma_line(lemmatizer),
    ]


def _text_columns(
    references: Sequence[str], texts: Sequence[str], options: ScoreOptions
) -> dict[str, str]:
    """Return the columns of ROUGE and BLEURT, as far as they are asked for; no answer scores 0."""
    columns = {}
    if options.rouge:
        for name, scores in rouge_scores(references, texts).items():
            columns[f"{name} %"] = _mean_percent(scores)
    if options.bleurt:
        columns["BLEURT %"] = _mean_percent(bleurt_scores(references, texts, options.bleurt))
    return columns


def lemma_line(lemmatizer: Lemmatizer | None) -> str:
    """Say whose lemmas the accuracy compares, and whether it is approximate."""
    if lemmatizer is None:
        return (
            "approximate: loose and strict compare stems, the published metric lemmas of spaCy; "
            "install the dependency group `scoring` for them"
        )
    if lemmatizer.published:
        return f"lemmas of {lemmatizer.name}, as published"
    return f"lemmas of {lemmatizer.name}; the published ones are {PUBLISHED}'s, which differ a bit"


def _score_assistantbench(gold: Path, given: Path, options: ScoreOptions) -> list[str]:
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


def _score_frames(gold: Path, given: Path, options: ScoreOptions) -> list[str]:
    questions = frames_set.load_questions(gold)
    said = _fill_verdicts("frames", questions, _load_answers(questions, given), options.judge)
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


def _score_webwalkerqa(gold: Path, given: Path, options: ScoreOptions) -> list[str]:
    questions = walker_set.load_questions(gold)
    said = _fill_verdicts("webwalkerqa", questions, _load_answers(questions, given), options.judge)
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


def _score_mind2web(gold: Path, given: Path, options: ScoreOptions) -> list[str]:
    found = mind2web_metrics.score_steps(
        web_steps.load_steps(gold), web_steps.load_predictions(given)
    )
    head = ("average", "n", "element %", "operation F1 %", "step success %", "turn success %")
    micro = (found.micro.element, found.micro.operation, found.micro.success)
    macro = (found.element_accuracy, found.operation_f1, found.step_success, found.turn_success)
    body = [
        ("of steps", str(found.steps), *map(_format_percent, micro), _format_percent(None)),
        ("published", str(found.conversations), *map(_format_percent, macro)),
    ]
    return [
        *align_columns(head, body),
        "published: means over the steps of each task, then over tasks; for conversations, step",
        "and turn success are means over each conversation, then over conversations",
        "turn success: without conversations, the share of tasks with no wrong step",
    ]


SETS: Mapping[str, Callable[[Path, Path, ScoreOptions], list[str]]] = {
    "fanoutqa": _score_fanoutqa,
    "assistantbench": _score_assistantbench,
    "frames": _score_frames,
    "webwalkerqa": _score_webwalkerqa,
    "mind2web": _score_mind2web,
}


def _one_row_table(head: Sequence[str], n: int, cells: Iterable[str]) -> list[str]:
    return align_columns(head, [(str(n), *cells)], texts=0)


def _mean_percent(values: Iterable[float]) -> str:
    of = list(values)
    return _format_percent(statistics.mean(of) if of else None)


def _format_percent(share: float | None) -> str:
    return format_figure(None if share is None else 100 * share)
