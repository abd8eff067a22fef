"""What a request that an action set off says of the server's state."""

import json
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from forager.browsing.safety.address_verbs import (
    TOKEN_NAME,
    command_words,
    is_changing_name,
    is_reading_name,
    split_identifier,
)
from forager.browsing.safety.code_words import CODE_WORDS
from forager.domain.browser import SentRequest

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
FORM_RESOURCES: Final = frozenset({"document", ""})
PREVIEW_WORDS: Final = frozenset({"preview", "diff", "search"})
PREVIEW_BUTTON_WORDS: Final = frozenset({"wp", "submit", "button", "btn", "show", "changes"})
"""Words of the names of buttons that only show, and such as stand beside them."""
FORM_COMMANDS: Final = frozenset({"edit", "new", "form"})
"""Commands that open a form, or say of what kind the one is that was sent."""
MUTATION: Final = re.compile(r"(?:^|[}\n])\s*mutation\b|\bmutation\s*\w*\s*[({]")
METHOD_NAME: Final = re.compile(r"<methodName>([^<]+)</methodName>")
JSON_MEMBER: Final = re.compile(r'"(\w+)"\s*:\s*"((?:[^"\\]|\\.)*)')
MULTIPART_FIELD: Final = re.compile(r'name="([^"]*)"\r?\n(?:[^\r\n]+\r?\n)*\r?\n([^\r\n]*)')
MAX_SEARCH_FIELDS: Final = 4
"""Fields that a search has at the most."""


def request_side_effect(sent: SentRequest, suspected: bool) -> str:
    """Why a request changes something on the server, or empty.

    `suspected` where the action looked as if it would: a message of which nothing else is known
    (a beacon, a socket's) is held for a change then.
    """
    method = sent.method.upper()
    words = [
        word
        for part in unquote(urlsplit(sent.url).path).split("/")
        for word in split_identifier(part)
    ]
    if method in SAFE_METHODS:
        return ""
    if method != "POST" and sent.resource != "websocket":
        harmless = False
    elif sent.resource in FORM_RESOURCES:
        harmless = _form_only_reads(sent, words)
    elif CODE_WORDS.telling & set(words[-2:]) or sent.resource == "cspviolationreport":
        harmless = True
    elif sent.resource in {"websocket", "ping", "beacon"}:
        harmless = not suspected
    else:
        harmless = _script_only_reads(sent, words)
    return "" if harmless else f"It sent {method} {sent.url.partition('?')[0]}."


def _form_only_reads(sent: SentRequest, words: list[str]) -> bool:
    """Does a form that was sent only look? Its address, its fields or its button say so."""
    there, pairs = parse_qsl(urlsplit(sent.url).query), _parse_fields(sent.payload)
    does = [words for name, value in pairs if (words := command_words(name, value))]
    if any(is_changing_name(each) for each in (*does, *(command_words(*each) for each in there))):
        return False
    if any(value and _is_preview_button(split_identifier(name)) for name, value in pairs):
        return True
    if does:
        return all(is_reading_name(each) and each[0] not in FORM_COMMANDS for each in does)
    names = {name.lower() for name, value in pairs if value and not TOKEN_NAME.search(name.lower())}
    return bool(CODE_WORDS.looking & set(words[-1:])) or (
        bool(names & CODE_WORDS.searched) and len(names) < MAX_SEARCH_FIELDS
    )


def _is_preview_button(words: list[str]) -> bool:
    """Is it the name of a button that only shows, as `wpPreview`?"""
    return bool(PREVIEW_WORDS & {*words}) and {*words} <= PREVIEW_BUTTON_WORDS | PREVIEW_WORDS


def _script_only_reads(sent: SentRequest, words: list[str]) -> bool:
    """Does a script's POST only ask? It says so in GraphQL, by a method's name, or its address."""
    body = _parse_body(sent.payload)
    if "graphql" in words or any("{" in str(each.get("query", "")) for each in body):
        return bool(body) and not any(_is_mutation(each) for each in body)
    if calls := [*_called_functions(sent, body)]:
        return all(is_reading_name(call) and not is_changing_name(call) for call in calls)
    last = split_identifier(unquote(urlsplit(sent.url).path.rstrip("/").rpartition("/")[2]))
    if is_changing_name(last):
        return False
    names = {name.lower() for each in body for name in each}
    return bool(
        CODE_WORDS.looking & set(last)
        or is_reading_name(last)
        or (names & CODE_WORDS.searched and len(names) <= MAX_SEARCH_FIELDS)
    )


def _is_mutation(body: dict[str, object]) -> bool:
    """Is a GraphQL operation a mutation? One that is only named is judged by its name."""
    if query := str(body.get("query") or ""):
        return bool(MUTATION.search(query))
    name = split_identifier(
        str(body.get("operationName") or body.get("fb_api_req_friendly_name") or "")
    )
    return "mutation" in name or is_changing_name(name) or not is_reading_name(name)


def _called_functions(sent: SentRequest, body: list[dict[str, object]]) -> Iterator[list[str]]:
    """The functions that a call names, the innermost of each."""
    if found := METHOD_NAME.search(sent.payload):
        yield split_identifier(found[1].rpartition(".")[2])
    for name, value in parse_qsl(urlsplit(sent.url).query):
        if name.lower() in CODE_WORDS.commands:
            yield split_identifier(value)
    for each in body:
        params = each.get("params")
        inner = params.get("method") if isinstance(params, dict) else None
        for name, said in each.items():
            if name.lower() in CODE_WORDS.commands and isinstance(said, str):
                yield split_identifier(str(inner or said).rpartition(".")[2])


def _parse_body(payload: str) -> list[dict[str, object]]:
    """The objects of a JSON body, one that was cut off as far as it can be read, or the fields."""
    try:
        read = json.loads(payload)
    except ValueError:
        if payload.lstrip()[:1] in {"{", "["}:
            return [dict(reversed(JSON_MEMBER.findall(payload)))]
        return [dict(_parse_fields(payload))] if payload else []
    found = read if isinstance(read, list) else [read]
    return [each for each in found if isinstance(each, dict)]


def _parse_fields(payload: str) -> list[tuple[str, str]]:
    """The fields of a form's body, URL-encoded or in parts."""
    if parts := MULTIPART_FIELD.findall(payload):
        return [(str(name), str(value)) for name, value in parts]
    return parse_qsl(payload, keep_blank_values=True)
