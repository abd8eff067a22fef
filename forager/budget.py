"""Meters what a question spends, and applies its budget."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Protocol

from forager.domain.base import Frozen
from forager.domain.spend import Budget, Spend

ANSWER_TOKENS = 4000
ANSWER_SHARE = 0.25
"""Reserved for the call that writes the answer: these tokens, but at most this share of a limit."""

CALL_LIMITS = ("calls", "tokens", "usd")
"""The limits that are checked before a model is called."""
MODEL_COSTS = ("model_calls", "tokens_in", "tokens_out", "tokens_cached", "usd")
WORK = ("actions", "pages_fetched", "pages_cached", "seconds")
"""What a node uses besides models."""
USD_DIGITS = 9

MAX_ROOM = 50
"""Pages of a budget that a survey leaves for navigating, at most; at least a quarter of few."""
SURVEY_SHARE = 0.6
"""The share of the seconds that the survey may use; the rest is for reading and answering."""

PROGRESS_SECONDS = 1.0
"""The least time between two progress messages of a node, in seconds."""

Notify = Callable[[str], Awaitable[None]]


class ModelCall(Frozen):
    """A model call: when it began (epoch, s), its duration in seconds, its tokens and cost."""

    role: str
    model: str
    began: float
    seconds: float
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    usd: float = 0.0


async def _notify_nobody(message: str) -> None:
    """Discard a message."""


@dataclass
class Meter:
    """Counts what one node spends, against the question's budget and its earlier spend."""

    budget: Budget | None = None
    before: Spend = field(default_factory=Spend)
    warn: Notify = _notify_nobody
    tell: Notify = _notify_nobody
    began: float = field(default_factory=time.monotonic)
    actions: int = 0
    pages_fetched: int = 0
    pages_cached: int = 0
    model_calls: int = 0
    refused: int = 0
    unanswered: int = 0
    """Tasks that a rule did because the model gave no usable reply."""
    calls: list[ModelCall] = field(default_factory=list)
    tasks: list[tuple[str, str]] = field(default_factory=list)
    """The tasks given to models: the name of each, and the key of its stored reply."""
    _in_flight: list[Spend] = field(default_factory=list)
    _landed: asyncio.Event = field(default_factory=asyncio.Event)
    _booked: Spend = field(default_factory=Spend)
    _doing: dict[str, str] = field(default_factory=dict)
    _told: float = 0.0

    def total_spend(self, seconds: float | None = None) -> Spend:
        """The counts as a value; `seconds` defaults to the time since the meter began."""
        return Spend(
            actions=self.actions,
            pages_fetched=self.pages_fetched,
            pages_cached=self.pages_cached,
            model_calls=self.model_calls,
            refused=self.refused,
            tokens_in=sum(call.tokens_in for call in self.calls),
            tokens_out=sum(call.tokens_out for call in self.calls),
            tokens_cached=sum(call.tokens_cached for call in self.calls),
            usd=sum(call.usd for call in self.calls),
            seconds=time.monotonic() - self.began if seconds is None else seconds,
        )

    async def report_progress(self, what: str, about: str = "", *, new: bool = False) -> None:
        """Report progress with `about`; messages that are not `new` are throttled."""
        self._doing[about] = what
        now = time.monotonic()
        if new or now - self._told >= PROGRESS_SECONDS:
            self._told = now
            await self.tell(" · ".join(self._doing.values()))

    async def warn_of(self, faults: Iterable[str]) -> None:
        """Warn of each fault once."""
        for fault in dict.fromkeys(faults):
            await self.warn(fault)

    def new_model_cost(self) -> Spend:
        """The cost of models since the previous call of this method."""
        cost = model_cost(self.total_spend())
        new, self._booked = subtract_spend(cost, self._booked), cost
        return new

    @asynccontextmanager
    async def admit_call(self, expected: Spend, most: Spend, *, last: bool) -> AsyncIterator[bool]:
        """Yield whether the budget allows a call that will use about `expected`, at most `most`.

        During the body the call counts with `most`, and calls that might not fit besides it wait
        until it ends. So at most one call exceeds a limit. `last` marks the call that writes the
        answer: others leave room for it, it may exceed a limit, and it is the only one that is
        allowed after a refused call.
        """
        while not (allowed := self._allows_call(expected, most, last=last)) and self._in_flight:
            await self._landed.wait()
        aside = [most] if allowed else []
        self._in_flight += aside
        try:
            yield allowed
        finally:
            for each in aside:
                self._in_flight.remove(each)
            landed, self._landed = self._landed, asyncio.Event()
            landed.set()

    def seconds_left(self) -> float | None:
        """The remaining seconds of the budget; None without a budget."""
        if self.budget is None:
            return None
        return max(0.0, self.budget.seconds - (self.before + self.total_spend()).seconds)

    def seconds_over(self) -> float:
        """The seconds beyond the budget; 0 within it, or without one."""
        if self.budget is None:
            return 0.0
        return max(0.0, (self.before + self.total_spend()).seconds - self.budget.seconds)

    def survey_seconds_left(self) -> float | None:
        """The remaining seconds for surveying sites; None without a budget."""
        if self.budget is None:
            return None
        return max(0.0, (self.seconds_left() or 0.0) - (1 - SURVEY_SHARE) * self.budget.seconds)

    @property
    def limits_pages(self) -> bool:
        """Does the budget limit the pages that are fetched in all?"""
        return self.budget is not None and self.budget.pages is not None

    def _allows_call(self, expected: Spend, most: Spend, *, last: bool) -> bool:
        """Does the call fit the budget and, unless it is `last`, leave room for the answer's?"""
        if self.budget is None:
            return True
        spent = sum(self._in_flight, self.before + self.total_spend())
        if last:
            return not _used_up(self.budget, spent)
        if spent.refused or spent.seconds >= self.budget.seconds:
            return False
        beyond = self._in_flight and _used_up(self.budget, spent + most)
        return not beyond and _leaves_room(self.budget, spent + expected)


