import asyncio
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from forager.budget import (
    Meter,
    ModelCall,
    branch_budget,
    current_meter,
    exhausted_limit,
    pages_used,
    start_meter,
    subtract_spend,
)
from forager.domain.base import Frozen
from forager.domain.spend import Budget, Spend
from forager.errors import AwayError

COUNTS = st.integers(0, 10_000)
SPENDS = st.builds(
    Spend,
    actions=COUNTS,
    pages_fetched=COUNTS,
    model_calls=COUNTS,
    tokens_in=COUNTS,
    tokens_out=COUNTS,
    usd=st.integers(0, 64).map(float),
    seconds=st.integers(0, 5000).map(float),
)


def test_work_is_counted_by_the_meter_of_its_node() -> None:
    with start_meter() as outer:
        current_meter().actions += 1
        with start_meter() as inner:
            current_meter().model_calls += 2
        current_meter().calls.append(
            ModelCall(role="critic", model="m", began=0.0, seconds=1.0, usd=0.5)
        )
    current_meter().actions += 100
    assert outer.total_spend(seconds=3.0) == Spend(actions=1, usd=0.5, seconds=3.0)
    assert inner.model_calls == 2


async def test_concurrent_nodes_have_separate_meters() -> None:
    async def node(calls: int) -> int:
        with start_meter() as counts:
            for _ in range(calls):
                await asyncio.to_thread(spend_one)
            return counts.model_calls

    def spend_one() -> None:
        current_meter().model_calls += 1

    assert await asyncio.gather(*(node(calls) for calls in range(5))) == [0, 1, 2, 3, 4]


@given(SPENDS, SPENDS)
def test_subtraction_is_the_inverse_of_addition(one: Spend, other: Spend) -> None:
    assert subtract_spend(one + other, one) == other


def test_the_exhausted_limit_is_named() -> None:
    budget = Budget(pages=3, seconds=60, calls=5, tokens=100, usd=1.0)
    assert exhausted_limit(budget, Spend(pages_fetched=1000, tokens_in=99)) is None
    assert exhausted_limit(budget, Spend(actions=3)) == "pages"
    assert exhausted_limit(budget, Spend(seconds=60)) == "seconds"
    assert exhausted_limit(budget, Spend(model_calls=5)) == "calls"
    assert exhausted_limit(budget, Spend(tokens_in=60, tokens_out=40)) == "tokens"
    assert exhausted_limit(budget, Spend(usd=1.0)) == "usd"


def test_unset_limits_never_bind() -> None:
    spend = Spend(model_calls=10**6, tokens_in=10**9, usd=10.0**6)
    assert exhausted_limit(Budget(), spend) is None


@given(SPENDS, st.integers(1, 20), st.integers(1, 500))
def test_branches_share_what_is_left_equally(spend: Spend, branches: int, pages: int) -> None:
    budget = Budget(pages=pages, seconds=5000.0, calls=20_000)
    part = branch_budget(budget, spend, branches)
    bounded = spend.pages_fetched - spend.actions <= pages
    used = max(spend.actions, spend.pages_fetched) if bounded else spend.actions
    left = max(0, pages - used)
    assert abs((part.opened - used) * branches - left) <= branches or left == 0
    assert part.seconds <= max(budget.seconds, spend.seconds)
    assert part.calls is not None
    assert part.calls <= budget.calls if budget.calls and spend.model_calls < 20_000 else True
    assert part.tokens is None
    assert branch_budget(budget, spend, 1).pages in {pages, max(1, used)}


LIMIT = 2000
MARGIN = 1.25
ROOMY = 16_000
"""Tokens of which a quarter exceeds what a call may take beyond its expectation."""


class Asked(Frozen):
    """A call: its expected spend, its actual spend, and the most it may spend."""

    sent: int
    error: float
    usual: int
    out: int

    def spends(self) -> tuple[Spend, Spend, ModelCall]:
        """The expected, the greatest possible and the actual spend."""
        tokens_in = round(self.sent * self.error)
        call = ModelCall(
            role="critic",
            model="m",
            began=0.0,
            seconds=0.0,
            tokens_in=tokens_in,
            tokens_out=self.out,
            usd=(tokens_in + self.out) / 1e6,
        )
        return _spend(self.sent, self.usual), _spend(round(self.sent * MARGIN), LIMIT), call


