"""Texts and addresses without what changes by itself: clocks, counters of visits, sessions."""

import re
from urllib.parse import parse_qsl, unquote, urlsplit

from forager.data.word_lists import all_words, match_any
from forager.text.page_words import WORDS

SESSION = re.compile(
    r"phpsessid|jsessionid|aspsessionid\w*|session_?(id|key)?|sess|sid|cfid|cftoken|oscsid|zenid"
    r"|utm_\w+|gclid|dclid|fbclid|msclkid|yclid|mc_[ce]id|igshid|_ga|_gl"
    r"|_|ts|timestamp|nonce|rand(om)?|cache_?bust(er)?|csrf\w*|xsrf\w*|authenticity_token|sectok",
    re.IGNORECASE,
)
"""Parameters of an address that name a visit or a moment, not a page."""
PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?;]*", re.IGNORECASE)

_TIME = r"\b\d?\d:\d\d"
_DATE = r"(?:\d{4}-\d\d-\d\d|\d\d?[./]\d\d?[./]\d{2,4})"
_NOW = rf"(?:{match_any(all_words(WORDS.now))})"
SECONDS = re.compile(rf"(?:{_DATE}[ t,]+)?{_TIME}:\d\d(?:[.,]\d+)?(?: ?[ap]m\b)?")
CLOCK = re.compile(
    rf"\b{_NOW}\W*(?:(?:is|at|on|um|am|à|le) )?(?:{_DATE}[ t,]+)?{_TIME}(?: ?[ap]m\b)?"
    rf"|{_TIME}(?: ?[ap]m\b)?(?= now\b)"
)
"""A time without seconds, which may else be an appointment, beside a word for now."""
LEFT = re.compile(
    r"\b(?:time (?:left|remaining)|expires? in|ends? in|restzeit|noch)\W*\d[\d:/. ]*"
    r"(?:h\w*|m\w*|s\w*)?\b"
)
AGO = re.compile(
    r"\b(?:vor|hace|il y a|för) (?:\d+|an?|eine[rmn]?|un[ae]?) [^\W\d]+"
    r"|\b(?:\d+|an?|one) (?:sec|min|hour|day|week|month|year)[^\W\d]* ago\b|\bjust now\b"
)
TOOK = re.compile(r"\b\d+(?:[.,]\d+)? ?ms\b|\b\d+[.,]\d+ ?(?:s|sec|secs|seconds|sekunden)\b")
_OTHERS = rf"(?:{match_any(all_words(WORDS.counted))})"
COUNTER = re.compile(
    rf"\b\d[\d.,]*(?:\s+[^\W\d]+){{0,2}}?\s+{_OTHERS}\b|\b{_OTHERS}\W+(?:[^\W\d]+\W+){{0,2}}?\d[\d.,]*"
)
"""What others count up: visits, views, readers."""
BRACKETED = re.compile(r"[(\[]\s*[1-9][\d.,]*\s*[)\]]")
"""A count beside a name; that there is none at all would say more."""
OWN = re.compile(match_any(all_words(WORDS.own)))
"""Counts of one's own doing are part of a state."""
DIGITS = re.compile(r"\d[\d.,]*")


def mask_volatile(text: str) -> str:
    """A folded text with a mark for clocks, spans of time and counters of visits."""
    for passing in (SECONDS, CLOCK, LEFT, AGO, TOOK):
        text = passing.sub("#", text)
    return COUNTER.sub(lambda found: DIGITS.sub("#", found[0]), text)


def mask_counts(text: str) -> str:
    """With a mark for a count in brackets that is not of one's own doing."""
    return text if OWN.search(text) else BRACKETED.sub("(#)", text)


def stable_url(url: str) -> str:
    """An address without sessions and the order of its parameters."""
    parts = urlsplit(url)
    told = parse_qsl(parts.query, keep_blank_values=True)
    query = sorted((name, value) for name, value in told if not SESSION.fullmatch(name))
    path = unquote(PATH_SESSION.sub("", parts.path)) or "/"
    asked = "&".join(f"{name}={value}" for name, value in query)
    return f"{parts.scheme}://{parts.netloc.lower()}{path}?{asked}#{parts.fragment}"
