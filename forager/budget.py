"""What a question uses, counted where it is used, and the limit that binds first."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from forager.state import Budget, Spend


@dataclass
class Meter:
    """Counts of one node's work; seconds are added by whoever runs the node."""

    actions: int = 0
    pages_fetched: int = 0
    pages_cached: int = 0
    model_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float = 0.0

    def spend(self, seconds: float) -> Spend:
        """The counts as a value, with the seconds they took."""
        return Spend(**vars(self), seconds=seconds)


_current: ContextVar[Meter | None] = ContextVar("meter", default=None)


@contextmanager
def meter() -> Iterator[Meter]:
    """Count what the body uses."""
    counts = Meter()
    token = _current.set(counts)
    try:
        yield counts
    finally:
        _current.reset(token)


def running() -> Meter:
    """The meter of the node that runs now; outside of one, counts that nobody reads."""
    return _current.get() or Meter()


def least(own: int, allowed: int | None) -> int:
    """A node's own limit, or the question's where that is smaller."""
    return own if allowed is None else min(own, allowed)


def minus(whole: Spend, part: Spend) -> Spend:
    """What was spent beyond `part`."""
    pairs = ((name, getattr(whole, name) - getattr(part, name)) for name in Spend.model_fields)
    return Spend.model_validate(dict(pairs))


def spent_out(budget: Budget, spend: Spend) -> str | None:
    """The first limit that is used up, or None. Rounds and steps are the graph's to count."""
    used = {
        "pages": (spend.actions, budget.pages),
        "seconds": (spend.seconds, budget.seconds),
        "calls": (spend.model_calls, budget.calls),
        "tokens": (spend.tokens_in + spend.tokens_out, budget.tokens),
        "usd": (spend.usd, budget.usd),
    }
    return next(
        (name for name, (spent, limit) in used.items() if limit is not None and spent >= limit),
        None,
    )


def share(budget: Budget, spend: Spend, branches: int) -> Budget:
    """The budget of one of several branches that run at once: an equal part of what is left."""

    def part(limit: float, spent: float) -> float:
        return spent + max(0.0, limit - spent) / branches

    tokens = spend.tokens_in + spend.tokens_out
    return budget.model_copy(
        update={
            "pages": max(1, round(part(budget.pages, spend.actions))),
            "seconds": part(budget.seconds, spend.seconds),
            "calls": budget.calls and max(1, round(part(budget.calls, spend.model_calls))),
            "tokens": budget.tokens and max(1, round(part(budget.tokens, tokens))),
            "usd": budget.usd and part(budget.usd, spend.usd),
        }
    )
