"""Judges by the verbs in a URL or a function name whether requesting it changes something.

A visit is judged by its address and by the links that lead to it.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from forager.browsing.safety.code_words import CODE_WORDS
from forager.browsing.safety.labels import (
    CAMEL_HUMP,
    commanded_change,
    is_logout_label,
)
from forager.domain.actions import Action
from forager.domain.documents import Document
from forager.domain.state import State
from forager.domain.urls import page_identity, pages_at_hand
from forager.errors import MissingBlobError
from forager.ports import Blobs

ADDRESS_REASON: Final = "Following it may change something on the server:"
TOKEN_NAME: Final = re.compile(
    r"csrf|xsrf|token|sectok|nonce|sesskey|authenticity|^_?auth$|^hash$|^sid$"
)
INDEXED_NAME: Final = re.compile(r"([\w@:]+)\[(\w+)\]")
NUMBER: Final = re.compile(r"\d")
FILE_NAME: Final = re.compile(r"\.(?:html?|xhtml|md|rst|txt|pdf|png|jpe?g|gif|svg|css|js)$")
PROGRAM: Final = re.compile(r"\.(?:cgi|pl|do|action|asp)$")
YEAR: Final = re.compile(r"(?:19|20)\d\d")
VERSION: Final = re.compile(rf"v?\d+(?:\.\d+)+|v\d+|{YEAR.pattern}")
SQL_CHANGE: Final = re.compile(
    r"\s*(?:drop|truncate|alter|create|insert|replace|update|delete)\s+\w", re.IGNORECASE
)
WORD: Final = re.compile(r"[^\W_]+")
MAX_COMMAND_WORDS: Final = 3
"""The most words of a path segment that still is a command, such as `delete-my-account`."""
REDIRECT_PARAMETERS: Final = frozenset(
    {"return", "returnto", "next", "url", "redirect", "ref", "from", "back"}
)
"""Words in the names of parameters that say where to go afterwards."""
EDIT_COMMANDS: Final = frozenset({"edit", "new", "create", "compose", "reply", "upload"})
"""Commands that open a form for editing."""
MAX_VERB_WORDS: Final = 2
"""The most words of a path segment whose verb commands a change of what a number names."""
MAX_PARTICLE: Final = 3
"""The most letters of a word that an address named after its label may leave out."""
WEAKER_VERBS: Final = CODE_WORDS.alter | CODE_WORDS.acts
COMMAND_SEGMENTS: Final = 3
"""A command is one of the last three segments of a path."""


@dataclass(frozen=True)
class Hints:
    """What makes a verb in an address a command rather than the name of a page."""

    labelled: bool
    """The text of the link says a change too."""
    token: bool
    """A parameter protects against forged requests."""
    has_object: bool
    """A query, or a number in the path."""
    numbered: bool
    """A number in the query, or a path segment that is one."""

    @classmethod
    def of_link(cls, segments: list[str], query: list[tuple[str, str]], label: str) -> "Hints":
        """The hints in a link's path, query and text."""
        return cls(
            labelled=bool(commanded_change(label)),
            token=any(value and TOKEN_NAME.search(name.lower()) for name, value in query),
            has_object=bool(query) or _names_object(segments),
            numbered=any(NUMBER.search(value) for _, value in query)
            or (_names_object(segments) and any(each.isdigit() for each in segments)),
        )


def address_side_effect(url: str, label: str = "") -> str:
    """Why a GET of the URL may change something; empty if it does not look so.

    A verb counts only together with an object: a number, a query, a token, or a label of the link
    that says the same. A manual's page named after a verb does not count.
    """
    parts = urlsplit(url)
    query = _query_pairs(parts.query)
    segments = [unquote(segment) for segment in parts.path.split("/") if segment]
    hints = Hints.of_link(segments, query, label)
    if found := _changing_parameter(query, hints.labelled or hints.token):
        return f"its address says {found!r}"
    is_page = names_file(url) and not any(NUMBER.search(value) for _, value in query)
    if not is_page and (found := _changing_segment(segments, hints)):
        return f"its address says {found!r}"
    return "its address carries a token" if hints.token and hints.labelled else ""


