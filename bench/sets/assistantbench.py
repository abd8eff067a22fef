"""AssistantBench: errands on the open web (arXiv 2407.15711)."""

from pathlib import Path

from pydantic import Field

from bench.sets.records import Form, Raw, checked_list, unique
from bench.sets.set_question import Asked

FORM = Form(
    "AssistantBench", "task", "a JSON list of objects with task_id, confirmed_task and answer"
)


class AssistantTask(Asked[str]):
    """A task with its gold as the file has it: a number, a string, or one item or object a line.

    `start` is the page that the published agents began at, a search engine, and no site to ask.
    """

    start: str = ""
    instruction: str = ""


class _Row(Raw):
    task_id: str
    confirmed_task: str = Field(min_length=1)
    answer: str = Field(min_length=1)
    website: str = ""
    instruction: str = ""

    def task(self) -> AssistantTask:
        return AssistantTask(
            id=self.task_id,
            text=self.confirmed_task,
            gold=self.answer,
            start=self.website,
            instruction=self.instruction,
        )


def load(path: Path) -> tuple[AssistantTask, ...]:
    """The tasks of a file that has answers. Raises UsageError."""
    rows = checked_list(_Row, path, FORM)
    unique((row.task_id for row in rows), path)
    return tuple(row.task() for row in rows)
