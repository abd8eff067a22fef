"""What an address, or the name of a function, says that asking for it does."""

import re
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from forager.browsing.safety.code_words import CODE_WORDS
from forager.browsing.safety.labels import CAMEL_HUMP, label_effect

TOKEN_NAME: Final = re.compile(
    r"csrf|xsrf|token|sectok|nonce|sesskey|authenticity|^_?auth$|^hash$|^sid$"
)
INDEXED_NAME: Final = re.compile(r"([\w@:]+)\[(\w+)\]")
NUMBER: Final = re.compile(r"\d")
FILE_NAME: Final = re.compile(r"\.(?:html?|xhtml|md|rst|txt|pdf|png|jpe?g|gif|svg|css|js)$")
WORD: Final = re.compile(r"[^\W_]+")
MAX_COMMAND_WORDS: Final = 3
"""Words of a part of a path that is still a command: `delete-my-account`."""
REDIRECT_PARAMETERS: Final = frozenset(
    {"return", "returnto", "next", "url", "redirect", "ref", "from", "back"}
)
"""Words of parameters that say where to go afterwards."""
EDIT_COMMANDS: Final = frozenset({"edit", "new", "create", "compose", "reply", "upload"})
"""Commands that open a form to write in."""
COMMAND_SEGMENTS: Final = 3
"""Parts of a path in which a command stands, counted from its end."""


def address_side_effect(url: str, label: str = "") -> str:
    """Why a GET of the address may change something, or empty.

    A verb counts with what it is done to beside it: a number, a query, a token, or the same verb as
    the link's label. A page of a manual that is named after a verb does nothing.
    """
    parts = urlsplit(url)
    query = parse_qsl(parts.query, keep_blank_values=True)
    named = label_effect(label) == "change"
    token = any(value and TOKEN_NAME.search(name.lower()) for name, value in query)
    if said := _changing_parameter(query, named or token):
        return f"its address says {said!r}"
    segments = [unquote(segment) for segment in parts.path.split("/") if segment]
    if segments and not FILE_NAME.search(segments[-1].lower()):
        thing = bool(query) or any(NUMBER.search(segment) for segment in segments)
        if said := _changing_segment(segments, named, token, thing):
            return f"its address says {said!r}"
    return "its address carries a token" if token and named else ""


def is_command_address(url: str) -> bool:
    """Does an address lead to where something is written or done, so that nothing is read there?

    A wiki names pages that do not exist by such addresses.
    """
    does = (command_words(*each) for each in parse_qsl(urlsplit(url).query))
    return any(is_changing_name(words) or EDIT_COMMANDS & {*words[:1]} for words in does)


def command_words(name: str, value: str) -> list[str]:
    """What a field tells a server to do, in words (`do=edit`, `do[edit]=1`), if it does."""
    if (found := INDEXED_NAME.fullmatch(name)) and found[1].lower() in CODE_WORDS.commands:
        return split_identifier(found[2])
    return split_identifier(value) if name.lower() in CODE_WORDS.commands else []


def command_effect(pair: str) -> str:
    """What a field (`do=edit`) tells a server to do: `change`, `read`, or empty."""
    name, _, value = pair.partition("=")
    words = command_words(name, value)
    if is_changing_name(words) or (words and name.lower() == "_method" and words[0] != "get"):
        return "change"
    return "read" if is_reading_name(words) else ""


def is_reading_name(words: list[str]) -> bool:
    """Does the name of a function say that it only looks?"""
    first, last = words[:1], words[-1:]
    joined = any(word.startswith(CODE_WORDS.reads_joined) or "search" in word for word in words)
    return bool(CODE_WORDS.reads & {*first} or CODE_WORDS.reads_last & {*last}) or joined


def is_changing_name(words: list[str]) -> bool:
    """Does the name of a function say that it changes something?"""
    return bool(words) and (_has_change_verb(words) or words[0] in CODE_WORDS.writes)


def split_identifier(name: str) -> list[str]:
    """The words of a name in code, in lower case: `deleteItem`, `delete-item`, `delete_item`."""
    return [word.lower() for word in WORD.findall(CAMEL_HUMP.sub(" ", name))]


def _has_change_verb(words: list[str]) -> bool:
    return bool(
        {words[0], "".join(words)} & (CODE_WORDS.leave | CODE_WORDS.undo | CODE_WORDS.alter)
    )


def _changing_parameter(query: list[tuple[str, str]], believed: bool) -> str:
    """The parameter that names what is to be done, if that changes something."""
    does = [
        (f"{name}={value}", words) for name, value in query if (words := command_words(name, value))
    ]
    sure = CODE_WORDS.leave | CODE_WORDS.undo | (CODE_WORDS.alter if believed else frozenset())
    if said := next((said for said, words in does if sure & {words[0], "".join(words)}), ""):
        return said
    for name, value in query:
        words, names = split_identifier(value), split_identifier(name)
        if name.lower() in CODE_WORDS.searched or REDIRECT_PARAMETERS & {*names} or not value:
            continue
        if CODE_WORDS.leave & {*words[-2:], "".join(words)} and len(words) <= MAX_COMMAND_WORDS:
            return f"{name}={value}"
        alters = believed and names[:1] and names[0] in CODE_WORDS.alter
        named = "".join(names) in CODE_WORDS.undo | CODE_WORDS.leave or alters
        if named and not any(is_reading_name(words) for _, words in does):
            return name
    return ""


def _changing_segment(segments: list[str], labelled: bool, token: bool, thing: bool) -> str:
    """The part of a path that is a command."""
    parts = [(segment, split_identifier(segment)) for segment in segments]
    parts = [(segment, words) for segment, words in parts if 0 < len(words) <= MAX_COMMAND_WORDS]
    for segment, words in parts:
        if CODE_WORDS.leave & {*words, "".join(words), "".join(words[:2])}:
            return segment
    if CODE_WORDS.manuals & {segment.lower() for segment in segments}:
        return ""
    for segment, words in parts[-COMMAND_SEGMENTS:]:
        sure = bool({words[0], "".join(words)} & CODE_WORDS.undo) and (thing or labelled)
        likely = words[0] in CODE_WORDS.alter and (token or (labelled and thing))
        into_bag = words[0] == "add" and any(CODE_WORDS.bags & {*all} for _, all in parts)
        if sure or likely or into_bag:
            return segment
    return ""
