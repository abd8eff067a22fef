"""What an address, or the name of a function, says that asking for it does."""

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from forager.codewords import (
    ALTER,
    BAGS,
    COMMANDS,
    LEAVE,
    MANUALS,
    READS,
    READS_LAST,
    UNDO,
    WRITES,
)
from forager.labels import HUMP, weight

TOKEN: Final = re.compile(
    r"csrf|xsrf|token|sectok|nonce|sesskey|authenticity|^_?auth$|^hash$|^sid$"
)
NUMBER: Final = re.compile(r"\d")
FILE: Final = re.compile(r"\.(?:html?|xhtml|md|rst|txt|pdf|png|jpe?g|gif|svg|css|js)$")
WORD: Final = re.compile(r"[^\W_]+")
MOST_WORDS: Final = 3
"""Words of a part of a path that is still a command: `delete-my-account`."""
LAST: Final = 3
"""Parts of a path in which a command stands, counted from its end."""


def address(url: str, label: str = "") -> str:
    """Why a GET of the address may change something, or empty.

    A verb counts with what it is done to beside it: a number, a query, a token, or the same verb as
    the link's label. A page of a manual that is named after a verb does nothing.
    """
    parts = urlsplit(url)
    query = parse_qsl(parts.query, keep_blank_values=True)
    told = weight(label) == "change"
    token = any(TOKEN.search(name.lower()) for name, _ in query)
    if said := _parameter(query, told or token):
        return f"its address says {said!r}"
    segments = [unquote(segment) for segment in parts.path.split("/") if segment]
    if segments and not FILE.search(segments[-1].lower()):
        thing = bool(query) or any(NUMBER.search(segment) for segment in segments)
        if said := _segment(segments, told, token, thing):
            return f"its address says {said!r}"
    return "its address carries a token" if token and told else ""


def command(pair: str) -> str:
    """What a hidden field (`do=edit`) tells a server to do: `change`, `read`, or empty."""
    name, _, value = pair.partition("=")
    words = split(value)
    if not words:
        return ""
    if _changing(words) or (name.lower() == "_method" and words[0] != "get"):
        return "change"
    return "read" if reading(words) else ""


def reading(words: list[str]) -> bool:
    """Does the name of a function say that it only looks?"""
    return bool(words) and (words[0] in READS or words[-1] in READS_LAST)


def altering(words: list[str]) -> bool:
    """Does the name of a function say that it changes something?"""
    return bool(words) and (_changing(words) or words[0] in WRITES)


def split(name: str) -> list[str]:
    """The words of a name in code, in lower case: `deleteItem`, `delete-item`, `delete_item`."""
    return [word.lower() for word in WORD.findall(HUMP.sub(" ", name))]


def _changing(words: list[str]) -> bool:
    return bool({words[0], "".join(words)} & (LEAVE | UNDO | ALTER))


def _parameter(query: Iterable[tuple[str, str]], believed: bool) -> str:
    """The parameter that names what is to be done, if that changes something."""
    for name, value in query:
        words, names = split(value), split(name)
        if name.lower() in COMMANDS and words and _changing(words):
            return f"{name}={value}"
        if value and names and "".join(names) in UNDO | LEAVE:
            return name
        if value and names and names[0] in ALTER and believed:
            return name
    return ""


def _segment(segments: list[str], told: bool, token: bool, thing: bool) -> str:
    """The part of a path that is a command."""
    named = [(segment, split(segment)) for segment in segments]
    named = [(segment, words) for segment, words in named if 0 < len(words) <= MOST_WORDS]
    for segment, words in named:
        if LEAVE & {*words, "".join(words), "".join(words[:2])}:
            return segment
    if MANUALS & {segment.lower() for segment in segments}:
        return ""
    for segment, words in named[-LAST:]:
        sure = bool({words[0], "".join(words)} & UNDO) and (thing or told)
        likely = words[0] in ALTER and (token or (told and thing))
        into_bag = words[0] == "add" and bool(BAGS & {each for _, all in named for each in all})
        if sure or likely or into_bag:
            return segment
    return ""
