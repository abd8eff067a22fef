"""Sums in a text: each is worked out, and its formula put where the text refers to it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from forager.arithmetic import Sum, Worked, work_out
from forager.errors import UsageError
from forager.text.numbers import numbers, spoken

PLACE = re.compile(r"\{\s*sum\s*(\d{1,3})\s*\}", re.IGNORECASE)
UNWORKED = "(it could not be worked out)"


class _Attempt(NamedTuple):
    """A sum that was worked out, or why it could not be; and the quotes there that it is about."""

    worked: Worked | None
    why: str
    cites: tuple[str, ...]


class Formulas:
    """The sums of a text over quotes by id; the text refers to the n-th as `{sum n}`."""

    def __init__(self, sums: Sequence[Sum] = (), quotes: Mapping[str, str] | None = None) -> None:
        self._attempts = [_attempt(each, quotes or {}) for each in sums]
        worked = [each.worked for each in self._attempts if each.worked]
        self.results: set[str] = set().union(
            *(numbers(each.result) | spoken(each.result) for each in worked)
        )

    def faults(self, text: str) -> list[str]:
        """What cannot be worked out, what is referred to and not there, and the reverse."""
        named = {int(found[1]) for found in PLACE.finditer(text)}
        numbered = dict(enumerate(self._attempts, start=1))
        wrong = [f"There is no sum {number}." for number in sorted(named - numbered.keys())]
        for number, attempt in numbered.items():
            if not attempt.worked:
                wrong.append(f"Sum {number} cannot be worked out: {attempt.why}")
            elif number not in named:
                wrong.append(f"Write {place(number)} in the text where sum {number} belongs.")
        return wrong

    def complete(self, text: str) -> str:
        """The text with a line for each formula that it does not refer to."""
        named = {int(found[1]) for found in PLACE.finditer(text)}
        lines = [
            place(number)
            for number, attempt in enumerate(self._attempts, start=1)
            if attempt.worked and number not in named
        ]
        return "\n".join([text, *lines]) if text.strip() else text

    def placed(self, text: str) -> str:
        """The text with its formulas."""
        return PLACE.sub(lambda found: self._shown(found[1]), text)

    def without(self, text: str) -> str:
        """The text without what refers to formulas."""
        return PLACE.sub(" ", text)

    def shown(self, text: str) -> bool:
        """Does the text refer to a formula that could be worked out?"""
        return any(attempt.worked for attempt in self._within(text))

    def cited(self, text: str) -> tuple[str, ...]:
        """The quotes that the formulas in a text are about."""
        return tuple(dict.fromkeys(id for each in self._within(text) for id in each.cites))

    def failed(self, text: str) -> list[str]:
        """Why formulas in a text could not be worked out."""
        return [each.why for each in self._within(text) if not each.worked]

    def _within(self, text: str) -> Iterator[_Attempt]:
        for found in PLACE.finditer(text):
            yield self._at(found[1])

    def _at(self, number: str) -> _Attempt:
        place = int(number)
        if 1 <= place <= len(self._attempts):
            return self._attempts[place - 1]
        return _Attempt(None, f"There is no sum {place}.", ())

    def _shown(self, number: str) -> str:
        worked = self._at(number).worked
        return worked.formula if worked else UNWORKED


def place(number: int) -> str:
    """How a text refers to its n-th sum."""
    return f"{{sum {number}}}"


def _attempt(asked: Sum, quotes: Mapping[str, str]) -> _Attempt:
    try:
        worked = work_out(asked, quotes)
    except UsageError as error:
        known = (operand.quote for operand in asked.operands if operand.quote in quotes)
        return _Attempt(None, str(error), tuple(dict.fromkeys(known)))
    return _Attempt(worked, "", worked.cites)
