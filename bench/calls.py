"""The calls of a model that a run made, read from its events: where in the walk, how long."""

from collections.abc import Iterable
from math import inf
from typing import NamedTuple

from forager.adapters.store.sessions.session_store import Event
from forager.budget import Call


class Placed(NamedTuple):
    """A call, its round, and how many pages that round had tried by then."""

    call: Call
    round: int
    step: int


def placed(events: Iterable[Event]) -> list[Placed]:
    """The calls in the order of the events that tell of them.

    Branches that run at once count as one round.
    """
    found: list[Placed] = []
    round = step = 0
    for event in events:
        calls = event.data.get("calls")
        for call in calls if isinstance(calls, list) else ():
            found.append(Placed(Call.model_validate(call), round, step))
        if "urls" in event.data:
            round, step = round + 1, 0
        elif "outcome" in event.data and "url" in event.data and "alpha" not in event.data:
            step += 1
    return found


def sequential(calls: Iterable[Call]) -> int:
    """The longest chain of calls each of which began when the one before it had ended, or later."""
    length, free = 0, -inf
    for end, began in sorted((call.began + call.seconds, call.began) for call in calls):
        if began >= free:
            length, free = length + 1, end
    return length


def busy(calls: Iterable[Call]) -> float:
    """The seconds in which at least one of the calls was under way."""
    seconds, free = 0.0, -inf
    for began, end in sorted((call.began, call.began + call.seconds) for call in calls):
        seconds += max(0.0, end - max(began, free))
        free = max(free, end)
    return seconds
