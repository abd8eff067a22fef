"""Judges whether a request that an action sent changed something on the server."""

import json
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from forager.browsing.safety.address_verbs import (
    TOKEN_NAME,
    address_side_effect,
    command_words,
    is_changing_name,
    is_reading_name,
    split_identifier,
)
from forager.browsing.safety.code_words import CODE_WORDS
from forager.domain.browser import SentRequest

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
CHANGE_METHODS: Final = frozenset({"PUT", "PATCH", "DELETE"})
PROBING_METHODS: Final = frozenset({"OPTIONS", "TRACE"})
FORM_RESOURCES: Final = frozenset({"document", ""})
PREVIEW_WORDS: Final = frozenset({"preview", "diff", "search"})
PREVIEW_BUTTON_WORDS: Final = frozenset({"wp", "submit", "button", "btn", "show", "changes"})
"""Other words in the names of buttons that only preview, such as `wpPreview`."""
FORM_COMMANDS: Final = frozenset({"edit", "new", "form"})
"""Commands that open a form, or name the kind of the form that was sent."""
MUTATION: Final = re.compile(r"(?:^|[}\n])\s*mutation\b|\bmutation\s*\w*\s*[({]")
METHOD_NAME: Final = re.compile(r"<methodName>([^<]+)</methodName>")
JSON_MEMBER: Final = re.compile(r'"(\w+)"\s*:\s*"((?:[^"\\]|\\.)*)')
MULTIPART_FIELD: Final = re.compile(r'name="([^"]*)"\r?\n(?:[^\r\n]+\r?\n)*\r?\n([^\r\n]*)')
MAX_SEARCH_FIELDS: Final = 4
"""The most fields of a search."""


def unapproved_reason(method: str, url: str) -> str:
    """Why a request must not be sent unless a person has approved it; empty if it may be."""
    name = method.upper()
    if name in CHANGE_METHODS:
        return f"it is a {name} request"
    if name in PROBING_METHODS or not url.startswith(("http://", "https://")):
        return ""
    try:
        return address_side_effect(url)
    except ValueError:
        return "its address cannot be taken apart"


def request_side_effect(sent: SentRequest, suspected: bool) -> str:
    """Why a request changes something on the server; empty if it does not.

    `suspected` tells that the action looked like a change: then a message that cannot be judged
    by its content (a beacon, a web socket) counts as one.
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
    """Does a submitted form only read, judging by its URL, fields or button?"""
    query, fields = parse_qsl(urlsplit(sent.url).query), _parse_fields(sent.payload)
    commands = [words for name, value in fields if (words := command_words(name, value))]
    if any(
        is_changing_name(each) for each in (*commands, *(command_words(*each) for each in query))
    ):
        return False
    if any(value and _is_preview_button(split_identifier(name)) for name, value in fields):
        return True
    if commands:
        return all(is_reading_name(each) and each[0] not in FORM_COMMANDS for each in commands)
    names = {
        name.lower() for name, value in fields if value and not TOKEN_NAME.search(name.lower())
    }
    return bool(CODE_WORDS.looking & set(words[-1:])) or (
        bool(names & CODE_WORDS.searched) and len(names) < MAX_SEARCH_FIELDS
    )


def _is_preview_button(words: list[str]) -> bool:
    """Is it the name of a button that only previews, such as `wpPreview`?"""
    return bool(PREVIEW_WORDS & {*words}) and {*words} <= PREVIEW_BUTTON_WORDS | PREVIEW_WORDS


def _script_only_reads(sent: SentRequest, words: list[str]) -> bool:
    """Does a script's POST only read, judging by its GraphQL query, method name or URL?"""
    objects = _parse_body(sent.payload)
    if "graphql" in words or any("{" in str(each.get("query", "")) for each in objects):
        return bool(objects) and not any(_is_mutation(each) for each in objects)
    if calls := [*_called_functions(sent, objects)]:
        return all(is_reading_name(call) and not is_changing_name(call) for call in calls)
    last = split_identifier(unquote(urlsplit(sent.url).path.rstrip("/").rpartition("/")[2]))
    if is_changing_name(last):
        return False
    fields = {name.lower() for each in objects for name in each}
    return bool(
        CODE_WORDS.looking & set(last)
        or is_reading_name(last)
        or (fields & CODE_WORDS.searched and len(fields) <= MAX_SEARCH_FIELDS)
    )


def _is_mutation(operation: dict[str, object]) -> bool:
    """Is a GraphQL operation a mutation? Without a query it is judged by its name."""
    if query := str(operation.get("query") or ""):
        return bool(MUTATION.search(query))
    name = split_identifier(
        str(operation.get("operationName") or operation.get("fb_api_req_friendly_name") or "")
    )
    return "mutation" in name or is_changing_name(name) or not is_reading_name(name)


def _called_functions(sent: SentRequest, body: list[dict[str, object]]) -> Iterator[list[str]]:
    """The words of each function that a remote call names."""
    if found := METHOD_NAME.search(sent.payload):
        yield split_identifier(found[1].rpartition(".")[2])
    for name, value in parse_qsl(urlsplit(sent.url).query):
        if name.lower() in CODE_WORDS.commands:
            yield split_identifier(value)
    for each in body:
        params = each.get("params")
        inner = params.get("method") if isinstance(params, dict) else None
        for name, method in each.items():
            if name.lower() in CODE_WORDS.commands and isinstance(method, str):
                yield split_identifier(str(inner or method).rpartition(".")[2])


def _parse_body(payload: str) -> list[dict[str, object]]:
    """The objects of a JSON body, even if it is cut off, or the fields of a form's body."""
    try:
        parsed = json.loads(payload)
    except ValueError:
        if payload.lstrip()[:1] in {"{", "["}:
            return [dict(reversed(JSON_MEMBER.findall(payload)))]
        return [dict(_parse_fields(payload))] if payload else []
    objects = parsed if isinstance(parsed, list) else [parsed]
    return [each for each in objects if isinstance(each, dict)]


def _parse_fields(payload: str) -> list[tuple[str, str]]:
    """The fields of a form's body, URL-encoded or multipart."""
    if parts := MULTIPART_FIELD.findall(payload):
        return [(str(name), str(value)) for name, value in parts]
    return parse_qsl(payload, keep_blank_values=True)
