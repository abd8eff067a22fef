"""Arithmetic on quoted values: calculated by code, shown as a formula that cites each value.

Values are parsed as exact decimals and calculated as fractions; only results without a finite
decimal form are rounded.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Literal, NamedTuple

from pydantic import Field

from forager.answers.multiples import read_multiple, read_percentage
from forager.domain.base import Frozen
from forager.errors import UsageError
from forager.text.dates import PartialDate, days_between, is_before, months_between, years_between
from forager.text.numbers import digit_numbers, spelled_numbers
from forager.text.quantities import (
    Value,
    describe_conversions,
    find_value,
    format_number,
    in_common_unit,
)
from forager.text.units import PERCENT

Operation = Literal[
    "sum", "difference", "product", "ratio", "percent", "count", "least", "greatest", "ascending",
    "descending", "same", "days", "months", "years",
]  # fmt: skip
MOST = 40
REFERENCE = re.compile(r"\{\s*sum\s*(\d{1,3})\s*\}", re.IGNORECASE)


class Operand(Frozen):
    """A value as it appears in a quote of the ledger."""

    quote: str = Field(description="the id of a quote; empty for the result of an earlier sum")
    value: str = Field(
        description="the number with its unit, or the date, word for word from the quote; {sum 1} "
        "for the result of the first sum"
    )


class Sum(Frozen):
    """A calculation on quoted values."""

    operation: Operation = Field(
        description="difference: first minus the others; ratio: first by second; percent: first "
        "as a share of second; days, months, years: from the first date to the second; "
        "same: are they equal?"
    )
    operands: list[Operand] = Field(description="the values, in the order meant")


class WorkedSum(Frozen):
    """The result of a calculation, its formula with citations, and the ids it cites.

    `basis` is the formula without the result.
    """

    result: str
    formula: str
    basis: str
    cites: tuple[str, ...]


class _Result(NamedTuple):
    """A result, its formula, and the formula without it; these are the same if it stands within."""

    text: str
    formula: str
    basis: str


class _Cited(NamedTuple):
    """The value of an operand, its text with citations, and the ids cited."""

    value: Value
    text: str
    ids: tuple[str, ...]


class _Operands:
    """The parsed values of a calculation; its methods raise UsageError for unsuitable values."""

    def __init__(self, operands: Sequence[_Cited]) -> None:
        self.values = [each.value for each in operands]
        self.cited = [each.text for each in operands]

    def in_one_unit(self) -> tuple[list[Fraction], str]:
        """All values as numbers in the unit of the first, and that unit's symbol."""
        return in_common_unit(self.values)

    def join_cited(self, sign: str) -> str:
        return f" {sign} ".join(self.cited)


def work_out(
    asked: Sum, quotes: Mapping[str, str], earlier: Sequence[WorkedSum | None] = ()
) -> WorkedSum:
    """Calculate a sum; `quotes` maps ids to texts, `earlier` are the sums that it may use.

    Raises UsageError if it cannot be calculated.
    """
    least, most = LIMITS.get(asked.operation, (2, MOST))
    if not least <= len(asked.operands) <= most:
        limits = f"{least}" if least == most else f"{least} to {most}"
        raise UsageError(
            f"{asked.operation!r} takes {limits} values, not {len(asked.operands)}.",
            "Give that many values.",
        )
    operands = [_read_operand(operand, quotes, earlier) for operand in asked.operands]
    found = OPERATIONS[asked.operation](_Operands(operands))
    conversions = describe_conversions([each.value for each in operands])
    return WorkedSum(
        result=found.text,
        formula=found.formula + conversions,
        basis=found.basis + conversions,
        cites=tuple(dict.fromkeys(id for each in operands for id in each.ids)),
    )


def _read_operand(
    operand: Operand, quotes: Mapping[str, str], earlier: Sequence[WorkedSum | None]
) -> _Cited:
    if reference := REFERENCE.fullmatch(operand.value.strip()):
        number = int(reference[1])
        worked = earlier[number - 1] if 1 <= number <= len(earlier) else None
        if worked is None:
            raise UsageError(
                f"There is no earlier result {operand.value}.", "Refer to a sum before this one."
            )
        text = f"{worked.result} ({worked.basis})"
        return _Cited(find_value(worked.result, worked.result), text, worked.cites)
    if operand.quote not in quotes:
        raise UsageError(
            f"There is no quote {operand.quote!r}.", "Use values from existing quotes."
        )
    value = find_value(operand.value, quotes[operand.quote])
    return _Cited(value, f"{value.text} [{operand.quote}]", (operand.quote,))


def _format_equation(left: str, value: Fraction, unit: str = "", decimals: int = 0) -> _Result:
    number, exact = format_number(value, decimals)
    text = number + ("" if unit in ("°", "″", "′") else " ") * bool(unit) + unit
    return _Result(text, f"{left} {'=' if exact else '≈'} {text}", left)


def _sum_result(of: _Operands) -> _Result:
    numbers, unit = of.in_one_unit()
    return _format_equation(of.join_cited("+"), sum(numbers, Fraction(0)), unit, _decimals(of))


