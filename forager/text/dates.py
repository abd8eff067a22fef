"""Finds dates in a text, complete or partial: a year, a month, a day."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final, NamedTuple

from forager.data.word_lists import ByLanguage, WordLists, all_words, match_any, read_word_lists


class DateWords(WordLists):
    """The lists of `data/dates.toml`, where each is explained."""

    months: Mapping[int, ByLanguage]
    before_christ: ByLanguage


WORDS: Final = read_word_lists("dates", DateWords)
MONTHS: Mapping[str, int] = {
    **{word: month for month, lists in WORDS.months.items() for word in all_words(lists)},
    "sept": 9,  # not in the lists, since it is a number in French
}
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_YEAR = r"[0-9]{3,4}"
_DAY = r"[0-9]{1,2}"
BEFORE_CHRIST = match_any(all_words(WORDS.before_christ))
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
MONTHS_A_YEAR = 12


class PartialDate(NamedTuple):
    """A date; month and day are 0 if they are not given, and years BC are negative."""

    year: int
    month: int = 0
    day: int = 0


class FoundDate(NamedTuple):
    """A date and its offsets in a text."""

    start: int
    end: int
    day: PartialDate


def find_dates(text: str) -> Iterator[FoundDate]:
    """Find all dates of a text; a bare year must be between 1000 and 2099, or marked as BC."""
    for found in DATE.finditer(text):
        given = {name[0]: value for name, value in found.groupdict().items() if value}
        month = given.get("m", "0").lower()
        number = int(month) if month.isdigit() else MONTHS[month]
        year = int(given["y"]) * (-1 if found["bc"] else 1)
        day = PartialDate(year, number, int(given.get("d", "0")))
        if _is_valid(day):
            yield FoundDate(found.start(), found.end(), day)


def days_between(first: PartialDate, second: PartialDate) -> int | None:
    """Whole days between two dates; None if one of them has no day or is BC."""
    if not (first.day and second.day and first.year > 0 and second.year > 0):
        return None
    return (date(*second) - date(*first)).days


def months_between(first: PartialDate, second: PartialDate) -> int | None:
    """Whole months between two dates; None if one of them has no month."""
    if not (first.month and second.month):
        return None
    earlier, later = sorted((first, second))
    months = MONTHS_A_YEAR * _year_difference(earlier, later) + later.month - earlier.month
    full = not (earlier.day and later.day) or later.day >= earlier.day
    return (months if full else months - 1) * (1 if second >= first else -1)


def years_between(first: PartialDate, second: PartialDate) -> int:
    """Whole years between two dates, as ages are counted; between bare years, the difference."""
    earlier, later = sorted((first, second))
    months = months_between(earlier, later)
    years = _year_difference(earlier, later) if months is None else months // MONTHS_A_YEAR
    return years if second >= first else -years


def is_before(first: PartialDate, second: PartialDate) -> bool | None:
    """Is the first date earlier? None if that is undecidable, as for May 1990 and 1990."""
    for one, other in zip(first, second, strict=True):
        if not (one and other):
            return None if one or other else False
        if one != other:
            return one < other
    return False


def _year_difference(earlier: PartialDate, later: PartialDate) -> int:
    """The difference of the years, considering that there is no year 0."""
    return later.year - earlier.year - (earlier.year < 0 < later.year)


def _is_valid(day: PartialDate) -> bool:
    if not day.year or day.month > MONTHS_A_YEAR or (day.day and not day.month):
        return False
    try:
        date(abs(day.year), day.month or 1, day.day or 1)
    except ValueError:
        return False
    return True
