"""What a node used is counted once: in its checkpoint, tried again, or killed on the way."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from langgraph.errors import GraphInterrupt
from langgraph.types import Interrupt

from forager.adapters.store.sessions.session_store import SessionStore
from forager.budget import ModelCall, current_meter
from forager.domain.spend import Spend
from forager.domain.state import Question, State, Update
from forager.errors import ConnectError
from forager.ports import Reply, Task
from graphs.reports.events import EventData, emit_nothing
from graphs.runtime.metering import SpendAccount, meter_node
from graphs.runtime.run import JournaledModel
from tests.forager.adapters.store.sessions.test_session_store import session
from tests.graphs.scripted_nodes import Look
from tests.graphs.scripted_ports import NoEmbedder

STATE = State(question=Question(text="?", sites=("s",)))


class Dear:
    """Takes 10 tokens and a dollar a call."""

    name = "dear"

    async def ask(self, task: Task[Reply]) -> Reply:
        current_meter().model_calls += 1
        call = ModelCall(role=task.ROLE, model=self.name, began=0, seconds=0, tokens_in=10, usd=1.0)
        current_meter().calls.append(call)
        return task.offline(NoEmbedder())


class Node:
    """Asks two things, and fails so often in between."""

    def __init__(self, model: JournaledModel, failures: int) -> None:
        self.model = model
        self.failures = failures

    async def __call__(self, state: State) -> Update:
        await self.model.ask(Look(page="a"))
        if self.failures:
            self.failures -= 1
            raise ConnectError("The site does not answer.")
        await self.model.ask(Look(page="b"))
        return {}


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    store = SessionStore(tmp_path / "sessions.sqlite")
    store.create(session("one"))
    return store


def money(spend: object) -> tuple[int, int, float]:
    assert isinstance(spend, Spend)
    return spend.model_calls, spend.tokens_in, spend.usd


async def test_a_retried_node_pays_once(store: SessionStore) -> None:
    account = SpendAccount()
    run = meter_node(
        "look", Node(JournaledModel(Dear(), store, "one"), failures=2), emit_nothing, account
    )
    for _ in range(2):
        with pytest.raises(ConnectError):
            await run(STATE)
    assert money(account.owed) == (1, 10, 1.0)
    assert money((await run(STATE))["spend"]) == (2, 20, 2.0)
    assert account.owed == Spend()
    assert money(store.paid_spend("one")) == (2, 20, 2.0)


async def test_unbooked_spending_is_taken_over_by_the_next_node(store: SessionStore) -> None:
    account = SpendAccount()
    model = JournaledModel(Dear(), store, "one")
    failing = meter_node("walk", Node(model, failures=1), emit_nothing, account)
    with pytest.raises(ConnectError):
        await failing(STATE)
    assert (
        money((await meter_node("next", Node(model, 0), emit_nothing, account)(STATE))["spend"])[0]
        == 2
    )


async def test_model_costs_of_a_failed_node_are_kept(
    store: SessionStore,
) -> None:
    run = meter_node(
        "look", Node(JournaledModel(Dear(), store, "one"), failures=1), emit_nothing, SpendAccount()
    )
    with pytest.raises(ConnectError):
        await run(STATE)
    again = meter_node(
        "look", Node(JournaledModel(Dear(), store, "one"), 0), emit_nothing, SpendAccount()
    )
    assert money((await again(STATE))["spend"]) == (1, 10, 1.0)
    assert money(store.paid_spend("one")) == (2, 20, 2.0)


async def test_a_reply_is_kept_although_the_node_is_cancelled(
    store: SessionStore, tmp_path: Path
) -> None:
    """As when a call beside it fails: what was paid for is not asked again."""
    replied = asyncio.Event()

    class Replying(Dear):
        async def ask(self, task: Task[Reply]) -> Reply:
            replied.set()
            return await super().ask(task)

    model = JournaledModel(Replying(), store, "one")
    with closing(sqlite3.connect(tmp_path / "sessions.sqlite", isolation_level=None)) as other:
        asked = asyncio.create_task(
            meter_node("look", Node(model, failures=0), emit_nothing, SpendAccount())(STATE)
        )
        other.execute("BEGIN EXCLUSIVE")
        await replied.wait()
        asked.cancel()
        other.execute("ROLLBACK")
        with pytest.raises(asyncio.CancelledError):
            await asked
    again = meter_node("look", Node(model, failures=0), emit_nothing, SpendAccount())
    await again(STATE)
    assert money(store.paid_spend("one")) == (2, 20, 2.0)


async def test_spending_before_an_interrupt_counts_once(store: SessionStore) -> None:
    model = JournaledModel(Dear(), store, "one")
    told: list[tuple[str, str]] = []

    async def work(state: State) -> Update:
        await model.ask(Look(page="a"))
        if not told[1:]:
            raise GraphInterrupt([Interrupt(value={"what": "click Save"}, id="1")])
        return {}

    async def emit(node: str, kind: str, message: str, data: EventData) -> None:
        told.append((kind, message))

    account = SpendAccount()
    run = meter_node("act", work, emit, account)
    with pytest.raises(GraphInterrupt):
        await run(STATE)
    assert told[1:] == [("asked", "click Save")]
    assert money(account.owed) == (1, 10, 1.0)
    assert money((await run(STATE))["spend"]) == (1, 10, 1.0)
