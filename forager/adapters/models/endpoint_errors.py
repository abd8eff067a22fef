"""Faults of an endpoint, classified by what can be done about them."""

import re
import time
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, Literal
from urllib.parse import urlsplit

import httpx2
import openai
from langchain_core.exceptions import ContextOverflowError
from langchain_core.exceptions import ModelError as LangChainError
from pydantic import SecretStr

from forager.adapters.models.addresses import advise_unreached
from forager.adapters.recording.tape import MASK, SHORTEST_SECRET
from forager.errors import AwayError, ContextError, ModelError

FaultKind = Literal["passing", "overflow", "filtered", "unfit", "lasting"]
PARSE_ERRORS = (ValueError, TypeError, KeyError, IndexError, AttributeError)
"""What LangChain raises for replies of an unexpected shape."""
ENDPOINT_ERRORS = (
    openai.OpenAIError,
    LangChainError,
    httpx2.HTTPError,
    TimeoutError,
    ConnectionError,
    *PARSE_ERRORS,
)
"""The exceptions that endpoints, connections and streams raise."""
TIMEOUT_ERRORS = (TimeoutError, openai.APITimeoutError)
CONNECTION_CAUSES = (OSError, httpx2.RemoteProtocolError)
"""Exceptions that explain a failed connection without repeating what was sent."""
OVERFLOW = re.compile(
    r"context_length_exceeded|context[ _](?:length|window|size)|maximum context|prompt is too long|"
    r"too many (?:input )?tokens|exceed\w* .{0,30}tokens|input .{0,20}too long|max_new_tokens",
    re.IGNORECASE,
)
RATE_OVERFLOW = re.compile(r"request too large", re.IGNORECASE)
"""Sent with 429 for a single request that exceeds the account's tokens per minute."""
FILTERED = re.compile(
    r"content[ _](?:filter|management policy|policy)|responsible ?ai|flagged|safety system",
    re.IGNORECASE,
)
QUOTA = re.compile(
    r"insufficient[ _](?:quota|credits|balance|funds)|exceeded your current quota|billing|"
    r"credit balance",
    re.IGNORECASE,
)
STRUCTURE = re.compile(
    r"\btools?(?:\b|_)|function|response_format|schema|structured|grammar|jinja", re.IGNORECASE
)
PASSING_STATUSES = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
UNFIT_STATUSES = frozenset({400, 405, 415, 422, 501})
UNPAID, TOO_LARGE, NOT_FOUND, BUSY, BROKEN = 402, 413, 404, 429, 500
REDIRECTS = range(300, 400)
STATUSES = range(300, 600)
ERROR_PREFIX = re.compile(r"^Error code: \d+( - )?")
HTML_PAGE = re.compile(r"<(?:!doctype|html|head|body)\b", re.IGNORECASE)
MAX_WORDS_LENGTH = 300


@dataclass(frozen=True)
class EndpointFault:
    """A fault of an endpoint, with its words and HTTP status.

    `kind` says what to do: `passing` retry, `overflow` shrink the prompt, `filtered` do without a
    reply, `unfit` drop a feature, `lasting` give up. `wait` is the requested pause in seconds.
    """

    kind: FaultKind
    words: str
    status: int | None = None
    wait: float | None = None

    def without_key(self, key: SecretStr | None) -> "EndpointFault":
        """Remove the key, which some endpoints repeat when they reject it."""
        secret = key.get_secret_value() if key else ""
        if len(secret) < SHORTEST_SECRET:
            return self
        return replace(self, words=self.words.replace(secret, MASK))

    @property
    def description(self) -> str:
        """The status, if any, and the words."""
        return f"{self.status}: {self.words}" if self.status else self.words


class PassingFaultError(Exception):
    """A temporary fault."""

    def __init__(self, fault: EndpointFault) -> None:
        super().__init__(fault.words)
        self.fault = fault


class UnfitFaultError(Exception):
    """The endpoint does not support a feature of the request."""

    def __init__(self, fault: EndpointFault) -> None:
        super().__init__(fault.words)
        self.fault = fault


def classify_error(error: BaseException) -> EndpointFault:
    """Classify one of ENDPOINT_ERRORS."""
    words, status = _error_words(error), _status_code(error)
    if isinstance(error, ContextOverflowError) or status == TOO_LARGE:
        return EndpointFault("overflow", words, status)
    if status is None:
        return EndpointFault("overflow" if OVERFLOW.search(words) else "passing", words)
    return EndpointFault(_kind_by_status(status, words), words, status, _retry_after(error))


