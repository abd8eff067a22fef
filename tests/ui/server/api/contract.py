"""Checks answers of the API against its OpenAPI document."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from jsonschema import Draft202012Validator

from ui.server.api.json_api import build_api

METHODS = ("get", "post", "put", "patch", "delete")
JSON = "application/json"


class Answered(Protocol):
    """What a call was answered."""

    @property
    def status(self) -> int:
        """The status."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers, by small name."""

    @property
    def body(self) -> bytes:
        """The body."""

    def json(self) -> Any:
        """The body read."""


@dataclass(frozen=True)
class Operation:
    """A call as the document describes it."""

    method: str
    path: str
    about: dict[str, Any]

    @property
    def body(self) -> dict[str, Any] | None:
        """The schema of its JSON body, if it has one."""
        content = self.about.get("requestBody", {}).get("content", {})
        found: dict[str, Any] | None = content.get(JSON, {}).get("schema")
        return found

    def fill(self, value: str = "1") -> str:
        """Its path with a value for each parameter."""
        return re.sub(r"\{[^}]+\}", value, self.path)


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document."""
    return build_api().openapi()


def operations() -> Iterator[Operation]:
    """Every call that the document describes."""
    for path, methods in document()["paths"].items():
        for method in METHODS:
            if method in methods:
                yield Operation(method.upper(), path, methods[method])


def find_operation(method: str, path: str) -> Operation | None:
    """The operation that a call belongs to; of several, the one with the fewest parameters."""
    wanted = unquote(urlsplit(path).path)
    found = [
        each
        for each in operations()
        if each.method == method and re.fullmatch(_pattern(each.path), wanted)
    ]
    return min(found, key=lambda each: each.path.count("{"), default=None)


def _pattern(path: str) -> str:
    """A node may be inside a graph, and has slashes then; no other parameter has."""
    return re.sub(r"\{[^}]+\}", "[^/]+", path.replace("{node}", ".+"))


def validate(value: Any, schema: dict[str, Any]) -> None:
    """Raises ValidationError for a value that is not as the schema says."""
    whole = {**schema, "components": document()["components"]}
    Draft202012Validator(whole).validate(value)


def check_answer(method: str, path: str, answer: Answered) -> None:
    """The answer's status is declared, and its body is as the schema of that status says."""
    operation = find_operation(method, path)
    if operation is None:
        return
    responses = operation.about["responses"]
    assert str(answer.status) in responses, (method, path, answer.status, answer.body)
    content = responses[str(answer.status)].get("content", {})
    kind = answer.headers["content-type"].partition(";")[0]
    assert kind in content, (method, path, kind)
    if kind == JSON and "schema" in content[kind]:
        validate(answer.json(), content[kind]["schema"])
