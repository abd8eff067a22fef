"""The events of a long run stay small."""

from forager.domain.spend import Budget
from forager.domain.state import Question
from graphs.sessions.service import Sessions
from graphs.spec.spec import load_graph
from tests.graphs.scripted import loosened

MOST_BYTES = 1_000_000


async def test_ten_rounds_of_ten_steps_stay_under_a_megabyte(
    sessions: Sessions, question: Question
) -> None:
    long = question.model_copy(update={"budget": Budget(rounds=10, steps=10)})
    id = await sessions.start(long, loosened(load_graph("forager")), "scripted")
    report = await sessions.run(id)
    assert len(report.visited) == 100
    events = await sessions.events(id)
    assert sum(len(event.model_dump_json()) for event in events) < MOST_BYTES
    assert len(await sessions.figures.draws(id)) == 10