CALLS = st.lists(
    st.builds(
        Asked,
        sent=st.integers(100, 5000),
        error=st.floats(0.7, MARGIN),
        usual=st.integers(50, 400),
        out=st.integers(1, LIMIT),
    ),
    min_size=1,
    max_size=10,
)
BUDGETS = (
    st.builds(Budget, tokens=st.integers(1, 100_000))
    | st.builds(Budget, usd=st.floats(0.0001, 0.1))
    | st.builds(Budget, calls=st.integers(1, 16))
    | st.builds(Budget, tokens=st.integers(1, 50_000), usd=st.floats(0.01, 0.1))
)


def _spend(tokens_in: int, tokens_out: int) -> Spend:
    usd = (tokens_in + tokens_out) / 1e6
    return Spend(model_calls=1, tokens_in=tokens_in, tokens_out=tokens_out, usd=usd)


async def make(counts: Meter, asked: Asked, *, last: bool = False) -> bool:
    """Make a slow call, if it is allowed."""
    expected, most, call = asked.spends()
    async with counts.admit_call(expected, most, last=last) as allowed:
        if not allowed:
            counts.refused += 1
            return False
        for _ in range(asked.out % 5):
            await asyncio.sleep(0)
        counts.model_calls += 1
        counts.calls.append(call)
    return True


@given(BUDGETS, CALLS, st.integers(0, 2))
@settings(max_examples=100)
def test_budgets_hold_for_concurrent_calls(budget: Budget, calls: list[Asked], width: int) -> None:
    """At most one call exceeds the budget; the answer's call is made if any call fits."""

    async def run() -> Meter:
        counts = Meter(budget=budget)
        *others, answer = calls
        step = (1, 3, len(calls))[width]
        for at in range(0, len(others), step):
            await asyncio.gather(*(make(counts, each) for each in others[at : at + step]))
        made = await make(counts, answer, last=True)
        assert made or min(budget.tokens or ROOMY, (budget.usd or 1.0) * 1e6) < ROOMY
        return counts

    counts = asyncio.run(run())
    spent = counts.total_spend()
    largest = max((call.tokens_in + call.tokens_out for call in counts.calls), default=0)
    if budget.tokens is not None:
        assert spent.tokens_in + spent.tokens_out <= budget.tokens + largest
    if budget.usd is not None:
        assert spent.usd <= budget.usd + largest / 1e6 + 1e-9
    if budget.calls is not None:
        assert spent.model_calls <= budget.calls


async def test_a_call_waits_for_calls_in_flight_instead_of_being_refused() -> None:
    counts = Meter(budget=Budget(tokens=16_000))
    calls = [Asked(sent=1000, error=1.0, usual=100, out=104)] * 9
    assert await asyncio.gather(*(make(counts, call) for call in calls)) == [True] * 9
    assert counts.refused == 0


async def test_after_a_refusal_only_the_answers_call_is_allowed() -> None:
    counts = Meter(budget=Budget(tokens=10_000))
    large = Asked(sent=9000, error=1.0, usual=100, out=100)
    small = Asked(sent=100, error=1.0, usual=50, out=50)
    assert not await make(counts, large)
    assert not await make(counts, small)
    assert await make(counts, small, last=True)


async def test_a_failed_call_frees_its_reserve() -> None:
    counts = Meter(budget=Budget(tokens=10_000))
    expected, most, _ = Asked(sent=3000, error=1.0, usual=100, out=1).spends()
    for _ in range(5):
        with suppress(AwayError):
            async with counts.admit_call(expected, most, last=False) as allowed:
                assert allowed
                raise AwayError("It is away.")


async def test_after_the_time_limit_only_the_answers_call_is_allowed() -> None:
    counts = Meter(budget=Budget(seconds=5), before=Spend(seconds=6))
    call = Asked(sent=100, error=1.0, usual=50, out=50)
    assert counts.seconds_left() == 0
    assert not await make(counts, call)
    assert await make(counts, call, last=True)


async def test_without_a_budget_every_call_is_allowed() -> None:
    counts = Meter()
    call = Asked(sent=10**6, error=1.0, usual=50, out=50)
    assert all(await asyncio.gather(*(make(counts, call) for _ in range(9))))
    assert counts.seconds_left() is None


def test_without_a_limit_on_pages_those_of_the_survey_do_not_count() -> None:
    spend = Spend(actions=9, pages_fetched=99)
    assert pages_used(Budget(), spend) == 9
    assert pages_used(Budget(pages=100), spend) == 99
    assert pages_used(Budget(pages=60), spend) == 9
    assert exhausted_limit(Budget(), Spend(actions=1, pages_fetched=100)) is None