_current: ContextVar[Meter | None] = ContextVar("meter", default=None)


@contextmanager
def start_meter(
    budget: Budget | None = None,
    before: Spend | None = None,
    warn: Notify = _notify_nobody,
    tell: Notify = _notify_nobody,
) -> Iterator[Meter]:
    """Meter what the body spends, within a budget of which `before` is already spent."""
    counts = Meter(budget=budget, before=before or Spend(), warn=warn, tell=tell)
    token = _current.set(counts)
    try:
        yield counts
    finally:
        _current.reset(token)


class Allowance(Protocol):
    """What may be spent on models beyond a question's budget, by whoever asks it."""

    def left(self) -> float | None:
        """The US dollars that are left; None for no limit."""

    def pay(self, usd: float) -> None:
        """Book the cost of a call."""


_allowance: ContextVar[Allowance | None] = ContextVar("allowance", default=None)


@contextmanager
def within_allowance(allowance: Allowance | None) -> Iterator[None]:
    """Call models in the body only while something is left, and book what they cost.

    Without an allowance, one that holds already goes on to hold.
    """
    token = _allowance.set(allowance or _allowance.get())
    try:
        yield
    finally:
        _allowance.reset(token)


async def has_allowance() -> bool:
    """Whether a model may be called."""
    if (allowance := _allowance.get()) is None:
        return True
    left = await asyncio.to_thread(allowance.left)
    return left is None or left > 0


async def pay_allowance(usd: float) -> None:
    """Book the cost of a call, where somebody keeps account."""
    if (allowance := _allowance.get()) is not None and usd > 0:
        await asyncio.to_thread(allowance.pay, usd)


def current_meter() -> Meter:
    """The meter of the running node; outside a node, one that is discarded."""
    return _current.get() or Meter()


def smaller_limit(own: int, allowed: int | None) -> int:
    """The smaller of a node's own limit and the question's, if that has one."""
    return own if allowed is None else min(own, allowed)


def subtract_spend(whole: Spend, part: Spend) -> Spend:
    """The difference of two spends."""
    pairs = ((name, getattr(whole, name) - getattr(part, name)) for name in Spend.model_fields)
    return Spend.model_validate(dict(pairs))


def model_cost(spend: Spend) -> Spend:
    """The part of a spend that model calls caused."""
    return Spend.model_validate({name: getattr(spend, name) for name in MODEL_COSTS})


def unreported_spend(spend: Spend, reported: Spend) -> Spend:
    """The work and the model cost beyond what was already reported, each at least 0."""
    difference = subtract_spend(spend, reported)
    names = (*WORK, *MODEL_COSTS)
    pairs = ((name, max(0, round(getattr(difference, name), USD_DIGITS))) for name in names)
    return Spend.model_validate(dict(pairs))


def unreported_work(spend: Spend, reported: Spend) -> Spend:
    """The work beyond what was already reported, without the cost of models."""
    new = unreported_spend(spend, reported)
    return subtract_spend(new, model_cost(new))


