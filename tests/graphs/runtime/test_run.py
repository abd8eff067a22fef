from pathlib import Path

import pytest

from forager.adapters.store.sessions.session_store import Session, SessionStore
from forager.domain.state import Question
from forager.errors import ModelError
from forager.ports import Reply, Task
from graphs.runtime.run import JournaledModel
from tests.graphs.scripted_nodes import Look
from tests.graphs.scripted_ports import NoEmbedder


class Counting:
    """Answers by the task's rule, and fails as often as it is told to."""

    name = "counting"

    def __init__(self, failures: int = 0) -> None:
        self.failures = failures
        self.asked = 0

    async def ask(self, task: Task[Reply]) -> Reply:
        self.asked += 1
        if self.asked <= self.failures:
            raise ModelError("The model is away.", "Try again.")
        return task.offline(NoEmbedder())


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    store = SessionStore(tmp_path / "sessions.sqlite")
    for id in ("one", "two"):
        question = Question(text="?", sites=("s",))
        session = Session(
            id=id, question=question, graph="", graph_hash="", graph_body="", model="counting"
        )
        store.create(session)
    return store


async def test_a_session_asks_each_task_once(store: SessionStore) -> None:
    model = Counting()
    first = await JournaledModel(model, store, "one").ask(Look(page="a"))
    again = await JournaledModel(model, store, "one").ask(Look(page="a"))
    assert again == first
    assert model.asked == 1
    await JournaledModel(model, store, "one").ask(Look(page="b"))
    await JournaledModel(model, store, "two").ask(Look(page="a"))
    assert model.asked == 3


async def test_a_failed_call_is_not_stored(store: SessionStore) -> None:
    journal = JournaledModel(Counting(failures=1), store, "one")
    with pytest.raises(ModelError):
        await journal.ask(Look(page="a"))
    assert (await journal.ask(Look(page="a"))).text.startswith("What a says.")
