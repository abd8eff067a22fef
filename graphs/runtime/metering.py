"""A node with a meter around it: what it used, how long it took, and what it had to tell."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Protocol, cast

from langgraph.config import get_config
from langgraph.errors import GraphInterrupt

from forager.adapters.store.sessions.session_store import PROGRESS
from forager.budget import Meter, meter
from forager.domain.spend import Spend
from forager.domain.state import Question, State, Update, merge
from forager.domain.url_rules import forbidding
from forager.errors import ForagerError
from graphs.reports.events import Emit, EventData, describe_update, shorten
from graphs.spec.resolved_graph import KEYS_MERGED


class MeteredNode(Protocol):
    """A node as LangGraph runs it."""

    async def __call__(self, state: State) -> dict[str, object]:
        """The keys that changed."""


class SpendAccount:
    """What was used and stands in no checkpoint yet: the next node to finish takes it over."""

    def __init__(self) -> None:
        self.owed = Spend()

    def settle(self, used: Spend) -> Spend:
        """What a node used, and all that is owed."""
        owed, self.owed = self.owed, Spend()
        return owed + used


def meter_node(
    name: str,
    work: Callable[[State], Awaitable[Update]],
    emit: Emit,
    account: SpendAccount,
    route: Callable[[State], str] | None = None,
) -> MeteredNode:
    """The node as LangGraph runs it: it adds the `spend` key, failed attempts included.

    With its `route`, the one that it takes is told, and in which branch it runs.
    """

    async def warn(message: str) -> None:
        await emit(name, "warned", shorten(message), {})

    async def say(message: str) -> None:
        await emit(name, PROGRESS, shorten(message), {})

    async def run(state: State) -> dict[str, object]:
        place = _branch_data(name) if route else {}
        await emit(name, "started", "", place)
        # A Question stays what it is; LangGraph's server hands in plain JSON.
        question = Question.model_validate(state.question)
        spent = state.spend + account.owed
        with meter(question.budget, spent, warn, say) as used, forbidding(question.forbidden):
            try:
                update = await work(replace(state, question=question))
            except ForagerError as error:
                account.owed += used.spend()
                failed: EventData = {"error": type(error).__name__, **_call_data(used), **place}
                await emit(name, "failed", shorten(str(error)), failed)
                raise
            except GraphInterrupt as waits:
                # It runs again from its top once it is answered; what it has used stays used.
                account.owed += used.spend()
                for each in waits.args[0]:
                    await emit(name, "asked", shorten(each.value["what"]), each.value | place)
                raise
        spend = account.settle(used.spend())
        message, data = describe_update(update)
        if route:
            data["route"] = route(_state_after(state, update))
        await emit(name, "finished", message, {**data, **_call_data(used), **place})
        return {**cast(dict[str, object], update), "spend": spend}

    return run


def _call_data(used: Meter) -> EventData:
    """The calls of models, where there were any, and the keys of what is kept of them."""
    told: EventData = {"calls": [call.model_dump() for call in used.calls]} if used.calls else {}
    return told | ({"tasks": [list(task) for task in used.tasks]} if used.tasks else {})


def _branch_data(name: str) -> EventData:
    """Of a node inside a graph, the branch that it runs in, as checkpoints call it."""
    if "/" not in name:
        return {}
    place: str = get_config().get("configurable", {}).get("checkpoint_ns", "")
    return {"branch": place.rpartition("|")[0]}


def _state_after(state: State, update: Update) -> State:
    """The state with what a node returned, as LangGraph lays it down."""
    laid: dict[str, Any] = {
        key: merge(getattr(state, key), value) if key in KEYS_MERGED else value
        for key, value in cast(dict[str, Any], update).items()
    }
    return replace(state, **laid)
