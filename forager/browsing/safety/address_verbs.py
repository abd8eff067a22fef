"""What an address, or the name of a function, says that asking for it does."""

import re
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from forager.browsing.safety.code_words import WORDS
from forager.browsing.safety.labels import HUMP, weight

TOKEN: Final = re.compile(
    r"csrf|xsrf|token|sectok|nonce|sesskey|authenticity|^_?auth$|^hash$|^sid$"
)
INDEXED: Final = re.compile(r"([\w@:]+)\[(\w+)\]")
NUMBER: Final = re.compile(r"\d")
FILE: Final = re.compile(r"\.(?:html?|xhtml|md|rst|txt|pdf|png|jpe?g|gif|svg|css|js)$")
WORD: Final = re.compile(r"[^\W_]+")
MOST_WORDS: Final = 3
"""Words of a part of a path that is still a command: `delete-my-account`."""
AFTERWARDS: Final = frozenset(
    {"return", "returnto", "next", "url", "redirect", "ref", "from", "back"}
)
"""Words of parameters that say where to go afterwards."""
WRITING: Final = frozenset({"edit", "new", "create", "compose", "reply", "upload"})
"""Commands that open a form to write in."""
LAST: Final = 3
"""Parts of a path in which a command stands, counted from its end."""


def address(url: str, label: str = "") -> str:
    """Why a GET of the address may change something, or empty.

    A verb counts with what it is done to beside it: a number, a query, a token, or the same verb as
    the link's label. A page of a manual that is named after a verb does nothing.
    """
    parts = urlsplit(url)
    query = parse_qsl(parts.query, keep_blank_values=True)
    named = weight(label) == "change"
    token = any(value and TOKEN.search(name.lower()) for name, value in query)
    if said := _parameter(query, named or token):
        return f"its address says {said!r}"
    segments = [unquote(segment) for segment in parts.path.split("/") if segment]
    if segments and not FILE.search(segments[-1].lower()):
        thing = bool(query) or any(NUMBER.search(segment) for segment in segments)
        if said := _segment(segments, named, token, thing):
            return f"its address says {said!r}"
    return "its address carries a token" if token and named else ""


def writes(url: str) -> bool:
    """Does an address lead to where something is written or done, so that nothing is read there?

    A wiki names pages that do not exist by such addresses.
    """
    does = (told(*each) for each in parse_qsl(urlsplit(url).query))
    return any(altering(words) or WRITING & {*words[:1]} for words in does)


def told(name: str, value: str) -> list[str]:
    """What a field tells a server to do, in words (`do=edit`, `do[edit]=1`), if it does."""
    if (found := INDEXED.fullmatch(name)) and found[1].lower() in WORDS.commands:
        return split(found[2])
    return split(value) if name.lower() in WORDS.commands else []


def command(pair: str) -> str:
    """What a field (`do=edit`) tells a server to do: `change`, `read`, or empty."""
    name, _, value = pair.partition("=")
    words = told(name, value)
    if altering(words) or (words and name.lower() == "_method" and words[0] != "get"):
        return "change"
    return "read" if reading(words) else ""


def reading(words: list[str]) -> bool:
    """Does the name of a function say that it only looks?"""
    first, last = words[:1], words[-1:]
    joined = any(word.startswith(WORDS.reads_joined) or "search" in word for word in words)
    return bool(WORDS.reads & {*first} or WORDS.reads_last & {*last}) or joined


def altering(words: list[str]) -> bool:
    """Does the name of a function say that it changes something?"""
    return bool(words) and (_changing(words) or words[0] in WORDS.writes)


def split(name: str) -> list[str]:
    """The words of a name in code, in lower case: `deleteItem`, `delete-item`, `delete_item`."""
    return [word.lower() for word in WORD.findall(HUMP.sub(" ", name))]


def _changing(words: list[str]) -> bool:
    return bool({words[0], "".join(words)} & (WORDS.leave | WORDS.undo | WORDS.alter))


def _parameter(query: list[tuple[str, str]], believed: bool) -> str:
    """The parameter that names what is to be done, if that changes something."""
    does = [(f"{name}={value}", words) for name, value in query if (words := told(name, value))]
    sure = WORDS.leave | WORDS.undo | (WORDS.alter if believed else frozenset())
    if said := next((said for said, words in does if sure & {words[0], "".join(words)}), ""):
        return said
    for name, value in query:
        words, names = split(value), split(name)
        if name.lower() in WORDS.searched or AFTERWARDS & {*names} or not value:
            continue
        if WORDS.leave & {*words[-2:], "".join(words)} and len(words) <= MOST_WORDS:
            return f"{name}={value}"
        alters = believed and names[:1] and names[0] in WORDS.alter
        named = "".join(names) in WORDS.undo | WORDS.leave or alters
        if named and not any(reading(words) for _, words in does):
            return name
    return ""


def _segment(segments: list[str], labelled: bool, token: bool, thing: bool) -> str:
    """The part of a path that is a command."""
    parts = [(segment, split(segment)) for segment in segments]
    parts = [(segment, words) for segment, words in parts if 0 < len(words) <= MOST_WORDS]
    for segment, words in parts:
        if WORDS.leave & {*words, "".join(words), "".join(words[:2])}:
            return segment
    if WORDS.manuals & {segment.lower() for segment in segments}:
        return ""
    for segment, words in parts[-LAST:]:
        sure = bool({words[0], "".join(words)} & WORDS.undo) and (thing or labelled)
        likely = words[0] in WORDS.alter and (token or (labelled and thing))
        into_bag = words[0] == "add" and any(WORDS.bags & {*all} for _, all in parts)
        if sure or likely or into_bag:
            return segment
    return ""
