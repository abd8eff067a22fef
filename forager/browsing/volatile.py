"""Masks what changes by itself in texts and URLs: clocks, visit counters, session ids."""

import re
from urllib.parse import parse_qsl, unquote, urlsplit

from forager.data.word_lists import all_words, match_any
from forager.text.page_words import PAGE_WORDS

SESSION_PARAMETER = re.compile(
    r"phpsessid|jsessionid|aspsessionid\w*|session_?(id|key)?|sess|sid|cfid|cftoken|oscsid|zenid"
    r"|utm_\w+|gclid|dclid|fbclid|msclkid|yclid|mc_[ce]id|igshid|_ga|_gl"
    r"|_|ts|timestamp|nonce|rand(om)?|cache_?bust(er)?|csrf\w*|xsrf\w*|authenticity_token|sectok",
    re.IGNORECASE,
)
"""Parameters of a URL that identify a visit or a moment, not a page."""
SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?;]*", re.IGNORECASE)

_TIME = r"\b\d?\d:\d\d"
_DATE = r"(?:\d{4}-\d\d-\d\d|\d\d?[./]\d\d?[./]\d{2,4})"
_NOW = rf"(?:{match_any(all_words(PAGE_WORDS.now))})"
TIME_WITH_SECONDS = re.compile(rf"(?:{_DATE}[ t,]+)?{_TIME}:\d\d(?:[.,]\d+)?(?: ?[ap]m\b)?")
CURRENT_TIME = re.compile(
    rf"\b{_NOW}\W*(?:(?:is|at|on|um|am|à|le) )?(?:{_DATE}[ t,]+)?{_TIME}(?: ?[ap]m\b)?"
    rf"|{_TIME}(?: ?[ap]m\b)?(?= now\b)"
)
"""A time without seconds next to a word for now; otherwise it may be an appointment."""
TIME_LEFT = re.compile(
    r"\b(?:time (?:left|remaining)|expires? in|ends? in|restzeit|noch)\W*\d[\d:/. ]*"
    r"(?:h\w*|m\w*|s\w*)?\b"
)
TIME_AGO = re.compile(
    r"\b(?:vor|hace|il y a|för) (?:\d+|an?|eine[rmn]?|un[ae]?) [^\W\d]+"
    r"|\b(?:\d+|an?|one) (?:sec|min|hour|day|week|month|year)[^\W\d]* ago\b|\bjust now\b"
)
TIME_TAKEN = re.compile(r"\b\d+(?:[.,]\d+)? ?ms\b|\b\d+[.,]\d+ ?(?:s|sec|secs|seconds|sekunden)\b")
_COUNTED = rf"(?:{match_any(all_words(PAGE_WORDS.counted))})"
VISIT_COUNTER = re.compile(
    rf"\b\d[\d.,]*(?:\s+[^\W\d]+){{0,2}}?\s+{_COUNTED}\b|\b{_COUNTED}\W+(?:[^\W\d]+\W+){{0,2}}?\d[\d.,]*"
)
"""Counters that other people increase: visits, views, readers."""
BRACKETED_COUNT = re.compile(r"[(\[]\s*[1-9][\d.,]*\s*[)\]]")
"""A count next to a name, except zero, which is more informative."""
OWN_COUNT = re.compile(match_any(all_words(PAGE_WORDS.own)))
"""Words for counts that the user's own actions change; these are part of a state."""
COUNT_DIGITS = re.compile(r"\d[\d.,]*")


def mask_volatile(text: str) -> str:
    """Replace clocks, time spans and visit counters in a folded text by `#`."""
    for pattern in (TIME_WITH_SECONDS, CURRENT_TIME, TIME_LEFT, TIME_AGO, TIME_TAKEN):
        text = pattern.sub("#", text)
    return VISIT_COUNTER.sub(lambda found: COUNT_DIGITS.sub("#", found[0]), text)


def mask_counts(text: str) -> str:
    """Replace a count in brackets by `#`, unless the user's own actions change it."""
    return text if OWN_COUNT.search(text) else BRACKETED_COUNT.sub("(#)", text)


def stable_url(url: str) -> str:
    """A URL without session ids, its parameters sorted."""
    parts = urlsplit(url)
    parameters = parse_qsl(parts.query, keep_blank_values=True)
    query = sorted(
        (name, value) for name, value in parameters if not SESSION_PARAMETER.fullmatch(name)
    )
    path = unquote(SESSION_IN_PATH.sub("", parts.path)) or "/"
    query_text = "&".join(f"{name}={value}" for name, value in query)
    return f"{parts.scheme}://{parts.netloc.lower()}{path}?{query_text}#{parts.fragment}"
