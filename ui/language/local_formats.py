"""Numbers and times as a language writes them."""

import time
from typing import Final, NamedTuple


class Locale(NamedTuple):
    """The marks of numbers, where an amount stands beside its `$`, a time for `strftime`."""

    thousands: str
    decimal: str
    dollars: str
    time: str


LOCALES: Final = {
    "en": Locale(",", ".", "${}", "%Y-%m-%d %H:%M"),
    "de": Locale(".", ",", "{} $", "%d.%m.%Y, %H:%M"),
    "zh": Locale(",", ".", "${}", "%Y年%m月%d日 %H:%M"),
}


def format_number(language: str, number: float, digits: int = 0) -> str:
    """A number with thousands set apart, and so many digits after the decimal mark."""
    locale = LOCALES[language]
    marks = str.maketrans(",.", f"{locale.thousands}{locale.decimal}")
    return f"{number:,.{digits}f}".translate(marks)


def format_dollars(language: str, amount: float, digits: int) -> str:
    """An amount of US dollars."""
    return LOCALES[language].dollars.format(format_number(language, amount, digits))


def format_moment(language: str, seconds: float) -> str:
    """Seconds since the epoch as local time."""
    return time.strftime(LOCALES[language].time, time.localtime(seconds))
