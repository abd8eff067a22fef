"""Why a provider refuses a search, derived from the status and body of its response.

Bodies as documented or observed: Tavily {"detail": {"error"}} with 401, 429, 432 (the plan's limit)
and 433 (pay-as-you-go's); Brave {"error": {"code", "detail"}} or {"errors": [...]} with 422 for a
wrong token, 429 for rate (RATE_LIMITED) and quota (QUOTA_LIMITED); Google {"error": {"message",
"errors": [{"reason"}]}} with 400 for a wrong key, 403 or 429 for quota; Serper {"message"} with 403
for a wrong key, 400 for "Not enough credits"; SearXNG a web page, with 403 where it gives no JSON.
"""

import re
from collections.abc import Iterator
from http import HTTPStatus

from pydantic import JsonValue
from pydantic_core import from_json

from forager.adapters.web.fetch.http_exchange import HttpResponse

REASON_KEYS = ("error", "errors", "detail", "message", "code", "reason")
MAX_REASON = 200
ANOTHER_PROVIDER = "choose another search provider (Settings, FORAGER_SEARCH)."
MAX_WAIT = 5.0
QUOTA_STATUSES = frozenset({402, 432, 433})
QUOTA_WORDS = re.compile(r"quota|credits|usage limit|dailyLimit|payment|pay-?as-?you-?go", re.I)
RATE_WORDS = re.compile(r"rate.?limit", re.I)
KEY_WORDS = re.compile(r"api.?key|token|unauthori[sz]ed|accessNotConfigured", re.I)


def find_reason(body: bytes) -> str:
    """The error message in a response's body, in one line; empty if it is not JSON."""
    try:
        found = from_json(body)
    except ValueError:
        return ""
    words = " · ".join(dict.fromkeys(_find_words(found)))
    return " ".join(words.split())[:MAX_REASON]


def _find_words(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value.strip()
    elif isinstance(value, list):
        for item in value[:1]:
            yield from _find_words(item)
    elif isinstance(value, dict):
        for name in REASON_KEYS:
            yield from _find_words(value.get(name))


def retry_delay(answer: HttpResponse) -> float:
    """The seconds to wait before one retry; 0 if a retry would not help."""
    if answer.status not in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        return 0.0
    if QUOTA_WORDS.search(find_reason(answer.body)):
        return 0.0
    names = ("retry-after", "x-ratelimit-reset")  # Brave's: seconds, of each window in turn
    asked = next((answer.headers[name] for name in names if name in answer.headers), "1")
    first = asked.partition(",")[0].strip()
    wait = float(first) if first.isdigit() else 0.0
    return max(wait, 0.1) if wait <= MAX_WAIT else 0.0


def suggest_mend(status: int, why: str, check: str) -> str:
    """Suggest what to do about a refusal; `check` is the advice for a wrong key or setting."""
    if status in QUOTA_STATUSES or QUOTA_WORDS.search(why):
        return f"Its quota is used up: wait, upgrade the plan, or {ANOTHER_PROVIDER}"
    if status == HTTPStatus.TOO_MANY_REQUESTS or RATE_WORDS.search(why):
        return "It limits the request rate: try again later."
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN) or KEY_WORDS.search(why):
        return check
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return "It has a problem: try again later."
    return "Rephrase the query." if status == HTTPStatus.BAD_REQUEST else check
