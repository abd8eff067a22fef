"""A case that is said never to decide does not, whatever the figures are."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.conditions.condition import read_condition
from forager.conditions.reachable import first_holding
from forager.conditions.syntax import Value
from tests.forager.conditions.test_condition import Meaning, conditions, values


@pytest.mark.parametrize(
    ("texts", "first"),
    [
        (["open == 0"], {0, 1}),
        (["open < 0"], {1}),
        (["open >= 0"], {0}),
        (["open > 3", "open > 5"], {0, 2}),
        (["open > 5", "open > 3"], {0, 1, 2}),
        (["open > 2 and open < 3"], {1}),
        (["spent_usd > 2 and spent_usd < 3"], {0, 1}),
        (["open < covered and covered < rounds and rounds < 2"], {1}),
        (["open < covered and covered < rounds and rounds < 3"], {0, 1}),
        (['kind == "date" and kind == "year"'], {1}),
        (["sufficient", "not sufficient"], {0, 1}),
        (["true"], {0}),
    ],
)
def test_which_case_can_decide(texts: Sequence[str], first: set[int]) -> None:
    assert first_holding([read_condition(text) for text in texts]) == frozenset(first)


def test_a_figure_may_be_known() -> None:
    cases = [read_condition(text) for text in ("covered > 0", "rounds > 1")]
    assert first_holding(cases, {"covered": 0}) == frozenset({1, 2})


def test_of_too_many_combinations_nothing_is_said() -> None:
    names = ("open", "covered", "rounds", "quotes", "steps", "failed", "sources")
    text = " and ".join(f"{name} > {place * 100}" for place, name in enumerate(names))
    assert first_holding([read_condition(text)]) is None


@given(st.lists(conditions, min_size=1, max_size=3), values)
def test_no_state_takes_what_is_said_to_be_never_taken(
    cases: list[tuple[str, Meaning]], given: dict[str, Value]
) -> None:
    found = first_holding([read_condition(text) for text, _ in cases])
    taken = next((at for at, (_, means) in enumerate(cases) if means(given)), len(cases))
    assert found is None or taken in found
