"""AssistantBench: realistic tasks on the open web (arXiv 2407.15711)."""

from pathlib import Path

from pydantic import Field

from bench.sets.records import FileForm, RawRecord, check_records, check_unique
from bench.sets.set_question import SetQuestion

FORM = FileForm(
    "AssistantBench", "task", "a JSON list of objects with task_id, confirmed_task and answer"
)


class AssistantTask(SetQuestion[str]):
    """A task with its gold text: a number, a string, or one item or object per line.

    `start` is the page where the published agents started: a search engine, not a site to ask.
    """

    start: str = ""
    instruction: str = ""


class _Row(RawRecord):
    task_id: str
    confirmed_task: str = Field(min_length=1)
    answer: str = Field(min_length=1)
    website: str = ""
    instruction: str = ""

    def to_task(self) -> AssistantTask:
        return AssistantTask(
            id=self.task_id,
            text=self.confirmed_task,
            gold=self.answer,
            start=self.website,
            instruction=self.instruction,
        )


def load_tasks(path: Path) -> tuple[AssistantTask, ...]:
    """Load the tasks of a file with answers. Raises UsageError."""
    rows = check_records(_Row, path, FORM)
    check_unique((row.task_id for row in rows), path)
    return tuple(row.to_task() for row in rows)
