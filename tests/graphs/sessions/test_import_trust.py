"""What the file of an imported session says is not trusted."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import ormsgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.budget import tighten_budget
from forager.domain.spend import MAX_OPENED, Budget
from forager.domain.state import Question
from forager.errors import UsageError
from graphs.runtime.approvals import leave_to_others
from graphs.sessions.import_trust import CHANNEL, RESUME
from graphs.sessions.service import Sessions, open_sessions
from graphs.spec.spec import GraphSpec
from tests.graphs.approval_graphs import ASKING, WITHIN, Person
from tests.graphs.conftest import ports_with
from tests.graphs.fanned_graph import FANNED
from tests.graphs.scripted_ports import alone
from tests.graphs.sessions.test_archive import FORAGER, changed

BUDGET = Budget(rounds=2, steps=2)
QUESTION = Question(text="Which emperor?", sites=("http://127.0.0.1:1/",), budget=BUDGET)
LIMITS = st.none() | st.integers(1, 10**9)
BUDGETS = st.builds(
    Budget, rounds=LIMITS, pages=LIMITS, tokens=LIMITS, seconds=st.floats(1, 1e9), usd=LIMITS
)


@pytest.fixture
async def sessions(tmp_path: Path, log: list[str]) -> AsyncIterator[Sessions]:
    async with open_sessions(alone(tmp_path), ports_with(log, []), ASKING) as opened:
        yield opened


def edited(data: bytes, name: str, edit: Callable[[dict[str, Any]], None]) -> bytes:
    """The archive after a change of one of its files, as JSON."""

    def change(body: bytes) -> bytes:
        told = json.loads(body)
        edit(told)
        return json.dumps(told).encode()

    return changed(data, name, change)


def approve_everything(told: dict[str, Any]) -> None:
    for row in told["chronicle"]["pleas"]["1"]:
        row["answer"] = True


def resume_everything(told: dict[str, Any]) -> None:
    """Have the steps say that a person answered what was asked, with a yes."""
    rows = told["steps"]["1"]["writes"]
    asking = [row for row in rows if row[CHANNEL] == "__interrupt__"]
    assert asking
    yes = base64.b64encode(ormsgpack.packb([{"yes": True, "plea": {}}])).decode()
    for row in asking:
        rows.append([*row[: CHANNEL - 1], -4, RESUME, "msgpack", f"b64:{yes}"])


async def wait_for_approval(sessions: Sessions, id: str) -> None:
    async for event in sessions.watch(id):
        if event.kind == "asked":
            break
    while not await sessions.approval_requests(id):
        await asyncio.sleep(0)


@pytest.mark.parametrize("spec", [FORAGER, WITHIN, FANNED], ids=lambda spec: spec.name)
async def test_an_approval_in_the_file_approves_nothing(
    sessions: Sessions, spec: GraphSpec
) -> None:
    id = await sessions.start(QUESTION, spec, "scripted")
    run = asyncio.create_task(sessions.run(id, decide=leave_to_others))
    await wait_for_approval(sessions, id)
    data = edited(await sessions.export(id, "zip"), "session.json", approve_everything)
    data = edited(data, "steps.json", resume_everything)
    await sessions.pause(id)
    await run
    again = await sessions.archive.import_zip(data)
    assert not (await sessions.show(again)).pleas
    person = Person(says=False)
    await sessions.run(again, decide=person)
    assert person.asked
    decided = [each for each in await sessions.events(again) if each.kind == "decided"]
    assert len(decided) == len(person.asked)
    assert "without its model scripted, its approval" in " ".join(
        each.message for each in await sessions.events(again) if each.kind == "imported"
    )


async def test_a_larger_budget_in_the_file_is_cut_to_the_default(sessions: Sessions) -> None:
    id = await sessions.start(QUESTION, FORAGER, "offline")

    def enlarge(told: dict[str, Any]) -> None:
        told["session"]["question"]["budget"] |= {"seconds": 1e8, "pages": 10**6, "tokens": 50}

    data = edited(await sessions.export(id, "zip"), "session.json", enlarge)
    again = await sessions.archive.import_zip(data)
    budget = (await sessions.get(again)).question.budget
    assert (budget.seconds, budget.pages, budget.tokens) == (600, None, 50)
    assert (await sessions.get(again)).question.budget.rounds == BUDGET.rounds


async def test_a_session_that_is_trusted_keeps_its_model_and_budget(sessions: Sessions) -> None:
    id = await sessions.start(QUESTION, FORAGER, "scripted")
    await sessions.run(id)

    def enlarge(told: dict[str, Any]) -> None:
        told["session"]["question"]["budget"] |= {"pages": 10**6}

    data = edited(await sessions.export(id, "zip"), "session.json", enlarge)
    again = await sessions.get(await sessions.archive.import_zip(data, trusted=True))
    assert (again.model, again.question.budget.pages) == ("scripted", 10**6)
    assert not [each for each in await sessions.events(again.id) if each.kind == "imported"]


async def test_a_negative_spend_in_the_file_is_refused(sessions: Sessions) -> None:
    id = await sessions.start(QUESTION, FORAGER, "offline")
    await sessions.run(id)

    def earn(told: dict[str, Any]) -> None:
        told["chronicle"]["paid"] = {"1": {"usd": -5.0}}

    data = edited(await sessions.export(id, "zip"), "session.json", earn)
    with pytest.raises(UsageError, match="less than nothing"):
        await sessions.archive.import_zip(data)


@given(BUDGETS)
def test_a_tightened_budget_allows_no_more_than_its_bound(budget: Budget) -> None:
    tight = tighten_budget(budget, Budget())
    assert tight.seconds == min(budget.seconds, Budget().seconds)
    assert tight.opened <= min(budget.opened, MAX_OPENED)
    assert (tight.tokens, tight.usd, tight.rounds) == (budget.tokens, budget.usd, budget.rounds)
    assert tighten_budget(tight, Budget()) == tight
