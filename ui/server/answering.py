"""How the API reads requests and tells errors."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from forager.errors import (
    ForagerError,
    NoGraphError,
    NoSessionError,
    SessionError,
    StaleError,
    StoreError,
    UsageError,
)
from ui.server.desk import Verb
from ui.server.office import here

Result = TypeVar("Result")
Body = TypeVar("Body", bound=BaseModel)
Handler = Callable[[Request], Awaitable[Response]]

MOST_BYTES = 1_000_000
"""What a body may have; a longer one is not read."""
NO_JSON = "json_invalid"
STATUSES: tuple[tuple[type[ForagerError], int], ...] = (
    (NoSessionError, 404),
    (NoGraphError, 404),
    (SessionError, 409),
    (StaleError, 409),
    (UsageError, 400),
    (StoreError, 500),
    (ForagerError, 502),
)


class LargeError(UsageError):
    """A body that is longer than what is read."""


async def ask(verb: Verb[Result]) -> Result:
    """Ask the desk without keeping the server waiting."""
    return await asyncio.wrap_future(here().desk.begin(verb))


async def body(request: Request, most: int = MOST_BYTES) -> bytes:
    """The body. Raises LargeError."""
    found = bytearray()
    async for part in request.stream():
        found += part
        if len(found) > most:
            raise LargeError(f"The body has more than {most:,} bytes.", "Send less.")
    return bytes(found)


async def read(request: Request, model: type[Body]) -> Body:
    """The body as this model; none is one without members. Raises ValidationError, LargeError."""
    return model.model_validate_json(await body(request) or b"{}")


def number(request: Request, name: str, least: int, otherwise: int) -> int:
    """A number of the query. Raises UsageError."""
    given = request.query_params.get(name)
    if given is None:
        return otherwise
    if not given.isdecimal() or int(given) < least:
        raise UsageError(f"{name}={given} does not fit.", f"Take a number from {least} on.")
    return int(given)


def answer(found: object, status: int = 200) -> Response:
    """Models, and lists of them, as JSON."""
    return JSONResponse(_plain(found), status, {"Cache-Control": "no-store"})


def translated(handler: Handler) -> Handler:
    """Errors as JSON: what happened, and how to mend it."""

    async def answered(request: Request) -> Response:
        try:
            return await handler(request)
        except ValidationError as error:
            return _unread(error)
        except LargeError as error:
            return _error(413, error)
        except ForagerError as error:
            return _error(
                next(status for kind, status in STATUSES if isinstance(error, kind)), error
            )

    return answered


def route(path: str, handler: Handler, method: str = "GET") -> Route:
    """A route of the API."""
    return Route(f"/api{path}", translated(handler), methods=[method])


def _error(status: int, error: ForagerError) -> Response:
    return JSONResponse({"error": error.what, "mend": error.mend}, status)


def _unread(error: ValidationError) -> Response:
    """400 for what is no JSON, 422 for JSON that does not fit."""
    faults = json.loads(error.json(include_url=False, include_context=False, include_input=False))
    broken = any(fault["type"] == NO_JSON for fault in faults)
    told = {
        "error": "The body is not JSON." if broken else "The body does not fit.",
        "mend": "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in faults),
        "faults": faults,
    }
    return JSONResponse(told, 400 if broken else 422)


def _plain(found: object) -> object:
    if isinstance(found, BaseModel):
        return found.model_dump(mode="json")
    if isinstance(found, list | tuple):
        return [_plain(each) for each in found]
    return found
