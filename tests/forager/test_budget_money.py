"""Costs of models are counted, shared among branches, and reported once."""

from hypothesis import given
from hypothesis import strategies as st

from forager.budget import (
    ModelCall,
    branch_budget,
    exhausted_limit,
    model_cost,
    start_meter,
    unreported_spend,
)
from forager.domain.spend import Budget, Spend
from tests.forager.test_budget import SPENDS

CALL = ModelCall(
    role="critic", model="m", began=0.0, seconds=1.0, tokens_in=10, tokens_out=5, usd=0.5
)


def test_a_refused_call_is_attributed_to_a_limit_on_calls() -> None:
    refused = Spend(refused=1, tokens_in=30, model_calls=3, seconds=50, actions=2)
    assert exhausted_limit(Budget(pages=3, seconds=60, calls=5, tokens=100), refused) == "calls"
    assert exhausted_limit(Budget(pages=3, seconds=60, tokens=100), refused) == "tokens"
    assert exhausted_limit(Budget(pages=3, seconds=60), refused) == "seconds"


@given(st.integers(1, 10**6), st.integers(1, 50), st.integers(1, 8), SPENDS)
def test_branches_leave_the_reserve_of_the_answer(
    tokens: int, calls: int, branches: int, spend: Spend
) -> None:
    """Each branch may spend up to its own reserve; together they stay within the whole reserve."""
    budget = Budget(tokens=tokens, calls=calls, usd=1.0)
    part = branch_budget(budget, spend, branches)
    assert part.tokens
    assert part.calls
    assert part.usd
    aside = min(tokens / 4, 4000)
    used = spend.tokens_in + spend.tokens_out
    own = part.tokens - min(part.tokens / 4, 4000) - used
    assert own * branches <= max(0, tokens - aside - used) + branches
    assert (part.calls - 1 - spend.model_calls) * branches <= max(0, calls - 1 - spend.model_calls)
    assert (part.usd * 0.75 - spend.usd) * branches <= max(0, 0.75 - spend.usd) + 1e-9


def test_model_costs_are_reported_once() -> None:
    with start_meter() as used:
        used.model_calls += 2
        used.calls.append(CALL)
        assert used.new_model_cost() == Spend(model_calls=2, tokens_in=10, tokens_out=5, usd=0.5)
        assert used.new_model_cost() == Spend()
        used.calls.append(CALL)
        assert used.new_model_cost() == Spend(tokens_in=10, tokens_out=5, usd=0.5)


@given(SPENDS, SPENDS)
def test_only_unreported_spend_is_left(cost: Spend, told: Spend) -> None:
    assert unreported_spend(cost, cost) == unreported_spend(Spend(), told) == Spend()
    assert model_cost(unreported_spend(cost + told, told)) == model_cost(cost)
