"""A session survives kill -9, a second process, and a full disk."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import closing
from itertools import chain
from pathlib import Path

import pytest

from forager.adapters.store.row_faults import find_row_faults
from forager.adapters.store.sessions.session_store import SessionStore
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import SessionError
from forager.settings import Settings
from graphs.reports.report import Report, ReportedSpend
from graphs.sessions.service import Sessions, open_sessions
from graphs.spec.spec import GraphSpec, load_graph
from tests.graphs.fanned_graph import FANNED
from tests.graphs.scripted import REGISTRY, loosened
from tests.graphs.scripted_ports import alone
from tests.graphs.worker import FORKED_STEP, logged, main
from tests.programs import Program

QUESTION = Question(
    text="Which emperor?", sites=("http://127.0.0.1:1/",), budget=Budget(rounds=2, steps=2)
)
MOMENTS = (1, 2, 3, 8, 13, 14, 27)


@pytest.fixture
async def sessions(tmp_path: Path) -> AsyncIterator[Sessions]:
    async with open_sessions(alone(tmp_path), logged, REGISTRY) as opened:
        yield opened


def worker(folder: Path, *arguments: str, world: str = "scripted") -> Program:
    return Program(main, str(folder), world, *arguments, FORAGER_MEMORY="false")


def asked_twice(folder: Path) -> list[str]:
    """What one session asked of the web or the model more than once."""
    logs = [Counter(path.read_text().splitlines()) for path in folder.glob("*.asked")]
    return [line for log in logs for line, times in log.items() if times > 1]


def outcome(report: Report) -> Report:
    """The report without what differs from run to run: its name, what it took, the hour."""
    evidence = tuple(item.model_copy(update={"fetched": None}) for item in report.evidence)
    return report.model_copy(update={"session": "", "spent": ReportedSpend(), "evidence": evidence})


async def undisturbed(folder: Path, spec: GraphSpec) -> Report:
    async with open_sessions(alone(folder), logged, REGISTRY) as sessions:
        return await sessions.run(await sessions.start(QUESTION, spec, "scripted"))


@pytest.mark.parametrize(
    "spec", [loosened(load_graph("forager")), FANNED], ids=lambda spec: spec.name
)
async def test_killed_anywhere_a_session_ends_as_if_undisturbed(
    sessions: Sessions, tmp_path: Path, spec: GraphSpec
) -> None:
    """Odd moments are after a checkpoint, even ones after a node's work and before its own."""
    moments = {str(n): await sessions.start(QUESTION, spec, "scripted") for n in MOMENTS}
    with worker(tmp_path, "kill", *chain(*moments.items())) as process:
        assert process.wait() == 0
    expected = outcome(await undisturbed(tmp_path / "other", spec))
    with closing(SessionStore(tmp_path / "sessions.sqlite")) as store:
        for id in moments.values():
            assert (await sessions.show(id)).status == "interrupted"
            report = await sessions.run(id)
            assert outcome(report) == expected
            assert report.spent.model_calls == store.paid_spend(id).model_calls
    assert expected.status == "answered"
    assert len(list(tmp_path.glob("*.asked"))) == len(MOMENTS)
    # A kill of one branch may meet another whose question to the model is still on its way.
    lost = "ask " if spec is FANNED else "nothing"
    assert [line for line in asked_twice(tmp_path) if not line.startswith(lost)] == []


async def test_a_session_runs_once_at_a_time(sessions: Sessions, tmp_path: Path) -> None:
    id = await sessions.start(QUESTION, loosened(load_graph("forager")), "scripted")
    with worker(tmp_path, "hold", "9", id) as process:
        assert process.stdout.readline() == "running\n"
        assert (await sessions.show(id)).status == "running"
        with pytest.raises(SessionError, match="is running in another process"):
            await sessions.run(id)
        with pytest.raises(SessionError, match="is running in another process"):
            await sessions.delete(id)
        process.kill()
        process.wait()
        assert (await sessions.run(id)).status == "answered"
    assert asked_twice(tmp_path) == []


async def test_a_full_disk_is_told_and_nothing_found_is_lost(
    sessions: Sessions, tmp_path: Path
) -> None:
    id = await sessions.start(QUESTION, loosened(load_graph("forager")), "scripted")
    with worker(tmp_path, "limit", "700000", id) as process:
        told, _ = process.communicate()
    assert "The disk is full" in told
    assert "Free some space" in told
    assert "Traceback" not in told
    report = await sessions.show(id)
    assert report.status in {"failed", "interrupted"}
    assert report.evidence
    assert (await sessions.run(id)).status == "answered"
    assert asked_twice(tmp_path) == []


async def fork(sessions: Sessions, id: str, new: str | None = None) -> str:
    """A fork of the step that the worker forks."""
    return await sessions.forks.fork(id, FORKED_STEP, new=new)


async def test_a_fork_that_is_killed_is_whole_or_not_there(
    sessions: Sessions, tmp_path: Path
) -> None:
    id = await sessions.start(QUESTION, loosened(load_graph("forager")), "scripted")
    await sessions.run(id)
    told = [event.message for event in await sessions.events(await fork(sessions, id))]
    moments = ("1", "30", "60", "75", "90", "105", "200")
    with worker(tmp_path, "fork", *chain(*((moment, id) for moment in moments))) as process:
        assert process.wait() == 0
    made = [each.id for each in await sessions.listing.all() if each.id.startswith("fork-")]
    for moment in moments:
        new = f"fork-{moment}"
        if new not in made:
            await fork(sessions, id, new)
        assert [event.message for event in await sessions.events(new)] == told
    assert "fork-200" in made
    assert len(made) < len(moments)
    assert find_row_faults(Settings(data=tmp_path)) == ()