def _difference_result(of: _Operands) -> _Result:
    (first, *rest), unit = of.in_one_unit()
    unit = "percentage points" if unit == PERCENT.symbol else unit
    difference = first - sum(rest, Fraction(0))
    return _format_equation(of.join_cited("−"), difference, unit, _decimals(of))


def _decimals(of: _Operands) -> int:
    """The decimals that every value is written with; 0 if they differ."""
    written = {value.decimals for value in of.values}
    return written.pop() if len(written) == 1 else 0


def _product_result(of: _Operands) -> _Result:
    units = [value.unit for value in of.values if value.unit not in (None, PERCENT)]
    if len(units) > 1:
        raise UsageError("Two values with units cannot be multiplied.", "Use at most one of them.")
    factors = [_factor(value) for value in of.values]
    symbol = units[0].symbol if units and units[0] else ""
    return _format_equation(of.join_cited("×"), math.prod(factors, start=Fraction(1)), symbol)


def _factor(value: Value) -> Fraction:
    """The number; of a percentage its share, of "50 % more" 1.5, of "twice" 2."""
    if value.unit == PERCENT:
        return read_percentage(value.text)
    multiple = None if value.unit else read_multiple(value.text)
    return value.to_fraction() if multiple is None else multiple


def _divide_values(of: _Operands) -> Fraction:
    (first, second), _ = of.in_one_unit()
    if not second:
        raise UsageError("Nothing can be divided by zero.", "Use another value.")
    return first / second


def _ratio_result(of: _Operands) -> _Result:
    whole, multiple = of.values
    if not whole.decimal or multiple.unit or not (factor := read_multiple(multiple.text)):
        return _format_equation(of.join_cited("÷"), _divide_values(of))
    symbol = whole.unit.symbol if whole.unit else ""
    return _format_equation(of.join_cited("÷"), whole.to_fraction() / factor, symbol)


def _percent_result(of: _Operands) -> _Result:
    return _format_equation(of.join_cited("÷"), 100 * _divide_values(of), PERCENT.symbol)


def _count_result(of: _Operands) -> _Result:
    number = str(len({value.text.casefold() for value in of.values}))
    basis = f"count of {', '.join(of.cited)}"
    return _Result(number, f"{basis} = {number}", basis)


def _sort_values(of: _Operands, *, descending: bool) -> tuple[list[Value], str]:
    """The values in order, and the formula that shows it."""
    keys = _sort_keys(of)
    order = sorted(range(len(keys)), key=keys.__getitem__, reverse=descending)
    formula = of.cited[order[0]]
    for one, other in pairwise(order):
        sign = "=" if keys[one] == keys[other] else (">" if descending else "<")
        formula += f" {sign} {of.cited[other]}"
    return [of.values[place] for place in order], formula


def _sort_keys(of: _Operands) -> Sequence[Fraction] | Sequence[PartialDate]:
    """The sort keys of the values: dates if any of them is more precise than a year."""
    days = [value.day for value in of.values]
    if not any(day and (day.month or day.year < 0) for day in days):
        return of.in_one_unit()[0]
    known = [day for day in days if day]
    if len(known) < len(days) or any(is_before(*pair) is None for pair in pairwise(sorted(known))):
        raise UsageError("These dates cannot be put in order.", "Use equally precise dates.")
    return known


def _extreme_operation(name: str, *, descending: bool) -> Callable[[_Operands], _Result]:
    def found(of: _Operands) -> _Result:
        values, formula = _sort_values(of, descending=descending)
        return _Result(values[0].text, f"{formula}; {name}: {values[0].text}", formula)

    return found


def _order_operation(*, descending: bool) -> Callable[[_Operands], _Result]:
    def found(of: _Operands) -> _Result:
        values, formula = _sort_values(of, descending=descending)
        return _Result(", ".join(value.text for value in values), formula, formula)

    return found


def _equality_result(of: _Operands) -> _Result:
    equal = len({_equality_key(value) for value in of.values}) == 1
    if not equal and all(value.is_number for value in of.values):
        equal = len(set(of.in_one_unit()[0])) == 1
    sign, word = ("=", "the same") if equal else ("≠", "not the same")
    basis = of.join_cited(sign)
    return _Result("yes" if equal else "no", f"{basis}: {word}", basis)


def _equality_key(value: Value) -> object:
    return value.day if value.day and value.day.month else value.text.casefold()


def _time_span_operation(
    unit: str, between: Callable[[PartialDate, PartialDate], int | None]
) -> Callable[[_Operands], _Result]:
    def found(of: _Operands) -> _Result:
        days = [value.to_date() for value in of.values]
        apart = between(*days)
        if apart is None:
            raise UsageError(
                f"The {unit} between {' and '.join(value.text for value in of.values)} cannot be "
                "calculated.",
                f"Use dates with {'day and month' if unit == 'days' else 'months'}.",
            )
        first, second = of.cited if apart >= 0 else of.cited[::-1]
        text = f"{abs(apart)} {unit.removesuffix('s') if abs(apart) == 1 else unit}"
        basis = f"from {first} to {second}"
        return _Result(text, f"{basis} = {text}", basis)

    return found