def link_side_effect(url: str, texts: Iterable[str] = ()) -> str:
    """Why following a link may change something, by its URL and texts; empty if it looks safe.

    A link that logs out says so by its text alone, and so do links to a page that all command a
    change, unless its address is named after the command, as in a manual.
    """
    known = tuple(filter(None, texts))
    leaving = tuple(filter(is_logout_label, known))
    if leaving and (leaving == known or not names_file(url)):
        return f"{leaving[0]!r} ends the session"
    if found := next(filter(None, (address_side_effect(url, text) for text in known or ("",))), ""):
        return found
    return f"its link says {known[0]!r}" if known and _command_a_change(url, known) else ""


def following_reason(why: str) -> str:
    """The reason for asking before a link is followed; empty without a cause."""
    return f"{ADDRESS_REASON} {why}." if why else ""


def _command_a_change(url: str, texts: Iterable[str]) -> bool:
    parts = urlsplit(url)
    named = {_singular(word) for word in split_identifier(unquote(parts.path))}
    pairs = _query_pairs(parts.query)
    searches = any(name.lower() in {*CODE_WORDS.searched, "title"} for name, _ in pairs)
    if searches or any(command_effect("=".join(pair)) == "read" for pair in pairs):
        return False
    return all(commanded_change(text) and not _is_named(text, named) for text in texts)


def _is_named(label: str, named: set[str]) -> bool:
    words = _name_words(label)
    return bool(words) and words <= named


def _name_words(label: str) -> set[str]:
    words = [_singular(word) for word in split_identifier(label)]
    return {word for word in words if len(word) > MAX_PARTICLE or not word.isascii()} or {*words}


def _singular(word: str) -> str:
    return word.removesuffix("s")


def _names_object(segments: list[str]) -> bool:
    """Does a path name a thing: by a number that is no version or date, or as a program's input?"""
    if segments and PROGRAM.search(segments[-1].lower()):
        return True
    dated = any(YEAR.fullmatch(each) for each in segments)
    return any(
        NUMBER.search(each)
        and not VERSION.fullmatch(each)
        and not (dated and each.isdigit() and len(each) <= len("31"))
        for each in segments
    )


def _query_pairs(query: str) -> list[tuple[str, str]]:
    return parse_qsl(query.replace(";", "&"), keep_blank_values=True)


def names_file(url: str) -> bool:
    """Does the path of a URL end with the name of a file, such as a page of a manual?"""
    return bool(FILE_NAME.search(urlsplit(url).path.lower()))


def is_command_address(url: str) -> bool:
    """Does a URL command an edit or another change, so that there is nothing to read?

    Wikis link to missing pages with such URLs.
    """
    commands = (command_words(*each) for each in _query_pairs(urlsplit(url).query))
    return any(is_changing_name(words) or EDIT_COMMANDS & {*words[:1]} for words in commands)


def command_words(name: str, value: str) -> list[str]:
    """The words of the command in a field (`do=edit`, `do[edit]=1`); empty if it has none."""
    if (found := INDEXED_NAME.fullmatch(name)) and found[1].lower() in CODE_WORDS.commands:
        return split_identifier(found[2])
    value = value.rpartition(".")[2]
    return split_identifier(value) if name.lower() in CODE_WORDS.commands else []


def command_effect(pair: str) -> str:
    """The effect of a field's command (`do=edit`): `change`, `read`, or empty."""
    name, _, value = pair.partition("=")
    words = command_words(name, value)
    if is_changing_name(words) or (words and name.lower() == "_method" and words[0] != "get"):
        return "change"
    return "read" if is_reading_name(words) else ""


def is_reading_name(words: list[str]) -> bool:
    """Does the name of a function say that it only reads?"""
    first, last = words[:1], words[-1:]
    joined = any(word.startswith(CODE_WORDS.reads_joined) or "search" in word for word in words)
    return bool(CODE_WORDS.reads & {*first} or CODE_WORDS.reads_last & {*last}) or joined


def is_changing_name(words: list[str]) -> bool:
    """Does the name of a function say that it changes something?"""
    return bool(words) and (_has_change_verb(words) or words[0] in CODE_WORDS.writes)


def split_identifier(name: str) -> list[str]:
    """Split an identifier (`deleteItem`, `delete-item`, `delete_item`) into words in lower case."""
    return [word.lower() for word in WORD.findall(CAMEL_HUMP.sub(" ", name))]


