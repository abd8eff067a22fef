"""A session holds turns: a follow-up goes on from what was asked and read before."""

import csv
import io
from html import unescape
from pathlib import Path

import pytest

from forager.adapters.store.sessions.session_store import SessionStore
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import QuestionError, SessionError
from graphs.reports.exports.verify import verify_export
from graphs.reports.report import Report
from graphs.sessions.service import Sessions
from graphs.spec.spec import load_graph
from tests.graphs.partial_runs import running_until
from tests.graphs.runs.test_crash import outcome, worker
from tests.graphs.runs.test_presets import asking
from tests.graphs.scripted import loosened
from tests.graphs.worker import opened
from tests.observatory import ANOTHER, PAGES, TWO_PAGES
from tests.servers import Site

FORAGER = loosened(load_graph("forager"))
FOLLOW_UP = "And what about its tickets?"


async def two_turns(folder: Path, site: Site, *, killed: int = 0) -> Report:
    """Two turns of one session; the second one's run may be killed after so many events."""
    async with opened(folder, str(site.port)) as sessions:
        await sessions.start(asking(site, TWO_PAGES), "forager", "offline", "one")
        await sessions.run("one")
        site.asked.clear()
        await sessions.follow("one", ANOTHER)
        if not killed:
            return await sessions.run("one")
        with worker(folder, "kill", str(killed), "one", world=str(site.port)) as process:
            process.wait()
        assert (await sessions.show("one")).status == "interrupted"
        return await sessions.run("one")


async def test_a_follow_up_is_answered_from_earlier_evidence(tmp_path: Path) -> None:
    with Site(PAGES) as site:
        report = await two_turns(tmp_path, site)
        async with opened(tmp_path, str(site.port)) as sessions:
            await sessions.follow("one", TWO_PAGES)
            third = await sessions.run("one")
        assert not site.paths()
    assert (third.status, third.spent.actions, len(third.turns)) == ("answered", 0, 2)
    assert report.status == "answered"
    [first] = report.turns
    assert (first.number, first.question, first.status) == (1, TWO_PAGES, "answered")
    ids = {item.id for item in report.evidence}
    assert ids.isdisjoint(item.id for item in first.citations)
    assert first.citations


async def test_a_run_killed_in_its_second_turn_resumes(tmp_path: Path) -> None:
    with Site(PAGES) as site:
        whole = await two_turns(tmp_path / "whole", site)
        again = await two_turns(tmp_path / "killed", site, killed=9)
    assert outcome(again) == outcome(whole).model_copy(update={"session": ""})


async def test_every_export_of_a_conversation_has_its_turns(tmp_path: Path) -> None:
    with Site(PAGES) as site:
        report = await two_turns(tmp_path, site)
        async with opened(tmp_path, str(site.port)) as sessions:
            forms = {
                form: await sessions.export("one", form, "all")
                for form in ("md", "html", "json", "csv")
            }
            settings = sessions.context.settings
    answer = report.turns[0].citations[0].id
    for form in ("md", "html", "json"):
        assert TWO_PAGES in forms[form].decode().replace("&#x27;", "'")
    for form, first, last, other in (
        ("md", f"## 1. {TWO_PAGES}", f"## 2. {ANOTHER}", "## Other evidence"),
        ("html", f">1. {TWO_PAGES}", f">2. {ANOTHER}", "Other evidence</h2>"),
    ):
        text = unescape(forms[form].decode())
        assert text.index(TWO_PAGES) < text.index(first) < text.index(last)
        assert (
            text.index(last)
            < text.index("Sources")
            < text.index("Run" if form == "md" else "The run")
        )
        assert text.find(other) == -1 or text.index(other) > text.index("Sources")
    assert forms["md"].decode().startswith(f"# {TWO_PAGES}")
    assert f"<title>{TWO_PAGES}</title>" in unescape(forms["html"].decode())
    rows = list(csv.DictReader(io.StringIO(forms["csv"].decode())))
    assert (rows[0]["id"], rows[0]["cited"]) == (answer, "True")
    asked = dict.fromkeys((row["turn"], row["question"]) for row in rows)
    assert list(asked) == [("1", TWO_PAGES), ("2", ANOTHER)]
    out = tmp_path / "one.json"
    out.write_bytes(forms["json"])
    checked = await verify_export(out, settings, live=False)
    assert checked.all_stand
    assert answer in {each.id for each in checked.quotes}


async def test_only_a_finished_turn_can_be_followed(sessions: Sessions, question: Question) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    with pytest.raises(SessionError, match="not answered yet"):
        await sessions.follow(id, FOLLOW_UP)
    await sessions.run(id)
    with pytest.raises(QuestionError):
        await sessions.follow(id, " ")
    with pytest.raises(SessionError, match="no session"):
        await sessions.follow("none", FOLLOW_UP)
    assert (await sessions.get(id)).turn == 1


async def test_a_turn_has_its_own_budget_or_the_first_one(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    await sessions.run(id)
    await sessions.follow(id, FOLLOW_UP, Budget(rounds=1))
    second = await sessions.run(id)
    assert (second.spent.rounds, second.question) == (1, FOLLOW_UP)
    await sessions.follow(id, "And there?")
    session = await sessions.get(id)
    assert (session.turn, session.thread) == (3, f"{id}~3")
    assert session.question.budget == question.budget
    assert [turn.question for turn in (await sessions.run(id)).turns] == [question.text, FOLLOW_UP]
    begun = [event.data for event in await sessions.events(id) if event.kind == "begun"]
    assert begun == [{}, {"turn": 2}, {"turn": 3}]


async def test_a_stopped_turn_ends_and_may_be_followed(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    await sessions.run(id)
    await sessions.follow(id, FOLLOW_UP)
    assert (await sessions.stop(id)).status == "partial"
    await sessions.follow(id, "And there?")
    assert (await sessions.get(id)).turn == 3


async def test_a_paused_turn_goes_on_where_it_was(
    sessions: Sessions, question: Question, log: list[str]
) -> None:
    for id in ("whole", "paused"):
        await sessions.start(question, FORAGER, "scripted", id)
        await sessions.run(id)
        await sessions.follow(id, FOLLOW_UP)
    whole = await sessions.run("whole")
    log.clear()
    task = await running_until(sessions, "paused", "judge")
    await sessions.pause("paused")
    left = await task
    assert (left.status, left.question, len(left.turns)) == ("paused", FOLLOW_UP, 1)
    with pytest.raises(SessionError, match="not answered yet"):
        await sessions.follow("paused", "And there?")
    assert outcome(await sessions.run("paused")) == outcome(whole)
    assert len(set(log)) == len(log)
    told = [(each.kind, each.data) for each in await sessions.events("paused") if not each.node]
    assert ("resumed", {"turn": 2}) in told


async def test_a_deleted_conversation_leaves_nothing(
    sessions: Sessions, question: Question, tmp_path: Path
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    await sessions.run(id)
    await sessions.follow(id, FOLLOW_UP)
    await sessions.run(id)
    await sessions.delete(id)
    await sessions.start(question, FORAGER, "scripted", id)
    assert (await sessions.get(id)).turn == 1
    assert (await sessions.show(id)).turns == ()
    store = SessionStore(sessions.context.settings.place("sessions"))
    assert store.list_turns(id) == ()
    store.close()
    assert all(each.turn == 1 for each in await sessions.listing.all())
