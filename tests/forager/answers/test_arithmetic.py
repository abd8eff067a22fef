"""Sums over quoted values come out right, show what they rest on, or say why they cannot."""

from contextlib import suppress
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.answers.arithmetic import (
    LIMITS,
    OPERATIONS,
    Operand,
    Operation,
    Sum,
    WorkedSum,
    work_out,
)
from forager.errors import UsageError


def worked(operation: Operation, *values: str) -> WorkedSum:
    """A sum over quotes that say just these values."""
    quotes = {f"e{number}": f"It is {value}." for number, value in enumerate(values, start=1)}
    operands = [Operand(quote=id, value=value) for id, value in zip(quotes, values, strict=True)]
    return work_out(Sum(operation=operation, operands=operands), quotes)


def of(operation: Operation, value: str, quote: str) -> WorkedSum:
    """A sum with one value of a quote, and a second that is there."""
    operands = [Operand(quote="e1", value=value), Operand(quote="e2", value="1")]
    return work_out(Sum(operation=operation, operands=operands), {"e1": quote, "e2": "1"})


@pytest.mark.parametrize(
    ("operation", "values", "formula"),
    [
        ("difference", ["45", "24"], "45 [e1] − 24 [e2] = 21"),
        ("difference", ["24", "45", "1"], "24 [e1] − 45 [e2] − 1 [e3] = −22"),
        ("difference", ["0.3", "0.1"], "0.3 [e1] − 0.1 [e2] = 0.2"),
        ("difference", ["45 %", "24 %"], "45 % [e1] − 24 % [e2] = 21 percentage points"),
        ("difference", ["3 MB", "512 KB"], "3 MB [e1] − 512 KB [e2] = 2.488 MB (1 MB = 1000 KB)"),
        ("difference", ["45 rooms", "24 rooms"], "45 rooms [e1] − 24 rooms [e2] = 21 rooms"),
        ("difference", ["45 men", "24 boys"], "45 men [e1] − 24 boys [e2] = 21"),
        ("difference", ["$45", "$24"], "$45 [e1] − $24 [e2] = 21 $"),
        ("difference", ["5.00 €", "1.90 €"], "5.00 € [e1] − 1.90 € [e2] = 3.10 €"),
        ("product", ["200", "50 % more"], "200 [e1] × 50 % more [e2] = 300"),
        ("product", ["200 g", "15 % less"], "200 g [e1] × 15 % less [e2] = 170 g"),
        ("product", ["200", "150 % more"], "200 [e1] × 150 % more [e2] = 500"),
        ("product", ["200", "50 % or more"], "200 [e1] × 50 % or more [e2] = 100"),
        ("product", ["90 m", "twice as high"], "90 m [e1] × twice as high [e2] = 180 m"),
        ("product", ["a third", "12"], "a third [e1] × 12 [e2] = 4"),
        ("ratio", ["90 m", "twice as high"], "90 m [e1] ÷ twice as high [e2] = 45 m"),
        ("ratio", ["90", "three times"], "90 [e1] ÷ three times [e2] = 30"),
        ("sum", ["65,535", "3.5 million"], "65,535 [e1] + 3.5 million [e2] = 3565535"),
        ("sum", ["90 min", "2 hours"], "90 min [e1] + 2 hours [e2] = 210 min (1 h = 60 min)"),
        ("sum", ["100 °", "−45°"], "100 ° [e1] + −45° [e2] = 55°"),
        ("product", ["7 variants", "3"], "7 variants [e1] × 3 [e2] = 21"),
        ("product", ["5 kg", "3"], "5 kg [e1] × 3 [e2] = 15 kg"),
        ("product", ["200", "45 %"], "200 [e1] × 45 % [e2] = 90"),
        ("ratio", ["45", "15"], "45 [e1] ÷ 15 [e2] = 3"),
        ("ratio", ["1 km", "3 km"], "1 km [e1] ÷ 3 km [e2] ≈ 0.333333"),
        ("ratio", ["1 GiB", "1 MiB"], "1 GiB [e1] ÷ 1 MiB [e2] = 1024 (1 GiB = 1024 MiB)"),
        ("percent", ["24", "45"], "24 [e1] ÷ 45 [e2] ≈ 53.3333 %"),
        ("percent", ["1", "4"], "1 [e1] ÷ 4 [e2] = 25 %"),
        ("count", ["Anna", "Berta", "anna"], "count of Anna [e1], Berta [e2], anna [e3] = 2"),
        ("least", ["2,400", "two thousand"], "two thousand [e2] < 2,400 [e1]; least: two thousand"),
        ("greatest", ["1 h", "90 min"], "90 min [e2] > 1 h [e1]; greatest: 90 min (1 h = 60 min)"),
        ("greatest", ["4", "4.0"], "4 [e1] = 4.0 [e2]; greatest: 4"),
        ("ascending", ["3", "1", "2"], "1 [e2] < 2 [e3] < 3 [e1]"),
        ("descending", ["3", "1", "2"], "3 [e1] > 2 [e3] > 1 [e2]"),
        ("ascending", ["1911", "4 May 1887"], "4 May 1887 [e2] < 1911 [e1]"),
        ("least", ["1911", "44 BC"], "44 BC [e2] < 1911 [e1]; least: 44 BC"),
        ("same", ["9", "9"], "9 [e1] = 9 [e2]: the same"),
        ("same", ["9", "6"], "9 [e1] ≠ 6 [e2]: not the same"),
        ("same", ["4 days", "96 h"], "4 days [e1] = 96 h [e2]: the same (1 day = 24 h)"),
        ("same", ["ext4", "Ext4"], "ext4 [e1] = Ext4 [e2]: the same"),
        ("same", ["ext4", "ext3"], "ext4 [e1] ≠ ext3 [e2]: not the same"),
        ("same", ["1 July 2004", "2004-07-01"], "1 July 2004 [e1] = 2004-07-01 [e2]: the same"),
        (
            "days",
            ["28 Feb 2000", "2000-03-01"],
            "from 28 Feb 2000 [e1] to 2000-03-01 [e2] = 2 days",
        ),
        ("days", ["2000-03-02", "2000-03-01"], "from 2000-03-01 [e2] to 2000-03-02 [e1] = 1 day"),
        ("months", ["May 1990", "July 1990"], "from May 1990 [e1] to July 1990 [e2] = 2 months"),
        ("years", ["1887", "1911"], "from 1887 [e1] to 1911 [e2] = 24 years"),
    ],
)
def test_a_formula(operation: Operation, values: list[str], formula: str) -> None:
    found = worked(operation, *values)
    assert found.formula == formula
    assert found.cites == tuple(f"e{number}" for number in range(1, len(values) + 1))


