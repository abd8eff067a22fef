"""What is true of the tasks of all roles."""

import json

import pytest

from forager.domain.documents import Document
from forager.ports import Task
from tests.hostile.tasks import tasks

ALL = [type(task) for task in tasks(Document(url="http://host/"))]


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_a_task_is_written_the_same_in_every_process(kind: type[Task]) -> None:  # type: ignore[type-arg]
    """Sets are not: a run that goes on elsewhere would not find what it had asked."""
    assert "uniqueItems" not in json.dumps(kind.model_json_schema())
