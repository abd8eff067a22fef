"""What a session knows so far, read from its checkpoints."""

from dataclasses import fields, replace
from typing import Any

from langgraph.checkpoint.base import CheckpointTuple
from langgraph.types import Overwrite

from forager.adapters.store.checkpoints.saver import Checkpoints
from forager.budget import minus
from forager.domain.state import Question, State, Turn, merge
from graphs.runtime.branches import Found, difference, join
from graphs.spec.resolved_graph import KEYS_MERGED

KEYS = frozenset(field.name for field in fields(State))


async def known(
    checkpoints: Checkpoints, id: str, question: Question, past: tuple[Turn, ...] = ()
) -> State:
    """The last state of a thread, with what was found when its run broke off and is not in it."""
    last = await _at(checkpoints, id, "")
    if last is None:
        return State(question=question, past=past)
    before = _state(last, question)
    state = _taken_over(before, last)
    within = await _within(checkpoints, id, last, state)
    branched = [*_waiting(last), *(difference(state, one) for one in within)]
    spend = sum((minus(one.spend, before.spend) for one in within), state.spend)
    return _merged(replace(state, spend=spend), dict(join(state, branched)))


async def _within(
    checkpoints: Checkpoints, id: str, last: CheckpointTuple, before: State
) -> list[State]:
    """The states of the branches that the last super-step began and did not finish."""
    done = {task for task, key, _ in last.pending_writes or () if key in KEYS | {"found"}}
    states: list[State] = []
    for place in await checkpoints.namespaces(id):
        found = await _at(checkpoints, id, place) if place else None
        if found is None or found.metadata.get("parents", {}).get("") != last.checkpoint["id"]:
            continue
        if place.partition("|")[0].rpartition(":")[2] not in done:
            states.append(_taken_over(_state(found, before.question), found))
    order = {url: place for place, url in enumerate(before.draw.urls)}
    return sorted(states, key=lambda state: [order.get(url, -1) for url in state.draw.urls])


async def _at(checkpoints: Checkpoints, id: str, place: str) -> CheckpointTuple | None:
    return await checkpoints.aget_tuple({"configurable": {"thread_id": id, "checkpoint_ns": place}})


def _state(found: CheckpointTuple, question: Question) -> State:
    values = found.checkpoint["channel_values"]
    kept: dict[str, Any] = {key: values[key] for key in KEYS & values.keys()}
    return State(**{"question": question, **kept})


def _taken_over(state: State, found: CheckpointTuple) -> State:
    """With what nodes of an unfinished super-step have written."""
    for _, key, value in found.pending_writes or ():
        state = _merged(state, {key: value})
        if key == "spend":
            state = replace(state, spend=state.spend + value)
    return state


def _merged(state: State, values: dict[str, Any]) -> State:
    """Merging by id may be done twice with one value: nothing is counted or kept twice."""
    kept: dict[str, Any] = {
        key: merge(getattr(state, key), values[key]) for key in KEYS_MERGED & values.keys()
    }
    return replace(state, **kept)


def _waiting(found: CheckpointTuple) -> list[Found]:
    """What finished branches have brought back, and the join has not taken over."""
    items = list(found.checkpoint["channel_values"].get("found", ()))
    for _, key, value in found.pending_writes or ():
        if key == "found" and isinstance(value, Overwrite):
            return list(value.value)
        if key == "found":
            items += value
    return items