@pytest.mark.parametrize(
    ("operation", "values", "why"),
    [
        ("difference", ["45"], "'difference' takes 2 to 40 values, not 1."),
        ("ratio", ["1", "2", "3"], "'ratio' takes 2 values, not 3."),
        ("sum", [], "not 0."),
        ("ratio", ["45", "0"], "divided by zero"),
        ("difference", ["45 MB", "24 s"], "'45 MB' and '24 s' do not measure the same."),
        ("difference", ["45 MB", "24"], "do not measure the same"),
        ("difference", ["45", "24 MB"], "do not measure the same"),
        ("difference", ["20 °C", "68 °F"], "do not measure the same"),
        ("sum", ["3 years", "2 days"], "do not measure the same"),
        ("product", ["3 m", "2 m"], "Two values with units cannot be multiplied."),
        ("product", ["third", "24"], "'third' is not one number."),
        ("sum", ["twice", "24"], "'twice' is not one number."),
        ("sum", ["Anna", "24"], "'Anna' is not one number."),
        ("sum", ["3 to 5", "24"], "'3 to 5' is not one number."),
        ("sum", ["3.11.2", "24"], "'3.11.2' is not one number."),
        ("days", ["1887", "1911"], "Use dates with day and month."),
        ("days", ["45", "1911"], "'45' is not one date."),
        ("months", ["1887", "May 1911"], "Use dates with months."),
        ("least", ["1887", "4 May 1887"], "cannot be put in order"),
        ("least", ["Anna", "4 May 1887"], "cannot be put in order"),
        ("sum", ["", "1"], "'' is not a value."),
        ("sum", ["x" * 61, "1"], "is not a value."),
        ("count", ["[e9]", "1"], "is not a value."),
    ],
)
def test_what_cannot_be_worked_out_says_why(
    operation: Operation, values: list[str], why: str
) -> None:
    with pytest.raises(UsageError) as error:
        worked(operation, *values)
    assert why in str(error.value)


