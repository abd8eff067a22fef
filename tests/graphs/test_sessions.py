from forager.state import Question
from graphs.sessions import Sessions


async def test_a_question_is_asked_and_answered(
    sessions: Sessions, question: Question, log: list[str]
) -> None:
    id = await sessions.start(question, "forager", "scripted")
    assert (await sessions.show(id)).status == "interrupted"
    report = await sessions.run(id)
    assert report.status == "answered"
