"""The API's errors: each is JSON that says what happened and how to mend it."""

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from forager.domain.base import MAX_INTEGER
from forager.errors import (
    AddressError,
    ForagerError,
    LimitError,
    NoAccountError,
    NoBatchError,
    NoGraphError,
    NoRecipeError,
    NoSessionError,
    NoShareError,
    NoTokenError,
    NoTrialError,
    RoleError,
    SessionError,
    StaleError,
    StoreError,
    UsageError,
)
from ui.server.access.error_shape import OPENAI_PATHS, shape_error
from ui.server.api.json_body import (
    MAX_DIGITS,
    BodyTooLargeError,
    HugeNumberError,
    NotJsonError,
)

STATUSES: Sequence[tuple[type[ForagerError], int]] = (
    (BodyTooLargeError, 413),
    (HugeNumberError, 422),
    (NoSessionError, 404),
    (NoGraphError, 404),
    (NoBatchError, 404),
    (NoAccountError, 404),
    (NoTokenError, 404),
    (NoShareError, 404),
    (NoTrialError, 404),
    (NoRecipeError, 404),
    (RoleError, 403),
    (LimitError, 403),
    (SessionError, 409),
    (StaleError, 409),
    (UsageError, 400),
    (AddressError, 400),
    (StoreError, 500),
    (ForagerError, 502),
)
"""The status of each kind of error; the first that fits counts."""
DOCS = "See /docs."
JSON = "application/json"
FIRST_ERROR = 400
"""The lowest status of an error."""


class ErrorAnswer(BaseModel):
    """The body of every error."""

    error: str = Field(description="What happened.")
    mend: str = Field(description="How to mend it.")


class FieldFault(BaseModel):
    """A member of a request body that is not valid."""

    type: str = Field(description="Pydantic's name for the fault.")
    loc: list[str | int] = Field(description="Where it is: names of members, numbers of items.")
    msg: str = Field(description="What is wrong.")


class InvalidBodyAnswer(ErrorAnswer):
    """An error with the faults of a body."""

    faults: list[FieldFault] = Field(description="Each fault, in the body's order.")


EXAMPLES: Mapping[int, tuple[str, type[ErrorAnswer], Mapping[str, Any]]] = {
    400: (
        "It cannot be done as asked.",
        ErrorAnswer,
        {"error": "There is no graph 'mangoo'.", "mend": "Did you mean 'mango'?"},
    ),
    401: (
        "The token is missing or wrong.",
        ErrorAnswer,
        {
            "error": "The token is missing or wrong.",
            "mend": "Programs find the token in the file ui-token of the data folder while the "
            "server runs.",
        },
    ),
    403: (
        "The request comes from another site, or names another host; or the account or the token "
        "may not do this.",
        ErrorAnswer,
        {
            "error": "This address is not served to other sites.",
            "mend": "Open the address that the server printed when it started.",
        },
    ),
    404: (
        "It is not there.",
        ErrorAnswer,
        {"error": "There is no session 'q08'.", "mend": "Known: q06, q07."},
    ),
    409: (
        "It cannot be done now.",
        ErrorAnswer,
        {
            "error": "Session 'q07' is running in another process.",
            "mend": "Wait until it has ended.",
        },
    ),
    413: (
        "The body is too long.",
        ErrorAnswer,
        {"error": "The body has more than 1,000,000 bytes.", "mend": "Send less."},
    ),
    422: (
        "The body is not valid, or a number is too large.",
        InvalidBodyAnswer,
        {
            "error": "The body is not valid.",
            "mend": "question: Field required",
            "faults": [{"type": "missing", "loc": ["question"], "msg": "Field required"}],
        },
    ),
    500: (
        "The data folder cannot be used, or the server failed.",
        ErrorAnswer,
        {"error": "The data folder cannot be written: disk full.", "mend": "Make room."},
    ),
    502: (
        "A page, a search provider or a model could not be reached.",
        ErrorAnswer,
        {"error": "No provider could search.", "mend": "Set FORAGER_TAVILY_KEY."},
    ),
}
ALWAYS = (401, 403)


class ChatError(BaseModel):
    """An error as OpenAI's clients read it."""

    message: str = Field(description="What happened, and how to mend it.")
    type: str = Field(description="invalid_request_error or server_error.")
    param: str | None = Field(None, description="The member that is wrong.")
    code: str | None = Field(None, description="invalid_api_key or model_not_found.")