def lasting_error(fault: EndpointFault, name: str, address: str) -> ModelError:
    """The error for a fault that retries cannot fix."""
    message = f"{name} at {address} answered {fault.description}."
    if fault.kind == "overflow":
        return ContextError(message, "Choose a model with a longer context.")
    if fault.status == UNPAID or QUOTA.search(fault.words):
        return ModelError(message, "Top up the account or choose another model, then resume.")
    has_url = "://" in address
    if fault.status in (401, 403):
        mend = (
            f"Set its key: FORAGER_API_KEY, with FORAGER_BASE_URL={address}, since a key is sent "
            "only to the address set with it; or OPENAI_API_KEY for OpenAI."
        )
        return ModelError(
            message, mend if has_url else f"Set the key that {address}'s package reads."
        )
    if fault.status in REDIRECTS:
        return ModelError(
            message,
            "Prompts are not sent there. If you trust that address, set it as the base URL.",
        )
    if fault.status == NOT_FOUND:
        base = " and the base URL, which ends in /v1" if has_url else ""
        return ModelError(message, f"Check the model's name{base}.")
    return ModelError(message, "Choose another model or endpoint, then resume the session.")


def away_error(fault: EndpointFault, name: str, address: str, seconds: float | None) -> AwayError:
    """The error for a temporary fault that outlasted all retries; of none if `seconds` is None."""
    asks = f" (it asks for {fault.wait:.0f} s)" if fault.wait else ""
    if seconds is None:
        return AwayError(
            f"{name} at {address} did not reply{asks}: {fault.description}.",
            advise_unreached(address),
        )
    return AwayError(
        f"{name} at {address} gave no reply in {seconds:.0f} s of retries{asks}; last error: "
        f"{fault.description}.",
        "No results are lost: resume the session when the endpoint is back.",
    )


def _status_code(error: BaseException) -> int | None:
    """The HTTP status of the response, or of an error within a stream."""
    status = str(getattr(error, "status_code", None) or getattr(error, "code", None))
    number = int(status) if status.isdecimal() else None
    return number if number in STATUSES else None


def _kind_by_status(status: int, words: str) -> FaultKind:
    if status == BUSY and RATE_OVERFLOW.search(words):
        return "overflow"
    if QUOTA.search(words) and status in UNFIT_STATUSES | {BUSY}:
        return "lasting"
    if OVERFLOW.search(words) and status in UNFIT_STATUSES | {BROKEN}:
        return "overflow"
    if FILTERED.search(words) and status in UNFIT_STATUSES | {403}:
        return "filtered"
    if status in UNFIT_STATUSES or (STRUCTURE.search(words) and status in (NOT_FOUND, BROKEN)):
        return "unfit"
    return "passing" if status in PASSING_STATUSES else "lasting"


def _error_words(error: BaseException) -> str:
    """The endpoint's message, in one line."""
    if isinstance(error, TIMEOUT_ERRORS):
        return "the request timed out"
    if _status_code(error) in REDIRECTS:
        return f"a redirect to {_redirect_target(error)}"
    body = _error_body(error)
    words = next((body[key] for key in ("message", "detail", "error") if body.get(key)), error)
    text = (
        "" if HTML_PAGE.search(f"{words}") else ERROR_PREFIX.sub("", " ".join(f"{words}".split()))
    )
    text, code = text.rstrip("."), body.get("code")
    text = f"{text} ({code})" if code and str(code) not in text else text
    if isinstance(error, PARSE_ERRORS):
        text = f"the reply cannot be read ({text})"
    elif isinstance(error, openai.APIConnectionError):
        text = f"{text}: {_connection_cause(error)}"
    text = text or _status_phrase(error)
    return text if len(text) <= MAX_WORDS_LENGTH else f"{text[:MAX_WORDS_LENGTH]}…"


def _redirect_target(error: BaseException) -> str:
    """The host that a redirect leads to, in printable characters."""
    headers: Any = getattr(getattr(error, "response", None), "headers", {})
    host = urlsplit(str(headers.get("location", ""))).netloc.rpartition("@")[2]
    return ascii(host)[1:-1][:MAX_WORDS_LENGTH] or "another path"


def _error_body(error: BaseException) -> dict[str, Any]:
    """The innermost error object of the response."""
    body: Any = getattr(error, "body", None)
    while isinstance(body, dict) and isinstance(body.get("error"), dict):
        body = body["error"]
    return body if isinstance(body, dict) else {"message": body}


def _status_phrase(error: BaseException) -> str:
    """The name of the HTTP status, or of the exception."""
    status = _status_code(error)
    known = status in {each.value for each in HTTPStatus}
    return HTTPStatus(status).phrase if status and known else type(error).__name__


def _connection_cause(error: BaseException) -> str:
    """Why the connection failed, as far as that is known."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, CONNECTION_CAUSES):
            return str(getattr(cause, "strerror", None) or cause)
        cause = cause.__cause__ or cause.__context__
    return "the connection was lost"


def _retry_after(error: BaseException) -> float | None:
    """The pause that the response asks for, in seconds."""
    headers: Any = getattr(getattr(error, "response", None), "headers", {})
    if (milliseconds := _parse_number(headers.get("retry-after-ms"))) is not None:
        return milliseconds / 1000
    after = headers.get("retry-after")
    if after is None or (seconds := _parse_number(after)) is not None:
        return seconds if after is not None else None
    try:
        return max(0.0, parsedate_to_datetime(after).timestamp() - time.time())
    except ValueError:
        return None


def _parse_number(text: str | None) -> float | None:
    try:
        return max(0.0, float(text)) if text is not None else None
    except ValueError:
        return None