@pytest.mark.parametrize(
    ("value", "quote"),
    [
        ("12", "It was in 2012."),
        ("12", "It has 12,400 plates."),
        ("12", "It is 12.5 m."),
        ("400", "It has 12,400 plates."),
        ("400", "It has 12 400 plates."),
        ("5", "It fell to −5."),
        ("3.5", "It has 3.5 million people."),
        ("two", "It has twenty-two rooms."),
        ("11", "Python 3.11.2 is out."),
        ("30", "It opens at 12:30."),
        ("1", "It is 1e6."),
        ("12", "It has b12 in it."),
        ("45", "It has 24 rooms."),
        ("room", "It has 24 rooms."),
    ],
)
def test_a_value_must_stand_in_its_quote_uncut(value: str, quote: str) -> None:
    with pytest.raises(UsageError, match=r"The quote does not say '.*'\. Copy a value"):
        of("sum", value, quote)


@pytest.mark.parametrize(
    ("value", "quote", "formula"),
    [
        ("12", "In 2012 there were 12.", "12 [e1]"),
        ("12  men", "There were\n12 men.", "12 men [e1]"),
        ("9", "compresslevel=9", "9 [e1]"),
        ("2012", "on 2012-07-01", "2012 [e1]"),
        ("3", "pages 3-5", "3 [e1]"),
        ("1.234", "Die Stadt hat 1.234 Leute und ist alt.", "1.234 [e1]"),
    ],
)
def test_a_value_that_stands_there(value: str, quote: str, formula: str) -> None:
    assert of("sum", value, quote).formula.startswith(formula)


def test_the_unit_behind_a_value_belongs_to_it() -> None:
    with pytest.raises(UsageError, match="'45 KB' and '1' do not measure the same"):
        of("difference", "45", "It takes 45 KB.")


def test_the_language_of_a_quote_tells_its_marks() -> None:
    assert of("sum", "1.234", "Die Stadt hat 1.234 Leute und ist alt.").result == "1235"
    assert of("sum", "1.234", "The town has 1.234 of it.").result == "2.234"


def test_a_quote_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="There is no quote 'e9'"):
        work_out(Sum(operation="count", operands=[Operand(quote="e9", value="1")]), {"e1": "1"})


NUMBERS = st.decimals(-(10**9), 10**9, places=3)


@given(st.lists(NUMBERS, min_size=2, max_size=6))
def test_sums_and_differences_are_exact(values: list[Decimal]) -> None:
    spelt = [f"{value:f}" for value in values]
    total, rest = worked("sum", *spelt), worked("difference", *spelt)
    assert Decimal(total.result.replace("−", "-")) == sum(values)
    assert Decimal(rest.result.replace("−", "-")) == values[0] - sum(values[1:])
    assert "≈" not in total.formula + rest.formula


@given(NUMBERS, NUMBERS)
def test_a_ratio_is_exact_or_has_six_digits(one: Decimal, other: Decimal) -> None:
    if not other:
        return
    found = worked("ratio", f"{one:f}", f"{other:f}")
    exact = Fraction(one) / Fraction(other)
    result = Fraction(found.result.replace("−", "-"))
    assert (result == exact) == ("≈" not in found.formula)
    assert abs(result - exact) <= abs(exact) / 10**5
    if "≈" in found.formula:
        assert len(found.result.strip("−0.").replace(".", "").lstrip("0")) <= 6


@given(st.lists(NUMBERS, min_size=2, max_size=6))
def test_orders_are_orders(values: list[Decimal]) -> None:
    spelt = [f"{value:f}" for value in values]
    up = [Decimal(each) for each in worked("ascending", *spelt).result.split(", ")]
    down = [Decimal(each) for each in worked("descending", *spelt).result.split(", ")]
    assert up == sorted(values)
    assert down == sorted(values, reverse=True)
    assert Decimal(worked("least", *spelt).result) == up[0]
    assert Decimal(worked("greatest", *spelt).result) == down[0]
    assert worked("same", *spelt).result == ("yes" if len(set(values)) == 1 else "no")


@given(st.sampled_from(sorted(OPERATIONS)), st.lists(st.text(max_size=12), max_size=3), st.text())
def test_whatever_is_asked_it_comes_out_or_says_why(
    operation: Operation, values: list[str], quote: str
) -> None:
    asked = Sum(operation=operation, operands=[Operand(quote="e1", value=v) for v in values])
    with suppress(UsageError):
        found = work_out(asked, {"e1": f"{quote} {' '.join(values)}"})
        assert found.cites == ("e1",)
        assert LIMITS.get(operation, (2, 40))[0] <= len(values)
