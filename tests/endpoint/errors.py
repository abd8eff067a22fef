"""Errors as the API words them."""

import json
from collections.abc import Mapping

from tests.endpoint.request import Json
from tests.endpoint.wire import Whole


def body(
    message: str, kind: str | None, param: str | None = None, code: str | int | None = None
) -> Json:
    """An error in OpenAI's shape."""
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def error(status: int, content: Json, headers: Mapping[str, str] | None = None) -> Whole:
    """An answer with a JSON body."""
    return Whole(status, json.dumps(content).encode(), headers=headers or {})


BODIES = {
    400: body("We could not parse the JSON body of your request.", "invalid_request_error"),
    401: body("Incorrect API key provided.", "invalid_request_error", code="invalid_api_key"),
    403: body("Country, region, or territory not supported.", "request_forbidden"),
    404: body("The model does not exist.", "invalid_request_error", code="model_not_found"),
    408: body("Request timed out.", "timeout"),
    413: body("Request too large.", "invalid_request_error"),
    429: body("Rate limit reached for requests.", "requests", code="rate_limit_exceeded"),
    500: body("The server had an error while processing your request.", "server_error"),
    502: body("Bad gateway.", "server_error"),
    503: body("The engine is currently overloaded, please try again later.", "server_error"),
    504: body("Gateway timeout.", "server_error"),
    529: {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
}
