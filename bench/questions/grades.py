"""Which answers a judge is asked about, and where its verdicts stay, so that none is paid twice."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.questions.judge import Comparison, FindAnswer, GradeAnswer, Judge, Say, open_judge
from bench.scorers.fanoutqa_metrics import as_text
from bench.scorers.word_overlap import overlap
from bench.sets.answer_file import Given
from bench.sets.set_question import Asked
from forager.settings import Settings
from graphs.experiments import result_rows
from graphs.experiments.question_set import Record
from graphs.experiments.result_rows import Row, RowKey
from graphs.experiments.scoring import MARK
from graphs.experiments.verdicts import Verdict, judge_cost_lines, task_digest

ABSTAINED = "abstained"
VERDICTS = ".verdicts.jsonl"
KINDS: Mapping[str, type[Comparison[Any]]] = {"frames": FindAnswer, "webwalkerqa": GradeAnswer}
"""What a judge is asked about the answers to a public set."""


async def grade(
    found: Sequence[Row], records: Mapping[str, Record], judge: Judge, out: Path
) -> list[Row]:
    """The rows with the judge's verdicts, which are added to the rows' file as they come.

    Where there is nothing to judge, none is asked. Raises ModelError and StoreError.
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
            reference=_reference(record.answer),
            answer=text,
            by_words=row.whole,
        )
        if not (row.verdict and row.verdict.is_of(judge.line, task_digest(task))):
            tasks[row.key] = task

    def keep(key: RowKey, verdict: Verdict) -> None:
        result_rows.append_line(out, graded[key].model_copy(update={"verdict": verdict}))

    settled |= await judge.verdicts(tasks, keep)
    return [row.model_copy(update={"verdict": settled.get(row.key, row.verdict)}) for row in found]


def _reference(answer: Sequence[str]) -> str:
    """The gold strings, all of which are to be said, with their alternatives."""
    lines = [" or ".join(gold.split("|")) for gold in answer]
    return lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)


class Kept(Verdict):
    """A verdict on the answer to the question of this id."""

    id: str


@dataclass
class Grading:
    """Fills in the verdicts that a file of answers lacks; they are kept beside the file."""

    line: str
    settings: Settings
    say: Say
    answers: Path
    given: dict[str, Verdict] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """Where the verdicts are kept."""
        return self.answers.with_suffix(VERDICTS)

    def fill(
        self, name: str, questions: Sequence[Asked[str]], said: Mapping[str, Given]
    ) -> dict[str, Given]:
        """The answers, each with a verdict. Raises UsageError, ModelError and StoreError."""
        tasks = {
            question.id: _comparison(name, question, text)
            for question in questions
            if question.id in said and said[question.id].verdict is None
            if (text := as_text(said[question.id].answer))
        }
        kept = {
            (one.id, one.judge, one.asked): one for one in result_rows.read_lines(self.path, Kept)
        }
        places = {id: (id, self.line, task_digest(task)) for id, task in tasks.items()}
        self.given = {id: kept[place] for id, place in places.items() if place in kept}
        new = {id: task for id, task in tasks.items() if id not in self.given}
        if new:
            self.given |= asyncio.run(self._asked(new))
        return {
            id: one
            if one.verdict is not None
            else one.model_copy(update={"verdict": id in self.given and self.given[id].correct})
            for id, one in said.items()
        }

    async def _asked(self, tasks: Mapping[str, Comparison[Any]]) -> dict[str, Verdict]:
        def keep(id: str, verdict: Verdict) -> None:
            result_rows.append_line(self.path, Kept(id=id, **verdict.model_dump()))

        async with open_judge(self.line, self.settings, self.say) as judge:
            return await judge.verdicts(tasks, keep)

    def told(self) -> list[str]:
        """What the verdicts cost."""
        return judge_cost_lines(self.given.values())


def _comparison(name: str, question: Asked[str], answer: str) -> Comparison[Any]:
    return KINDS[name](
        question=question.text,
        reference=question.gold,
        answer=answer,
        by_words=overlap(answer, question.gold).contained,
    )
