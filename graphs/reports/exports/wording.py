"""The words of a document in the language of its reader."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, NamedTuple


class Wording(NamedTuple):
    """A language: its tag for `lang`, how it says an English text, and how it writes a number with
    so many digits after the decimal mark."""

    tag: str = "en"
    say: Callable[[str], str] = str
    number: Callable[[float, int], str] = "{:,.{}f}".format


ENGLISH: Final = Wording()
_of_document: ContextVar[Wording] = ContextVar("wording", default=ENGLISH)


@contextmanager
def speak(wording: Wording) -> Iterator[None]:
    """Write the documents made meanwhile in a language."""
    before = _of_document.set(wording)
    try:
        yield
    finally:
        _of_document.reset(before)


def language_tag() -> str:
    """The language of the document."""
    return _of_document.get().tag


def say(text: str) -> str:
    """A text of ours, whose values stand in it, in the language of the document."""
    return _of_document.get().say(text)


def write_number(number: float, digits: int = 0) -> str:
    """A number as the language of the document writes it."""
    return _of_document.get().number(number, digits)
