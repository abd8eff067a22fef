"""Does a question ask for something to be worked out, and of which things?

Only questions of a few plain forms are taken, those that name each thing: a wrong formula is worse
than none.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from forager.answers.arithmetic import Operation
from forager.comparatives import COMPARED, COUNTED, FEWER, MEASURED, MORE, PLAIN, Measure
from forager.forms import FORMS, Form
from forager.text.tokens import keywords
from forager.text.units import named

LEADS: Mapping[str, tuple[str, str, str]] = {
    "en": ("Worked out", "Yes", "No"),
    "de": ("Berechnet", "Ja", "Nein"),
    "fr": ("Calculé", "Oui", "Non"),
    "zh": ("计算", "是", "否"),
}
LONGEST = 200
LISTS: frozenset[Operation] = frozenset(["sum", "greatest"])
LISTED = re.compile(r",\s+(?!\d)|、")
COMPOUND = re.compile(
    r"\b(?:combined|multiplied|divided|sum|on the days?|respective|or|it|they"
    r"|(?:when|als|wenn|quand) (?:he|she|it|they|er|sie|il|elle))\b"
)
"""Words of things that have no value of their own: more than one step would be needed."""


class Wanted(NamedTuple):
    """The operation, a text for each thing that has a value, and what is measured of them.

    `nouns` are the words for what is counted; `turned` when the second thing comes first, and
    `sorted` when the greater one does. `lead` begins the line of the formula, `yes` and `no` that
    of a comparison.
    """

    operation: Operation
    sides: tuple[str, ...]
    measure: Measure
    nouns: tuple[str, ...] = ()
    turned: bool = False
    sorted: bool = False
    lead: str = "Worked out"
    yes: str = "Yes"
    no: str = "No"


def wanted(question: str) -> Wanted | None:
    """What is to be worked out; None where nothing is, or the things are not named."""
    plain = " ".join(question.split())
    for form in FORMS:
        found = form.pattern.search(plain)
        read = _read(form, found) if found else None
        if read:
            lead, yes, no = LEADS[form.language]
            return read._replace(lead=lead, yes=yes, no=no)
    return None


def _read(form: Form, found: re.Match[str]) -> Wanted | None:
    """What a form wants; None where its words name nothing that is measured or counted."""
    given = {name: (value or "").strip() for name, value in found.groupdict().items()}
    sides = _sides(form.operation, given["a"], given["b"])
    unit, noun, word = (given.get(name, "").lower() for name in ("unit", "noun", "cmp"))
    compared = COMPARED.get(word.removeprefix("more ").strip())
    if not sides or unit == "times" or (word and not compared):
        return None
    if form.operation == "years":
        return Wanted(_span(unit), sides, MEASURED["year"])
    counts = compared in (MORE, FEWER) or form.operation in ("sum", "ratio")
    measure, nouns = _measure(compared, [unit, *noun.split()], counts)
    if measure is None:
        return None
    operation: Operation = form.operation
    if operation == "difference" and "date" in measure.quantities:
        operation = _span(unit)
    if operation == "greatest" and measure.falls:
        operation = "least"
    sorted = compared is None or "by how" in form.pattern.pattern
    return Wanted(operation, sides, measure, nouns, turned=measure.falls, sorted=sorted)


def _sides(operation: Operation, first: str, last: str) -> tuple[str, ...]:
    """The things, each with words of its own; none where one of them has none."""
    sides = (*LISTED.split(first.rstrip(", ")), last) if operation in LISTS else (first, last)
    named = all(map(keywords, sides)) and max(map(len, sides)) <= LONGEST
    plain = not first.endswith(" or") and not any(map(COMPOUND.search, sides))
    return sides if named and plain else ()


def _span(unit: str) -> Operation:
    found = named(unit)
    if found and found.symbol == "months":
        return "months"
    return "days" if found and found.quantity == "time" else "years"


def _measure(
    compared: Measure | None, words: list[str], counts: bool
) -> tuple[Measure | None, tuple[str, ...]]:
    """What is measured by a comparative, a unit, a noun; any noun will do for what is counted."""
    base = compared or Measure(PLAIN)
    words = [word for word in words if word]
    for word in words:
        unit = named(word)
        if unit and "date" not in base.quantities:
            return base._replace(quantities=frozenset([unit.quantity])), ()
        if word in MEASURED:
            return MEASURED[word]._replace(falls=base.falls), ()
        if word in COUNTED:
            return base._replace(quantities=PLAIN), (word,)
    if compared and compared.quantities:
        return compared, ()
    return (base, tuple(words)) if counts and words else (None, ())
