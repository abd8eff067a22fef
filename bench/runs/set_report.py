"""Runs a set and reports: rows, a judge's verdicts, scores, predictions, tables and the page."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.questions.grades import KINDS, AnswerGrader
from bench.questions.set_metrics import lemma_line
from bench.runs.run_page import result_page
from bench.runs.run_table import result_lines
from bench.runs.set_results import Result, score_rows
from bench.runs.set_rows import SetRow
from bench.runs.set_run import Say, SetPlan, run_set
from bench.scorers.fanoutqa_metrics import Normalize, make_normalizer
from bench.scorers.lemmas import open_lemmatizer
from bench.scorers.normal_form import stem_text
from bench.sets.answer_file import GivenAnswer
from forager.errors import StoreError, UsageError
from forager.settings import Settings
from forager.util.files import make_private_folder


def run_and_report(
    plan: SetPlan, settings: Settings, grader: AnswerGrader | None, say: Say
) -> list[str]:
    """Ask what is missing, write predictions and page, and return the tables.

    Raises UsageError, ModelError and StoreError.
    """
    if grader and plan.set not in KINDS:
        raise UsageError(
            f"{plan.set} has no metric by a judge.", f"Use --judge with {' or '.join(KINDS)}."
        )
    rows, folder = run_set(plan, settings, say), plan.rows.parent
    verdicts = judge_rows(plan, rows, grader) if grader else None
    normalize, notes = open_normalizer(plan.set)
    results = score_rows(plan.set, plan.tasks, rows, verdicts, normalize)
    notes += grader.cost_lines() if grader else []
    files = write_predictions(plan.set, results, folder)
    page = write_page(plan, results, notes, folder)
    written = f"Written: {', '.join(map(str, (plan.rows, *files, page)))}"
    return [*result_lines(results), *notes, written]


def judge_rows(
    plan: SetPlan, rows: Sequence[SetRow], grader: AnswerGrader
) -> dict[tuple[str, str], bool]:
    """Return the verdicts on the rows, by hash of the graph and id; none is paid for twice.

    Raises UsageError, ModelError and StoreError.
    """
    questions = [one for task in plan.tasks for one in task.questions]
    verdicts = {}
    for graph in dict.fromkeys(row.graph_hash for row in rows):
        said = {
            row.id: GivenAnswer(id=row.id, answer=row.prediction)
            for row in rows
            if row.graph_hash == graph
        }
        for id, one in grader.fill_verdicts(plan.set, questions, said).items():
            verdicts[graph, id] = one.verdict is True
    return verdicts


def open_normalizer(name: str) -> tuple[Normalize, list[str]]:
    """Return the normal form of a set's texts, and notes on it for the result."""
    if name != "fanoutqa":
        return stem_text, []
    lemmatizer = open_lemmatizer()
    return make_normalizer(lemmatizer), [lemma_line(lemmatizer)]


def write_page(
    plan: SetPlan, results: Sequence[Result], notes: Sequence[str], folder: Path
) -> Path:
    """Write the report page and return its file. Raises StoreError."""
    path = folder / "report.html"
    write_text(path, result_page(plan.set, plan.model, results, notes))
    return path


def write_predictions(name: str, results: Sequence[Result], folder: Path) -> list[Path]:
    """Write the predictions and the answers of each graph; return the files. Raises StoreError."""
    written = []
    for graph in dict.fromkeys(one.row.graph for one in results):
        own = [one for one in results if one.row.graph == graph]
        predictions = [_prediction(name, one) for one in own]
        answers = [
            {"id": one.row.id, "answer": one.row.prediction, "actions": one.row.actions}
            for one in own
        ]
        for kind, lines in (("predictions", predictions), ("answers", answers)):
            path = folder / f"{kind}-{graph}.jsonl"
            write_text(path, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
            written.append(path)
    return written


def _prediction(name: str, result: Result) -> dict[str, Any]:
    if name == "webwalkerqa":  # as its evaluate.py reads it
        return {"question": result.question, "pred": result.row.prediction}
    return {"id": result.row.id, "answer": result.row.prediction}


def write_text(path: Path, text: str) -> None:
    """Write a file of the report. Raises StoreError."""
    try:
        make_private_folder(path.parent)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}.", "Free some space.") from error
