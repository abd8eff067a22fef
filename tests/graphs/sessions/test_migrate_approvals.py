"""A session that waits for a person's answer goes on in another graph: it asks again there."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from forager.settings import Settings
from graphs.sessions.service import ForkChange, Sessions, open_sessions
from graphs.spec.spec import GraphSpec
from tests.graphs.approval_graphs import ASKING, WITHIN, Person
from tests.graphs.changed_graphs import inside, renamed
from tests.graphs.conftest import ports_with
from tests.graphs.fanned_graph import FANNED
from tests.graphs.runtime.test_approvals import FLAT, waiting


@pytest.fixture
async def sessions(tmp_path: Path, log: list[str]) -> AsyncIterator[Sessions]:
    settings = Settings(data=tmp_path, allow_private=("127.0.0.1",))
    async with open_sessions(settings, ports_with(log, []), ASKING) as opened:
        yield opened


def _within(spec: GraphSpec, node: str) -> GraphSpec:
    return inside(spec, node, lambda walk: renamed(walk, "act", "perform"))


@pytest.mark.parametrize(
    ("old", "new", "mapping"),
    [
        (FLAT, renamed(FLAT, "act", "perform"), {"act": "perform"}),
        (FLAT, renamed(FLAT, "judge", "verify"), {}),
        (WITHIN, _within(WITHIN, "walk"), {"walk/act": "walk/perform"}),
        (WITHIN, renamed(WITHIN, "walk", "roam"), {"walk/act": "roam/act"}),
        (WITHIN, WITHIN, {"walk/act": "walk"}),
        (FANNED, _within(FANNED, "expedition"), {"expedition/act": "expedition/perform"}),
        (FANNED, renamed(FANNED, "expedition", "trip"), {"expedition/act": "trip/act"}),
    ],
    ids=["renamed", "kept", "inside", "around", "anew", "fanned", "fanned around"],
)
async def test_a_moved_session_asks_again_and_ends(
    sessions: Sessions, old: GraphSpec, new: GraphSpec, mapping: dict[str, str]
) -> None:
    id, task = await waiting(sessions, old)
    await sessions.pause(id)
    await task
    move = await sessions.forks.plan_move(id, new)
    every = {each.node: mapping.get(each.node, each.to) for each in move.pending}
    if "trip/act" in mapping.values():
        every = {node: node.replace("expedition", "trip") for node in every}
    assert mapping.items() <= every.items()
    fork = await sessions.forks.fork(
        id, change=ForkChange(graph=new, mapping=every if mapping else {})
    )
    person = Person()
    report = await sessions.run(fork, decide=person)
    assert report.status == "answered"
    assert person.asked[0].what.startswith("open http://127.0.0.1:1/")
    assert (
        len({request.what for request in person.asked}) == len(person.asked) == len(report.visited)
    )