def _has_change_verb(words: list[str]) -> bool:
    return bool({words[0], "".join(words)} & (CODE_WORDS.leave | CODE_WORDS.undo | WEAKER_VERBS))


def _changing_parameter(query: list[tuple[str, str]], believed: bool) -> str:
    """The parameter that names a change; empty if there is none. `believed` trusts weaker verbs."""
    commands = [
        (f"{name}={value}", words) for name, value in query if (words := command_words(name, value))
    ]
    verbs = CODE_WORDS.leave | CODE_WORDS.undo
    likely = verbs | WEAKER_VERBS | (CODE_WORDS.writes if believed else frozenset())
    for found, words in commands:
        sure = believed or found.partition("=")[0].lower() in CODE_WORDS.sure_commands
        if (likely if sure else verbs) & {words[0], "".join(words)}:
            return found
    for name, value in query:
        words, names = split_identifier(value), split_identifier(name)
        if name.lower() in CODE_WORDS.searched or REDIRECT_PARAMETERS & {*names} or not value:
            continue
        if "sql" in names and SQL_CHANGE.match(value):
            return name
        if CODE_WORDS.leave & {*words[-2:], "".join(words)} and len(words) <= MAX_COMMAND_WORDS:
            return f"{name}={value}"
        alters = believed and names[:1] and names[0] in WEAKER_VERBS
        named = "".join(names) in CODE_WORDS.undo | CODE_WORDS.leave or alters
        if named and not any(is_reading_name(words) for _, words in commands):
            return name
    return ""


def _changing_segment(segments: list[str], hints: Hints) -> str:
    """The path segment that commands a change; empty if there is none."""
    split_segments = [(each, split_identifier(FILE_NAME.sub("", each))) for each in segments]
    split_segments = [
        (segment, words) for segment, words in split_segments if 0 < len(words) <= MAX_COMMAND_WORDS
    ]
    manual = bool(CODE_WORDS.manuals & {segment.lower() for segment in segments})
    for segment, words in split_segments:
        whole = "".join(split_identifier(segment.rpartition(":")[2]))
        parts = set() if manual else {*words, "".join(words), "".join(words[:2])}
        if CODE_WORDS.leave & {whole, *parts}:
            return segment
    if manual:
        return ""
    folders = {word for _, words in split_segments for word in words}
    return next(
        (
            segment
            for segment, words in split_segments[-COMMAND_SEGMENTS:]
            if _is_command(segment, words, folders, hints)
        ),
        "",
    )


def _is_command(segment: str, words: list[str], folders: set[str], hints: Hints) -> bool:
    undoes = bool({words[0], "".join(words)} & CODE_WORDS.undo)
    undoes = undoes and (len(words) <= MAX_VERB_WORDS or hints.labelled or hints.token)
    if words[0] in WEAKER_VERBS:
        called = "_" in segment and segment.islower()
        likely = called or hints.token or (hints.labelled and hints.has_object)
    else:
        likely = undoes and (hints.has_object or hints.labelled)
    return (
        likely
        or (len(words) == 1 and words[0] in CODE_WORDS.acts and hints.numbered)
        or (words[0] == "add" and bool(CODE_WORDS.bags & folders))
        or ((undoes or words[0] in WEAKER_VERBS) and bool(CODE_WORDS.admin & folders))
    )


def visit_side_effect(state: State, blobs: Blobs, action: Action) -> str:
    """Why the visit may change something on the server; empty if it does not look so.

    An address that the user gave is visited as given, and the survey has judged the links to its
    pages. Raises StoreError.
    """
    target = page_identity(action.target)
    if action.kind != "visit" or target in map(page_identity, state.question.sites):
        return ""
    ranked = any(page_identity(arm.url) == target for arm in state.arms)
    return link_side_effect(action.target, () if ranked else link_texts(state, blobs, target))


def link_texts(state: State, blobs: Blobs, url: str) -> Iterator[str]:
    """The texts of the links to a page, on the pages that the run has opened or recalled.

    Raises StoreError.
    """
    target = page_identity(url)
    for page in (*(step.page for step in state.steps if step.page), *pages_at_hand(state)):
        with suppress(MissingBlobError):
            document = Document.model_validate_json(blobs.get(page.blob))
            yield from (link.text for link in document.links if page_identity(link.url) == target)
