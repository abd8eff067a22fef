"""A node with a meter around it: its spending, its events, and errors as events."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any, Protocol, cast

from langgraph.config import get_config
from langgraph.errors import GraphInterrupt

from forager.adapters.store.sessions.session_store import PROGRESS
from forager.budget import Meter, current_meter, start_meter
from forager.domain.spend import Spend
from forager.domain.state import Question, State, Update, merge
from forager.domain.urls import forbid_addresses
from forager.errors import ForagerError
from forager.util.telemetry import span
from graphs.reports.events import Emit, EventData, describe_update, shorten
from graphs.spec.resolved_graph import KEYS_MERGED


class MeteredNode(Protocol):
    """A node as LangGraph runs it."""

    async def __call__(self, state: State) -> dict[str, object]:
        """The keys that changed."""


class SpendAccount:
    """Spending that is in no checkpoint yet; the next node to finish takes it over."""

    def __init__(self) -> None:
        self.owed = Spend()
        self._working: list[Meter] = []

    def seconds_over(self) -> float:
        """The seconds that the nodes at work are beyond their budgets; the least of several."""
        return min((each.seconds_over() for each in self._working), default=0.0)

    def settle(self, used: Spend) -> Spend:
        """What a node used and all that is owed; nothing is owed afterwards."""
        owed, self.owed = self.owed, Spend()
        return owed + used

    @contextmanager
    def owe_on_failure(self, used: Meter) -> Iterator[None]:
        """Owe what a node used that fails, waits for a person or is cancelled.

        It runs again from its top; what it used stays used.
        """
        self._working.append(used)
        with ExitStack() as unfinished:
            unfinished.callback(self._owe, used)
            try:
                yield
            finally:
                self._working.remove(used)
            unfinished.pop_all()

    def _owe(self, used: Meter) -> None:
        self.owed += used.total_spend()


def meter_node(
    name: str,
    work: Callable[[State], Awaitable[Update]],
    emit: Emit,
    account: SpendAccount,
    route: Callable[[State], str] | None = None,
) -> MeteredNode:
    """The node as LangGraph runs it. It adds the key `spend`, failed attempts included.

    With `route`, its events tell the route taken and the branch that it runs in.
    """

    async def warn(message: str) -> None:
        await emit(name, "warned", shorten(message), {})

    async def progress(message: str) -> None:
        data: EventData = {"fetched": current_meter().pages_fetched}
        branch = _branch_data(name) if route else {}
        await emit(name, PROGRESS, shorten(message), data | branch)

    async def run(state: State) -> dict[str, object]:
        branch = _branch_data(name) if route else {}
        await emit(name, "started", "", branch)
        # A Question stays what it is; LangGraph's server hands in plain JSON.
        question = Question.model_validate(state.question)
        spent = state.spend + account.owed
        with (
            start_meter(question.budget, spent, warn, progress) as used,
            forbid_addresses(question.forbidden),
        ):
            try:
                with account.owe_on_failure(used), span(f"node {name}", forager__node=name):
                    update = await work(replace(state, question=question))
            except ForagerError as error:
                failed: EventData = {"error": type(error).__name__, **_call_data(used), **branch}
                await emit(name, "failed", shorten(str(error)), failed)
                raise
            except GraphInterrupt as waits:
                for each in waits.args[0]:
                    await emit(name, "asked", shorten(each.value["what"]), each.value | branch)
                raise
        spend = account.settle(used.total_spend())
        message, data = describe_update(update)
        if route:
            data["route"] = route(_state_after(state, update, spend))
        await emit(name, "finished", message, {**data, **_call_data(used), **branch})
        return {**cast(dict[str, object], update), "spend": spend}

    return run


def _call_data(used: Meter) -> EventData:
    """The model calls, if there were any, and the keys under which prompts and replies are kept."""
    data: EventData = {"calls": [call.model_dump() for call in used.calls]} if used.calls else {}
    return data | ({"tasks": [list(task) for task in used.tasks]} if used.tasks else {})


def _branch_data(name: str) -> EventData:
    """The branch of a node inside a graph, as checkpoints name it; empty for outer nodes."""
    if "/" not in name:
        return {}
    place: str = get_config().get("configurable", {}).get("checkpoint_ns", "")
    return {"branch": place.rpartition("|")[0]}


def _state_after(state: State, update: Update, spend: Spend) -> State:
    """The state with a node's update and spending applied as LangGraph applies them."""
    values: dict[str, Any] = {
        key: merge(getattr(state, key), value) if key in KEYS_MERGED else value
        for key, value in cast(dict[str, Any], update).items()
    }
    return replace(state, **values, spend=state.spend + spend)
