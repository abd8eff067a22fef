"""What a request that an action set off says of the server's state."""

import json
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from forager.browsing.safety.address_verbs import TOKEN, altering, reading, split, told
from forager.browsing.safety.code_words import WORDS
from forager.domain.browser import SentRequest

READS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
FORMS: Final = frozenset({"document", ""})
SHOWN: Final = frozenset({"preview", "diff", "search"})
FRAMES: Final = frozenset({"wp", "submit", "button", "btn", "show", "changes"})
"""Words of the names of buttons that only show, and such as stand beside them."""
OPENS: Final = frozenset({"edit", "new", "form"})
"""Commands that open a form, or say of what kind the one is that was sent."""
MUTATION: Final = re.compile(r"(?:^|[}\n])\s*mutation\b|\bmutation\s*\w*\s*[({]")
METHOD_NAME: Final = re.compile(r"<methodName>([^<]+)</methodName>")
MEMBER: Final = re.compile(r'"(\w+)"\s*:\s*"((?:[^"\\]|\\.)*)')
PART: Final = re.compile(r'name="([^"]*)"\r?\n(?:[^\r\n]+\r?\n)*\r?\n([^\r\n]*)')
FEW: Final = 4
"""Fields that a search has at the most."""


def change(sent: SentRequest, suspected: bool) -> str:
    """Why a request changes something on the server, or empty.

    `suspected` where the action looked as if it would: a message of which nothing else is known
    (a beacon, a socket's) is held for a change then.
    """
    method = sent.method.upper()
    words = [word for part in unquote(urlsplit(sent.url).path).split("/") for word in split(part)]
    if method in READS:
        return ""
    if method != "POST" and sent.resource != "websocket":
        harmless = False
    elif sent.resource in FORMS:
        harmless = _looks(sent, words)
    elif WORDS.telling & set(words[-2:]) or sent.resource == "cspviolationreport":
        harmless = True
    elif sent.resource in {"websocket", "ping", "beacon"}:
        harmless = not suspected
    else:
        harmless = _asks(sent, words)
    return "" if harmless else f"It sent {method} {sent.url.partition('?')[0]}."


def _looks(sent: SentRequest, words: list[str]) -> bool:
    """Does a form that was sent only look? Its address, its fields or its button say so."""
    there, pairs = parse_qsl(urlsplit(sent.url).query), _fields(sent.payload)
    does = [words for name, value in pairs if (words := told(name, value))]
    if any(altering(each) for each in (*does, *(told(*each) for each in there))):
        return False
    if any(value and _shows(split(name)) for name, value in pairs):
        return True
    if does:
        return all(reading(each) and each[0] not in OPENS for each in does)
    names = {name.lower() for name, value in pairs if value and not TOKEN.search(name.lower())}
    return bool(WORDS.looking & set(words[-1:])) or (
        bool(names & WORDS.searched) and len(names) < FEW
    )


def _shows(words: list[str]) -> bool:
    """Is it the name of a button that only shows, as `wpPreview`?"""
    return bool(SHOWN & {*words}) and {*words} <= FRAMES | SHOWN


def _asks(sent: SentRequest, words: list[str]) -> bool:
    """Does a script's POST only ask? It says so in GraphQL, by a method's name, or its address."""
    body = _body(sent.payload)
    if "graphql" in words or any("{" in str(each.get("query", "")) for each in body):
        return bool(body) and not any(_mutates(each) for each in body)
    if calls := [*_methods(sent, body)]:
        return all(reading(call) and not altering(call) for call in calls)
    last = split(unquote(urlsplit(sent.url).path.rstrip("/").rpartition("/")[2]))
    if altering(last):
        return False
    names = {name.lower() for each in body for name in each}
    return bool(
        WORDS.looking & set(last) or reading(last) or (names & WORDS.searched and len(names) <= FEW)
    )


def _mutates(body: dict[str, object]) -> bool:
    """Is a GraphQL operation a mutation? One that is only named is judged by its name."""
    if query := str(body.get("query") or ""):
        return bool(MUTATION.search(query))
    name = split(str(body.get("operationName") or body.get("fb_api_req_friendly_name") or ""))
    return "mutation" in name or altering(name) or not reading(name)


def _methods(sent: SentRequest, body: list[dict[str, object]]) -> Iterator[list[str]]:
    """The functions that a call names, the innermost of each."""
    if found := METHOD_NAME.search(sent.payload):
        yield split(found[1].rpartition(".")[2])
    for name, value in parse_qsl(urlsplit(sent.url).query):
        if name.lower() in WORDS.commands:
            yield split(value)
    for each in body:
        params = each.get("params")
        inner = params.get("method") if isinstance(params, dict) else None
        for name, said in each.items():
            if name.lower() in WORDS.commands and isinstance(said, str):
                yield split(str(inner or said).rpartition(".")[2])


def _body(payload: str) -> list[dict[str, object]]:
    """The objects of a JSON body, one that was cut off as far as it can be read, or the fields."""
    try:
        read = json.loads(payload)
    except ValueError:
        if payload.lstrip()[:1] in {"{", "["}:
            return [dict(reversed(MEMBER.findall(payload)))]
        return [dict(_fields(payload))] if payload else []
    found = read if isinstance(read, list) else [read]
    return [each for each in found if isinstance(each, dict)]


def _fields(payload: str) -> list[tuple[str, str]]:
    """The fields of a form's body, URL-encoded or in parts."""
    if parts := PART.findall(payload):
        return [(str(name), str(value)) for name, value in parts]
    return parse_qsl(payload, keep_blank_values=True)
