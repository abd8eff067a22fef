"""How the API reads the bodies of requests: strict JSON of limited length, or raw bytes."""

import json
import math
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi.routing import APIRoute
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response

from forager.domain.base import MAX_INTEGER
from forager.errors import UsageError
from ui.server.access.route_roles import require_route_role

MAX_DIGITS = 4000
"""Python reads no longer integer."""
MAX_BYTES = 1_000_000
"""The longest body of JSON; what is longer is not read."""


class BodyTooLargeError(UsageError):
    """A body that is longer than what is read."""


class NotJsonError(UsageError):
    """A body that is not JSON; `fault` is what the parser says."""

    def __init__(self, fault: str) -> None:
        super().__init__("The body is not JSON.", f"{fault}.")
        self.fault = fault


class HugeNumberError(NotJsonError):
    """A body with an integer that no store can hold."""


class JsonRequest(Request):
    """A request whose body is JSON, whatever its content type says; an empty body is `{}`."""

    _parsed: object = None

    @property
    def headers(self) -> Headers:
        """The headers, with the content type of JSON."""
        own = [pair for pair in self.scope["headers"] if pair[0] != b"content-type"]
        return Headers(raw=[*own, (b"content-type", b"application/json")])

    async def read_json(self) -> None:
        """Read and parse the body. Raises BodyTooLargeError and NotJsonError."""
        self._body = await read_body(self, MAX_BYTES) or b"{}"
        self._parsed = parse_json(self._body)

    async def json(self) -> Any:
        """The parsed body."""
        return self._parsed


class ApiRoute(APIRoute):
    """A route whose JSON body is read strictly, and whose replies are not stored."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler of the endpoint."""
        handle = super().get_route_handler()

        async def handle_request(request: Request) -> Response:
            require_route_role(self.name)
            if self.body_field is not None:
                request = JsonRequest(request.scope, request.receive)
                await request.read_json()
            response = await handle(request)
            response.headers.setdefault("Cache-Control", "no-store")
            return response

        return handle_request


async def read_body(request: Request, longest: int) -> bytes:
    """The body. Raises BodyTooLargeError."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > longest:
            raise BodyTooLargeError(f"The body has more than {longest:,} bytes.", "Send less.")
    return bytes(body)


def parse_json(body: bytes) -> Any:
    """The value of a JSON text; NaN and infinity are not JSON. Raises NotJsonError."""
    try:
        return json.loads(
            body,
            parse_constant=_refuse_constant,
            parse_float=_parse_finite,
            parse_int=_parse_bounded,
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise NotJsonError(f"At {where}: {error.msg}") from error
    except UnicodeDecodeError as error:
        raise NotJsonError(f"It is not UTF-8 at byte {error.start}") from error
    except (RecursionError, ValueError) as error:
        raise NotJsonError(str(error)) from error


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number of JSON")


def _parse_bounded(text: str) -> int:
    if len(text) > MAX_DIGITS or abs(int(text)) > MAX_INTEGER:
        raise HugeNumberError(f"{text[:40]} is too large a number")
    return int(text)


def _parse_finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text} is too large a number")
    return number
