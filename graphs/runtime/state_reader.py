"""Reads the state of a session from its checkpoints, unfinished work included."""

from dataclasses import fields, replace
from typing import Any

from langgraph.checkpoint.base import CheckpointTuple
from langgraph.types import Overwrite

from forager.adapters.store.checkpoints.saver import Checkpoints
from forager.budget import subtract_spend
from forager.domain.state import Question, State, Turn, merge
from graphs.runtime.branches import BranchResult, branch_result, join_branches
from graphs.spec.resolved_graph import KEYS_MERGED

STATE_KEYS = frozenset(field.name for field in fields(State))


async def read_state(
    checkpoints: Checkpoints, id: str, question: Question, past: tuple[Turn, ...] = ()
) -> State:
    """The newest state of the thread `id`, with what its last super-step wrote but did not finish.

    Without any checkpoint, a state with the question and the past turns.
    """
    last = await _last_checkpoint(checkpoints, id, "")
    if last is None:
        return State(question=question, past=past)
    before = _checkpoint_state(last, question)
    state = _with_pending_writes(before, last)
    within = await _unfinished_branches(checkpoints, id, last, state)
    branched = [*_waiting_results(last), *(branch_result(state, one) for one in within)]
    if not branched:
        return state
    spend = sum((subtract_spend(one.spend, before.spend) for one in within), state.spend)
    return _merge_values(replace(state, spend=spend), dict(join_branches(state, branched)))


async def _unfinished_branches(
    checkpoints: Checkpoints, id: str, last: CheckpointTuple, before: State
) -> list[State]:
    """The states of the branches that the last super-step began and did not finish."""
    done = {task for task, key, _ in last.pending_writes or () if key in STATE_KEYS | {"found"}}
    states: list[State] = []
    for place in await checkpoints.list_namespaces(id):
        found = await _last_checkpoint(checkpoints, id, place) if place else None
        if found is None or found.metadata.get("parents", {}).get("") != last.checkpoint["id"]:
            continue
        if place.partition("|")[0].rpartition(":")[2] not in done:
            states.append(_with_pending_writes(_checkpoint_state(found, before.question), found))
    order = {url: place for place, url in enumerate(before.draw.urls)}
    return sorted(states, key=lambda state: [order.get(url, -1) for url in state.draw.urls])


async def _last_checkpoint(checkpoints: Checkpoints, id: str, place: str) -> CheckpointTuple | None:
    return await checkpoints.aget_tuple({"configurable": {"thread_id": id, "checkpoint_ns": place}})


def _checkpoint_state(found: CheckpointTuple, question: Question) -> State:
    values = found.checkpoint["channel_values"]
    kept: dict[str, Any] = {key: values[key] for key in STATE_KEYS & values.keys()}
    return State(**{"question": question, **kept})


def _with_pending_writes(state: State, found: CheckpointTuple) -> State:
    """With what nodes of an unfinished super-step have written."""
    for _, key, value in found.pending_writes or ():
        state = _merge_values(state, {key: value})
        if key == "spend":
            state = replace(state, spend=state.spend + value)
    return state


def _merge_values(state: State, values: dict[str, Any]) -> State:
    """Merge values by id. Merging a value twice counts and keeps nothing twice."""
    kept: dict[str, Any] = {
        key: merge(getattr(state, key), values[key]) for key in KEYS_MERGED & values.keys()
    }
    return replace(state, **kept)


def _waiting_results(found: CheckpointTuple) -> list[BranchResult]:
    """The results of finished branches that are not joined yet."""
    items = list(found.checkpoint["channel_values"].get("found", ()))
    for _, key, value in found.pending_writes or ():
        if key == "found" and isinstance(value, Overwrite):
            return list(value.value)
        if key == "found":
            items += value
    return items