def exhausted_limit(budget: Budget, spend: Spend) -> str | None:
    """The first exhausted limit, or None. Rounds and steps are counted by the graph.

    After a refused call, the limit on calls that is closest to its bound counts as exhausted.
    """
    shares = _used_shares(budget, spend)
    for name, share in shares.items():
        if share >= 1:
            return name
    if not spend.refused:
        return None
    asked = (name for name in CALL_LIMITS if name in shares)
    return max(asked, key=shares.__getitem__, default="seconds")


def counts_fetched(budget: Budget, spend: Spend) -> bool:
    """Whether all pages that were fetched count, because the budget limits them.

    A survey that was made before pages were limited does not count.
    """
    return budget.pages is not None and spend.pages_fetched - spend.actions <= budget.pages


def pages_used(budget: Budget, spend: Spend) -> int:
    """What counts as pages: all that were fetched, or only those opened."""
    return count_pages(spend, fetched=counts_fetched(budget, spend))


def count_pages(spend: Spend, *, fetched: bool) -> int:
    """The pages that count: all that were `fetched`, or only those opened."""
    return max(spend.actions, spend.pages_fetched if fetched else 0)


def pages_left(budget: Budget, spend: Spend) -> int:
    """How many pages may still be opened."""
    return max(0, budget.opened - pages_used(budget, spend))


def survey_share(budget: Budget, own: int, sites: int) -> int:
    """The pages that a survey may fetch of each of `sites` sites, if it would fetch `own`.

    It leaves room for the pages that are opened afterwards; 0 if there is no more than that.
    """
    if budget.pages is None:
        return own
    room = max(1, min(MAX_ROOM, budget.pages // 4))
    return min(own, (budget.pages - room) // max(1, sites))


def branch_budget(budget: Budget, spend: Spend, branches: int) -> Budget:
    """The budget of one of several concurrent branches: an equal share of what is left.

    The reserve for the answer's call is set aside once for all branches.
    """

    def part(limit: float | None, spent: float, reserve: float = 0.0) -> float:
        return spent + max(0.0, (limit or 0) - reserve - spent) / branches

    calls = part(budget.calls, spend.model_calls, 1) + 1
    used = spend.tokens_in + spend.tokens_out
    tokens = part(budget.tokens, used, _answer_tokens(budget.tokens or 0))
    usd = part(budget.usd, spend.usd, (budget.usd or 0) * ANSWER_SHARE)
    return budget.model_copy(
        update={
            "pages": max(1, round(part(budget.opened, pages_used(budget, spend)))),
            "seconds": part(budget.seconds, spend.seconds),
            "calls": budget.calls and int(calls),
            "tokens": budget.tokens
            and max(1, round(min(tokens / (1 - ANSWER_SHARE), tokens + ANSWER_TOKENS))),
            "usd": budget.usd and usd / (1 - ANSWER_SHARE),
        }
    )


def tighten_budget(budget: Budget, bound: Budget) -> Budget:
    """The budget with no limit beyond those of `bound`."""
    limits = {
        name: limit if (own := getattr(budget, name)) is None else min(own, limit)
        for name, limit in bound.model_dump(exclude_none=True).items()
    }
    if budget.opened > bound.opened:
        limits["pages"] = bound.pages
    return budget.model_copy(update=limits)


def _answer_tokens(limit: int) -> float:
    """The reserve for the answer's call within a limit on tokens."""
    return min(ANSWER_SHARE * limit, ANSWER_TOKENS)


def _used_shares(budget: Budget, spend: Spend) -> dict[str, float]:
    """The used share of each limit that is set."""
    used = {
        "pages": (pages_used(budget, spend), budget.opened),
        "seconds": (spend.seconds, budget.seconds),
        "calls": (spend.model_calls, budget.calls),
        "tokens": (spend.tokens_in + spend.tokens_out, budget.tokens),
        "usd": (spend.usd, budget.usd),
    }
    return {name: spent / limit for name, (spent, limit) in used.items() if limit is not None}


def _used_up(budget: Budget, spent: Spend) -> bool:
    """Is any limit on model calls exhausted?"""
    within = _used_shares(budget, spent)
    return any(within.get(name, 0) >= 1 for name in CALL_LIMITS)


def _leaves_room(budget: Budget, spent: Spend) -> bool:
    """Is enough left for the answer's call?"""
    bounds = {
        "calls": 1 - 1 / (budget.calls or 1),
        "tokens": 1 - _answer_tokens(budget.tokens or 1) / (budget.tokens or 1),
        "usd": 1 - ANSWER_SHARE,
    }
    within = _used_shares(budget, spent)
    return all(within.get(name, 0) <= bounds[name] for name in CALL_LIMITS)
