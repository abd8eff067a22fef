"""A typed client of the JSON API, to be called or awaited.

`api_models` and `api_calls` are made from the OpenAPI document by scripts/generate_client.py.
"""

from forager.client import api_models as models
from forager.client.client_errors import (
    ApiError,
    BadRequestError,
    ConflictError,
    ConnectionFailedError,
    ForbiddenError,
    InvalidBodyError,
    NotFoundError,
    ServerFailedError,
    TokenError,
    TooLargeError,
    UpstreamError,
)
from forager.client.sessions_client import AsyncClient, Client, read_token

__all__ = [
    "ApiError",
    "AsyncClient",
    "BadRequestError",
    "Client",
    "ConflictError",
    "ConnectionFailedError",
    "ForbiddenError",
    "InvalidBodyError",
    "NotFoundError",
    "ServerFailedError",
    "TokenError",
    "TooLargeError",
    "UpstreamError",
    "models",
    "read_token",
]
