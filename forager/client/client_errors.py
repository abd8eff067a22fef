"""What a call of the API can fail with: an exception for each status."""

from collections.abc import Mapping, Sequence
from typing import Any

from forager.errors import ForagerError


class ApiError(ForagerError):
    """An answer that is an error: `what` happened, how to `mend` it, and its `status`.

    `faults` are the members of a body that are wrong.
    """

    def __init__(
        self, what: str, mend: str, status: int = 0, faults: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        super().__init__(what, mend)
        self.status = status
        self.faults = tuple(faults)


class BadRequestError(ApiError):
    """400: it cannot be done as asked."""


class TokenError(ApiError):
    """401: the token is missing or wrong."""


class ForbiddenError(ApiError):
    """403: the request comes from another site, or names another host."""


class NotFoundError(ApiError):
    """404: it is not there."""


class ConflictError(ApiError):
    """409: it cannot be done now."""


class TooLargeError(ApiError):
    """413: the body is too long."""


class InvalidBodyError(ApiError):
    """422: members of the body are wrong, or a number is too large."""


class ServerFailedError(ApiError):
    """500: the data folder cannot be used, or the server failed."""


class UpstreamError(ApiError):
    """502: a page, a search provider or a model could not be reached."""


class ConnectionFailedError(ApiError):
    """The server could not be reached, or did not answer in time."""


STATUSES: Mapping[int, type[ApiError]] = {
    400: BadRequestError,
    401: TokenError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    413: TooLargeError,
    422: InvalidBodyError,
    500: ServerFailedError,
    502: UpstreamError,
}


def make_error(status: int, body: object) -> ApiError:
    """The exception for an answer, whatever its body is; below /v1 `error` is an object."""
    found: Mapping[str, Any] = body if isinstance(body, dict) else {}
    error = found.get("error")
    what = error.get("message") if isinstance(error, dict) else error
    return STATUSES.get(status, ApiError)(
        str(what or f"The server answered {status}."),
        str(found.get("mend") or ""),
        status,
        found.get("faults") or (),
    )
