"""What sessions are called, and finding them by their words."""

import pytest

from forager.domain.state import Question
from forager.errors import SessionError, UsageError
from graphs.sessions.service import ForkChange, Sessions
from graphs.spec.spec import load_graph
from tests.graphs.scripted import loosened

FORAGER = loosened(load_graph("forager"))


async def test_a_title_replaces_the_question_in_lists(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    changed = (await sessions.get(id)).changed
    await sessions.listing.rename(id, "  The\nemperors ")
    ((line, status),) = await sessions.listing.search()
    assert (line.title, line.name, status) == ("The emperors", "The emperors", "interrupted")
    assert (await sessions.get(id)).changed == changed
    await sessions.listing.rename(id, "")
    assert (await sessions.listing.search())[0].line.name == "Which emperor?"
    with pytest.raises(UsageError, match="at most 200"):
        await sessions.listing.rename(id, "x" * 201)
    with pytest.raises(SessionError, match="no session"):
        await sessions.listing.rename("other", "x")


async def test_a_list_shows_answer_pages_and_spending(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    report = await sessions.run(id)
    ((line, _),) = await sessions.listing.search()
    assert (line.answer, line.pages) == (report.answer, len(report.visited))
    assert (line.spend.actions, line.spend.model_calls) == (6, 6)
    assert line.sites == question.sites
    await sessions.follow(id, "And his wife?")
    ((line, _),) = await sessions.listing.search()
    assert (line.turn, line.question, line.answer) == (2, "And his wife?", "")
    assert line.name == "Which emperor?"
    assert len(await sessions.listing.search("emperor wife")) == 1
    await sessions.run(id)
    (step, *_) = await sessions.history.checkpoints(id)
    await sessions.forks.fork(id, step.number, ForkChange())
    assert [each.line.name for each in await sessions.listing.search()] == ["Which emperor?"] * 2


async def test_tags_are_found_and_kept_in_an_archive(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    await sessions.listing.tag(id, ["Rome, to  read", "rome", ""])
    ((line, _),) = await sessions.listing.search("read ROME")
    assert line.tags == ("rome", "to read")
    again = await sessions.archive.import_zip(await sessions.archive.export_zip(id))
    assert (await sessions.get(again)).tags == line.tags
    await sessions.listing.tag(id, [])
    assert (await sessions.get(id)).tags == ()
    with pytest.raises(UsageError, match="at most 40"):
        await sessions.listing.tag(id, ["x" * 41])
    with pytest.raises(UsageError, match="at most 20"):
        await sessions.listing.tag(id, [str(number) for number in range(21)])


async def test_tags_are_added_removed_and_listed_by(sessions: Sessions, question: Question) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    other = await sessions.start(question, FORAGER, "scripted")
    await sessions.listing.change_tags(other, ["Rome"])
    assert await sessions.listing.change_tags(id, ["rome, to read", "Rome"]) == ("Rome", "to read")
    found = await sessions.listing.search(tags=["TO READ", "rome"])
    assert [each.line.id for each in found] == [id]
    assert await sessions.listing.change_tags(id, remove=["rome"]) == ("to read",)
    with pytest.raises(UsageError, match="no tag “rome”"):
        await sessions.listing.change_tags(id, remove=["rome"])


async def test_sessions_are_found_by_their_words(sessions: Sessions, question: Question) -> None:
    one = await sessions.start(question, FORAGER, "scripted")
    two = await sessions.start(
        question.model_copy(update={"text": "Wer war KÖNIG?"}), FORAGER, "scripted"
    )
    await sessions.run(one)
    assert [each.line.id for each in await sessions.listing.search()] == [two, one]
    for text, statuses, wanted in (
        ("könig", (), [two]),
        ("EMPEROR said", (), [one]),
        ("budget", (), []),
        ("", ("answered",), [one]),
        ("", ("interrupted", "failed"), [two]),
        ("emperor", ("interrupted",), []),
    ):
        found = await sessions.listing.search(text, statuses)
        assert [each.line.id for each in found] == wanted, text
    await sessions.listing.rename(two, "Königsfrage 50%")
    assert [each.line.id for each in await sessions.listing.search("50%")] == [two]