LIMITS: Mapping[Operation, tuple[int, int]] = {
    "count": (1, MOST),
    "ratio": (2, 2),
    "percent": (2, 2),
    "days": (2, 2),
    "months": (2, 2),
    "years": (2, 2),
}
OPERATIONS: Mapping[Operation, Callable[[_Operands], _Result]] = {
    "sum": _sum_result,
    "difference": _difference_result,
    "product": _product_result,
    "ratio": _ratio_result,
    "percent": _percent_result,
    "count": _count_result,
    "least": _extreme_operation("least", descending=False),
    "greatest": _extreme_operation("greatest", descending=True),
    "ascending": _order_operation(descending=False),
    "descending": _order_operation(descending=True),
    "same": _equality_result,
    "days": _time_span_operation("days", days_between),
    "months": _time_span_operation("months", months_between),
    "years": _time_span_operation("years", years_between),
}


UNWORKED = "(it could not be worked out)"


class _SumAttempt(NamedTuple):
    """A calculated sum, or the reason why it failed; and the existing quotes it refers to."""

    worked: WorkedSum | None
    why: str
    cites: tuple[str, ...]


class Formulas:
    """The sums of an answer; its text refers to the n-th as `{sum n}`."""

    def __init__(self, sums: Sequence[Sum] = (), quotes: Mapping[str, str] | None = None) -> None:
        self._attempts: list[_SumAttempt] = []
        for each in sums:
            earlier = [attempt.worked for attempt in self._attempts]
            self._attempts.append(_try_sum(each, quotes or {}, earlier))
        values = " ".join(operand.value for each in sums for operand in each.operands)
        self._within = {int(found[1]) for found in REFERENCE.finditer(values)}
        worked = [each.worked for each in self._attempts if each.worked]
        self.results: set[str] = set().union(
            *(digit_numbers(each.result) | spelled_numbers(each.result) for each in worked)
        )

    def find_faults(self, text: str) -> list[str]:
        """Report sums that failed, references to sums that do not exist, and unused sums."""
        named = {int(found[1]) for found in REFERENCE.finditer(text)}
        numbered = dict(enumerate(self._attempts, start=1))
        wrong = [f"There is no sum {number}." for number in sorted(named - numbered.keys())]
        for number, attempt in numbered.items():
            if not attempt.worked:
                wrong.append(f"Sum {number} cannot be worked out: {attempt.why}")
            elif number not in named | self._within:
                wrong.append(
                    f"Write {sum_reference(number)} in the text where sum {number} belongs."
                )
        return wrong

    def append_unused(self, text: str) -> str:
        """Append a line for each calculated sum that the text does not refer to."""
        named = {int(found[1]) for found in REFERENCE.finditer(text)}
        lines = [
            sum_reference(number)
            for number, attempt in enumerate(self._attempts, start=1)
            if attempt.worked and number not in named | self._within
        ]
        return "\n".join([text, *lines]) if text.strip() else text

    def fill_in(self, text: str) -> str:
        """Replace the references in a text by their formulas."""
        return REFERENCE.sub(lambda found: self._formula_text(found[1]), text)

    def remove_references(self, text: str) -> str:
        """Remove the references from a text."""
        return REFERENCE.sub(" ", text)

    def refers_to_worked(self, text: str) -> bool:
        """Does the text refer to a sum that could be calculated?"""
        return any(attempt.worked for attempt in self._attempts_in(text))

    def cited_quotes(self, text: str) -> tuple[str, ...]:
        """The ids of the quotes that the sums in a text refer to."""
        return tuple(dict.fromkeys(id for each in self._attempts_in(text) for id in each.cites))

    def failure_reasons(self, text: str) -> list[str]:
        """The reasons why sums in a text failed."""
        return [each.why for each in self._attempts_in(text) if not each.worked]

    def _attempts_in(self, text: str) -> Iterator[_SumAttempt]:
        for found in REFERENCE.finditer(text):
            yield self._attempt_at(found[1])

    def _attempt_at(self, number: str) -> _SumAttempt:
        place = int(number)
        if 1 <= place <= len(self._attempts):
            return self._attempts[place - 1]
        return _SumAttempt(None, f"There is no sum {place}.", ())

    def _formula_text(self, number: str) -> str:
        worked = self._attempt_at(number).worked
        return worked.formula if worked else UNWORKED


def sum_reference(number: int) -> str:
    """The reference to the n-th sum of a text."""
    return f"{{sum {number}}}"


def _try_sum(
    asked: Sum, quotes: Mapping[str, str], earlier: Sequence[WorkedSum | None]
) -> _SumAttempt:
    try:
        worked = work_out(asked, quotes, earlier)
    except UsageError as error:
        known = (operand.quote for operand in asked.operands if operand.quote in quotes)
        return _SumAttempt(None, str(error), tuple(dict.fromkeys(known)))
    return _SumAttempt(worked, "", worked.cites)
