"""What a session knows so far, read from its checkpoints."""

from dataclasses import fields, replace
from typing import Any

from forager.state import Question, State, merge
from forager.store.checkpoints import Checkpoints
from graphs.view import KEYS_MERGED

KEYS = frozenset(field.name for field in fields(State))


async def known(checkpoints: Checkpoints, id: str, question: Question) -> State:
    """The last state, with what unfinished branches and nodes had found when the run broke off."""
    state = State(question=question)
    for place in await checkpoints.namespaces(id):
        found = await checkpoints.aget_tuple(
            {"configurable": {"thread_id": id, "checkpoint_ns": place}}
        )
        if found is None:
            continue
        values = found.checkpoint["channel_values"]
        if not place:
            state = State(**{"question": question, **{k: values[k] for k in KEYS & values.keys()}})
        state = _merged(state, values)
        for _, key, value in found.pending_writes or ():
            state = _merged(state, {key: value})
    return state


def _merged(state: State, values: dict[str, Any]) -> State:
    """Merging by id may be done twice with one value: nothing is counted or kept twice."""
    found: dict[str, Any] = {
        key: merge(getattr(state, key), values[key]) for key in KEYS_MERGED & values.keys()
    }
    return replace(state, **found)