class ChatErrorAnswer(BaseModel):
    """The body of every error below /v1."""

    error: ChatError = Field(description="What happened.")
    mend: str = Field(description="How to mend it.")


def describe_errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The error responses of a route, for its documentation."""
    described: dict[int | str, dict[str, Any]] = {}
    for status in sorted({*statuses, *ALWAYS}):
        description, model, example = EXAMPLES[status]
        content = {JSON: {"example": dict(example)}}
        described[status] = {"description": description, "model": model, "content": content}
    return described


def describe_chat_errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The error responses of a route below /v1, for its documentation."""
    described = describe_errors(*statuses)
    for status, response in described.items():
        example = response["content"][JSON]["example"]
        response["content"] = {JSON: {"example": shape_error(OPENAI_PATHS, int(status), example)}}
        response["model"] = ChatErrorAnswer
    return described


def add_error_handlers(app: FastAPI) -> None:
    """Answer every error of an application in the same shape."""
    app.add_exception_handler(ForagerError, _answer_forager_error)
    app.add_exception_handler(RequestValidationError, _answer_invalid_request)
    app.add_exception_handler(HTTPException, _answer_http_error)
    app.add_exception_handler(Exception, _answer_crash)


async def _answer_forager_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ForagerError)  # noqa: S101  for the type checker
    status = next(status for kind, status in STATUSES if isinstance(error, kind))
    answer: dict[str, Any] = {"error": error.what, "mend": error.mend or DOCS}
    if isinstance(error, NotJsonError):
        answer["faults"] = [{"type": "json_invalid", "loc": [], "msg": error.fault}]
    return _reply(request, answer, status)


async def _answer_invalid_request(request: Request, error: Exception) -> JSONResponse:
    """404 for a part of the path, 422 for members of the body, 400 for a parameter of the query.

    An integer of the query that no store can hold is 422, as it is in a body.
    """
    assert isinstance(error, RequestValidationError)  # noqa: S101  for the type checker
    faults = [
        {"type": fault["type"], "loc": list(fault["loc"]), "msg": fault["msg"]}
        for fault in error.errors()
    ]
    outside = [fault for fault in faults if fault["loc"][:1] != ["body"]]
    if outside:
        part, name = outside[0]["loc"][0], str(outside[0]["loc"][-1])
        what = f"The parameter {name} is not valid: {outside[0]['msg']}."
        if part == "path":
            return _reply(request, {"error": what, "mend": DOCS}, 404)
        huge = any(_is_huge(fault["input"]) for fault in error.errors())
        answer = {"error": what, "mend": DOCS, "faults": outside} if huge else {}
        answer = answer or {"error": what, "mend": DOCS}
        return _reply(request, answer, 422 if huge else 400)
    for fault in faults:
        fault["loc"] = fault["loc"][1:]
    mend = "; ".join(_describe_fault(fault) for fault in faults)
    answer = {"error": "The body is not valid.", "mend": mend, "faults": faults}
    return _reply(request, answer, 422)


def _is_huge(given: object) -> bool:
    """Whether a parameter is a number that no store can hold."""
    digits = str(given).removeprefix("-")
    return digits.isdecimal() and (len(digits) > MAX_DIGITS or int(digits) > MAX_INTEGER)


def _describe_fault(fault: Mapping[str, Any]) -> str:
    where = ".".join(map(str, fault["loc"]))
    return f"{where}: {fault['msg']}" if where else str(fault["msg"])


async def _answer_http_error(request: Request, error: Exception) -> JSONResponse:
    """No such route, or not by this method."""
    assert isinstance(error, HTTPException)  # noqa: S101  for the type checker
    call = f"{request.method} {request.url.path}"
    allowed = (error.headers or {}).get("Allow", "")
    what = f"There is no {call}."
    mend = f"It takes {allowed}. {DOCS}" if allowed else DOCS
    return _reply(request, {"error": what, "mend": mend}, error.status_code, error.headers)


async def _answer_crash(request: Request, error: Exception) -> JSONResponse:
    """500 for an unexpected error; its traceback goes to standard error."""
    what = f"The server failed: {type(error).__name__}."
    return _reply(request, {"error": what, "mend": "Its standard error has the details."}, 500)


def _reply(
    request: Request,
    answer: Mapping[str, Any],
    status: int,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """An error as a reply, in the shape that the callers of this path expect."""
    return JSONResponse(shape_error(request.url.path, status, answer), status, headers)
