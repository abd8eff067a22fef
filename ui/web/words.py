"""The texts of the pages in the language of whoever looks at them.

`say` takes an English text, which is its key in the catalogues of `ui.language`. What is shown
elsewhere than where it stands, such as a table of a module, is marked with `later` there, and given
to `say` where it is shown.
"""

import streamlit as st

from ui.language.catalogue import (
    Value,
    later,
    pick_language,
    translate,
    translate_count,
    translate_told,
)
from ui.language.local_formats import format_dollars, format_moment, format_number
from ui.server.backend import find_backend

__all__ = [
    "later",
    "local_dollars",
    "local_number",
    "local_time",
    "page_language",
    "say",
    "say_count",
    "say_told",
]


def page_language() -> str:
    """The language of this page: that of the settings, or else of the browser."""
    backend = find_backend()
    setting = backend.settings.language if backend else "browser"
    return pick_language(setting, st.context.locale)


def say(text: str, **values: Value) -> str:
    """A text, with values in the place of `{name}`."""
    return translate(page_language(), text, values)


def say_count(n: int, one: str, many: str, **values: Value) -> str:
    """A text about a number `{n}`, of one for a single thing and one for any other number."""
    return translate_count(page_language(), n, (one, many), values)


def say_told(text: str) -> str:
    """What the server said, where the catalogue knows it."""
    return translate_told(page_language(), text)


def local_number(number: float, digits: int = 0) -> str:
    """A number as the language of the page writes it."""
    return format_number(page_language(), number, digits)


def local_dollars(amount: float, digits: int = 2) -> str:
    """An amount of US dollars as the language of the page writes it."""
    return format_dollars(page_language(), amount, digits)


def local_time(seconds: float) -> str:
    """Seconds since the epoch as local time, as the language of the page writes it."""
    return format_moment(page_language(), seconds)
