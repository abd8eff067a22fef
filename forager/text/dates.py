"""Dates in a text, as far as they are given: the year, the month, the day."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import NamedTuple

from forager.text.numbers import MONTH

GERMAN = "januar februar märz april mai juni juli august september oktober november dezember"
FRENCH = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
MONTHS: Mapping[str, int] = {
    **{month: number for of in (GERMAN, FRENCH) for number, month in enumerate(of.split(), 1)},
    **{month: int(number) for month, number in MONTH.items()},
    "sept": 9,
}
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_YEAR = r"[0-9]{3,4}"
_DAY = r"[0-9]{1,2}"
BEFORE_CHRIST = r"(?:BCE?|B\.C\.(?:E\.)?|v\. ?Chr\.|av\. ?J\.-C\.)"
DATE = re.compile(
    rf"(?<![A-Za-zÀ-ɏ0-9_.])(?<![0-9],)(?:"
    rf"(?P<y1>[0-9]{{4}})-(?P<m1>{_DAY})-(?P<d1>{_DAY})(?![\w-])"
    rf"|(?P<y2>{_YEAR})年(?:(?P<m2>{_DAY})月(?:(?P<d2>{_DAY})日)?)?"
    rf"|(?P<d3>{_DAY})(?:st|nd|rd|th|er)?\.? (?:of )?(?P<m3>{_MONTH})\b\.?,? (?P<y3>{_YEAR})\b"
    rf"|(?P<m4>{_MONTH})\b\.? (?P<d4>{_DAY})(?:st|nd|rd|th)?,? (?P<y4>{_YEAR})\b"
    rf"|(?P<m5>{_MONTH})\b\.?,? (?:of )?(?P<y5>{_YEAR})\b"
    rf"|(?P<y6>[0-9]{{1,4}}) (?P<bc>{BEFORE_CHRIST})"
    rf"|(?P<y7>1[0-9]{{3}}|20[0-9]{{2}})(?!\w|[.,:][0-9]|-[0-9]{{1,2}}(?![0-9]))"
    rf")",
    re.IGNORECASE,
)
YEAR_MONTHS = 12


class Day(NamedTuple):
    """A date; the month and the day are 0 where they are not given, a year BC is negative."""

    year: int
    month: int = 0
    day: int = 0


class Dated(NamedTuple):
    """A date in a text, at its offsets."""

    start: int
    end: int
    day: Day


def dates(text: str) -> Iterator[Dated]:
    """All dates of a text; years alone are those from 1000 to 2099, and those before Christ."""
    for found in DATE.finditer(text):
        given = {name[0]: value for name, value in found.groupdict().items() if value}
        month = given.get("m", "0").lower()
        number = int(month) if month.isdigit() else MONTHS[month]
        year = int(given["y"]) * (-1 if found["bc"] else 1)
        day = Day(year, number, int(given.get("d", "0")))
        if _exists(day):
            yield Dated(found.start(), found.end(), day)


def days_between(first: Day, second: Day) -> int | None:
    """Whole days; None where one of the dates has no day, or a year that no calendar has."""
    if not (first.day and second.day and first.year > 0 and second.year > 0):
        return None
    return (date(*second) - date(*first)).days


def months_between(first: Day, second: Day) -> int | None:
    """Whole months; None where one of the dates has no month."""
    if not (first.month and second.month):
        return None
    earlier, later = sorted((first, second))
    months = YEAR_MONTHS * _years(earlier, later) + later.month - earlier.month
    full = not (earlier.day and later.day) or later.day >= earlier.day
    return (months if full else months - 1) * (1 if second >= first else -1)


def years_between(first: Day, second: Day) -> int:
    """Whole years, as ages are counted; of years alone, the difference."""
    earlier, later = sorted((first, second))
    months = months_between(earlier, later)
    years = _years(earlier, later) if months is None else months // YEAR_MONTHS
    return years if second >= first else -years


def before(first: Day, second: Day) -> bool | None:
    """Is it the earlier one? None where that cannot be told, as of May 1990 and 1990."""
    for one, other in zip(first, second, strict=True):
        if not (one and other):
            return None if one or other else False
        if one != other:
            return one < other
    return False


def _years(earlier: Day, later: Day) -> int:
    """There is no year 0."""
    return later.year - earlier.year - (earlier.year < 0 < later.year)


def _exists(day: Day) -> bool:
    if not day.year or day.month > YEAR_MONTHS or (day.day and not day.month):
        return False
    try:
        date(abs(day.year), day.month or 1, day.day or 1)
    except ValueError:
        return False
    return True
