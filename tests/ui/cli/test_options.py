from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.domain.spend import Budget
from forager.errors import UsageError
from ui.cli.options import read_budget


def test_what_is_not_named_keeps_its_default() -> None:
    assert read_budget("") == Budget()
    assert read_budget("rounds=3, pages=20") == Budget(rounds=3, pages=20)
    assert read_budget("usd=0.5,seconds=2.5") == Budget(usd=0.5, seconds=2.5)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("round=3", "There is no budget 'round'. Did you mean 'rounds'?"),
        ("zzz=3", "There is no budget 'zzz'. Known: calls, pages, rounds,"),
        ("rounds", "--budget needs NAME=NUMBER, such as rounds=10; got 'rounds'."),
        (
            "rounds=ten",
            "The budget rounds=ten is invalid: it is not a number. Write it as rounds=10.",
        ),
        ("rounds=-1", "The budget rounds=-1 is invalid: input should be greater than"),
        ("rounds=1.5", "The budget rounds=1.5 is invalid"),
        ("seconds=inf", "The budget seconds=inf is invalid"),
        ("seconds=nan", "The budget seconds=nan is invalid"),
        ("tokens=0", "Write it as tokens=100."),
        ("rounds=1,rounds=2", "The budget 'rounds' is given twice."),
    ],
)
def test_a_budget_that_is_not_one_is_told(text: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        read_budget(text)
    assert said in str(raised.value)


@given(st.text())
def test_any_text_is_a_budget_or_a_usage_error(text: str) -> None:
    with suppress(UsageError):
        read_budget(text)


@given(st.builds(Budget, rounds=st.integers(0, 10**6), calls=st.integers(1, 10**6)))
def test_a_budget_survives_being_written(budget: Budget) -> None:
    limits = budget.model_dump(exclude_none=True)
    assert read_budget(",".join(f"{name}={value}" for name, value in limits.items())) == budget
