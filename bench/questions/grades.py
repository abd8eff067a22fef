"""Chooses the answers to judge and stores the verdicts, so that none is paid for twice."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.questions.judge import (
    Comparison,
    FindAnswer,
    GradeAnswer,
    Judge,
    Judgeable,
    Say,
    comparison_digest,
    open_judge,
)
from bench.questions.published_prompts import PublishedComparison
from bench.scorers.fanoutqa_metrics import as_text
from bench.scorers.word_overlap import compare_words
from bench.sets.answer_file import GivenAnswer
from bench.sets.set_question import SetQuestion
from forager.settings import Settings
from graphs.experiments import result_rows
from graphs.experiments.question_set import Record
from graphs.experiments.result_rows import Row, RowKey
from graphs.experiments.scoring import MARK
from graphs.experiments.verdicts import Verdict, judge_cost_lines, task_digest

ABSTAINED = "abstained"
VERDICTS = ".verdicts.jsonl"
KINDS: Mapping[str, type[Comparison[Any]]] = {
    "frames": FindAnswer,
    "webwalkerqa": GradeAnswer,
    "fanoutqa": GradeAnswer,
}
"""The judge's task by public question set, with the project's own prompts."""


async def grade_rows(
    found: Sequence[Row], records: Mapping[str, Record], judge: Judge, out: Path
) -> list[Row]:
    """Return the rows with verdicts; rows with new verdicts are appended to `out` as they arrive.

    Abstentions, empty answers and questions without gold are settled without the judge. Raises
    ModelError and StoreError.
    """
    settled: dict[RowKey, Verdict] = {}
    tasks: dict[RowKey, GradeAnswer] = {}
    graded = {row.key: row for row in found}
    for row in found:
        record = records[row.id]
        text = MARK.sub("", row.answer).strip()
        if row.status == ABSTAINED or not text or not record.answer:
            right = row.status == ABSTAINED and not record.answer
            settled[row.key] = Verdict(judge=judge.line, correct=right)
            continue
        task = GradeAnswer(
            question=record.question,
            reference=_reference_text(record.answer),
            answer=text,
            by_words=row.whole,
        )
        if not (row.verdict and row.verdict.is_of(judge.line, task_digest(task))):
            tasks[row.key] = task

    def keep(key: RowKey, verdict: Verdict) -> None:
        result_rows.append_line(out, graded[key].model_copy(update={"verdict": verdict}))

    settled |= await judge.ask_verdicts(tasks, keep)
    return [row.model_copy(update={"verdict": settled.get(row.key, row.verdict)}) for row in found]


def _reference_text(answer: Sequence[str]) -> str:
    """Format the gold strings, all of them required, with their alternatives."""
    lines = [" or ".join(gold.split("|")) for gold in answer]
    return lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)


class KeptVerdict(Verdict):
    """A stored verdict on the answer to the question with this id."""

    id: str


@dataclass
class AnswerGrader:
    """Adds the verdicts that a file of answers lacks and stores them beside that file."""

    line: str
    settings: Settings
    say: Say
    answers: Path
    prompt: str = "published"
    given: dict[str, Verdict] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """The file of stored verdicts."""
        return self.answers.with_suffix(VERDICTS)

    def fill_verdicts(
        self, name: str, questions: Sequence[SetQuestion[Any]], said: Mapping[str, GivenAnswer]
    ) -> dict[str, GivenAnswer]:
        """Return the answers, each with a verdict. Raises UsageError, ModelError and StoreError."""
        tasks = {
            question.id: make_comparison(name, question, text, self.prompt)
            for question in questions
            if question.id in said and said[question.id].verdict is None
            if (text := as_text(said[question.id].answer))
        }
        kept = {
            (one.id, one.judge, one.asked): one
            for one in result_rows.read_lines(self.path, KeptVerdict)
        }
        places = {id: (id, self.line, comparison_digest(task)) for id, task in tasks.items()}
        self.given = {id: kept[place] for id, place in places.items() if place in kept}
        new = {id: task for id, task in tasks.items() if id not in self.given}
        if new:
            self.given |= asyncio.run(self._ask_judge(new))
        return {
            id: one
            if one.verdict is not None
            else one.model_copy(update={"verdict": id in self.given and self.given[id].correct})
            for id, one in said.items()
        }

    async def _ask_judge(self, tasks: Mapping[str, Judgeable]) -> dict[str, Verdict]:
        def keep(id: str, verdict: Verdict) -> None:
            result_rows.append_line(self.path, KeptVerdict(id=id, **verdict.model_dump()))

        async with open_judge(self.line, self.settings, self.say) as judge:
            return await judge.ask_verdicts(tasks, keep)

    def cost_lines(self) -> list[str]:
        """Return lines on the cost of the verdicts."""
        return judge_cost_lines(self.given.values())


def make_comparison(name: str, question: SetQuestion[Any], answer: str, prompt: str) -> Judgeable:
    """Return what the judge of a set is asked about an answer."""
    reference = as_text(question.gold)
    by_words = compare_words(answer, reference).contained
    if prompt == "published":
        return PublishedComparison(
            set=name,
            question=question.text,
            reference=reference,
            answer=answer,
            by_words=by_words,
        )
    return KINDS[name](
        question=question.text, reference=reference, answer=answer, by_words=by_words
    )
