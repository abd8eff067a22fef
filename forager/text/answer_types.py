"""Answer types: how a question shows which type it asks for, and a text that it contains one."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from forager.data.word_lists import ByLanguage, WordLists, match_words, read_word_lists

DEFAULT: Final = "default"
STATING_VERB: Final = (
    r"(?:set|nam|giv|gave|specif|cho[os]|chang|say|said|tell|told|pass|configur|mention|provid|"
    r"select|pick|touch|defin|stat|overr[io]d|adjust)\w*"
)
SOMEBODY: Final = r"(?:I|you|we|one|they|he|she|it|nobody|no one|people|(?:an?|the|my) [\w-]+)"
NEGATION: Final = (
    r"(?:do(?:es)? not|do(?:es)?n['’]t|did not|didn['’]t|never|ha(?:ve|s)(?: not|n['’]t))"
)
NO_THING: Final = r"(?:nothing|none|no(?: [\w-]+){1,3})"
CONDITION: Final = r"(?:if|when|where|while|until|as long as)"
UNSTATED: Final = re.compile(
    rf"— by default\b|\bout of the box\b|"
    rf"\bunless\b[^,.;?]{{0,40}}\b(?:otherwise|differently|{STATING_VERB})|"
    rf"\botherwise {STATING_VERB}|\b{CONDITION} {SOMEBODY} {NEGATION} (?:\w+ )?{STATING_VERB}|"
    rf"\b{CONDITION} {SOMEBODY} (?:\w+ )?{STATING_VERB} {NO_THING}\b|"
    rf"\b{CONDITION} (?:nobody|no one) (?:\w+ )?{STATING_VERB}|"
    rf"\b{CONDITION} {NO_THING} (?:is|are|was|were|has been|have been) {STATING_VERB}|"
    rf"\bleft (?:alone|unset|untouched|unchanged|as it is)\b|\bwithout {STATING_VERB}\b|"
    r"\bstandardmäßig\b|\bvoreingestellt|\bvoreinstellung|"
    r"\bwenn (?:\w+ )?(?:nichts|keine?[nrms]?)\b[^,.;?]{0,30}"
    r"(?:geb|gib|stell|änder|setz|wähl|nenn|nannt|sag)|"
    r"\bpar défaut\b|\bsi (?:\w+ |l['’]on )?n(?:e |['’])[^,.;?]{0,30}\b(?:rien|aucune?)\b|"
    r"默认|缺省|(?:不|没有?|未)(?:指定|设置|更改|改动?|说明)",
    re.IGNORECASE,
)
"""Phrases that mean a default: what holds if nothing is specified."""

STATED_DEFAULT: Final = re.compile(
    r"\bdefault(?:s|ed|ing)?\b(?: values?)?[\s:=“\"'`*]*(?:(?:is|are|to|of|was)\b[\s:=“\"'`*]*)?"
    r"[^\s.,;)”\"']+|\bby default\b",
    re.IGNORECASE,
)
"""Phrases that state a default."""
ASKED_DEFAULT: Final = re.compile(r"\bdefaults?\b", re.IGNORECASE)


def default_keyword(text: str) -> str:
    """The word that pages use, if a text asks for a default; else empty."""
    return DEFAULT if UNSTATED.search(text) else ""


def asks_default(text: str) -> bool:
    """Does a text ask for a default, by that word or by what it means?"""
    return ASKED_DEFAULT.search(text) is not None or UNSTATED.search(text) is not None


SURE_WORTH = 0.8
NUMERAL = (
    r"(?:\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|"
    r"fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|"
    r"ninety|hundred|thousand|million|billion|half|dozen|once|twice|single|several|couple|few)"
)
TIME = (
    r"(?:milli|micro|nano)?(?:seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|years?|"
    r"centur(?:y|ies)|ms)"
)
UNIT = (
    r"(?:°|degrees?|pixels?|dpi|metres?|meters?|miles?|feet|foot|inch(?:es)?|[kcmμµn]?m|km|kg|grams?|"
    r"tons?|[kmgt]i?b(?:ytes?)?|bytes?|bits?|hz|[kmg]hz|points?|cents?|percent|volts?|watts?)"
)
MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
)


class AnswerType(NamedTuple):
    """A type: patterns of questions that ask for it and texts that contain it, and its weight."""

    name: str
    asked: re.Pattern[str]
    shown: re.Pattern[str]
    worth: float = 1.0


class AskingWords(WordLists):
    """The lists of `data/answer_types.toml`: words in questions that ask for an answer type."""

    year: ByLanguage
    date: ByLanguage
    time: ByLanguage
    duration: ByLanguage
    share: ByLanguage
    version: ByLanguage
    measure: ByLanguage
    count: ByLanguage
    person: ByLanguage
    place: ByLanguage
    name: ByLanguage
    code: ByLanguage


WORDS: Final = read_word_lists("answer_types", AskingWords)


def _answer_type(  # noqa: PLR0913
    name: str,
    words: ByLanguage,
    shown: str,
    worth: float = 1.0,
    *,
    asked: str = "",
    exact: bool = False,
) -> AnswerType:
    """A type that these words, or the pattern `asked`, ask for."""
    flags = re.NOFLAG if exact else re.IGNORECASE
    asking = "|".join(filter(None, (match_words(words), asked)))
    return AnswerType(name, re.compile(asking, re.IGNORECASE), re.compile(shown, flags), worth)


ANSWER_TYPES = (
    AnswerType(DEFAULT, UNSTATED, STATED_DEFAULT, 1.5),
    _answer_type("year", WORDS.year, r"\b1\d\d\d\b|\b20\d\ds?\b|\b\d+ (?:BCE?|AD|CE)\b"),
    _answer_type(
        "date",
        WORDS.date,
        rf"\b{MONTH}\b\.? ?\d|\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}\b|\b\d{{4}}-\d\d-\d\d\b",
    ),
    _answer_type(
        "time",
        WORDS.time,
        r"\b(?:[01]?\d|2[0-3])[:.h][0-5]\d\b(?!\.\d)|"
        r"\b(?:1[0-2]|[1-9]) ?(?:[ap]\.?m\b|o['’]clock|Uhr)|\b(?:noon|midnight)\b|\d ?[点时]",
    ),
    _answer_type(
        "duration",
        WORDS.duration,
        rf"\b{NUMERAL}(?:[ -]\w+)?[ -]?{TIME}\b|\d ?s\b",
        asked=rf"\b{TIME}\b|wie lange|combien de temps",
    ),
    _answer_type(
        "share",
        WORDS.share,
        r"\d ?%|\bper ?cent\b|\bhalf\b|\b(?:third|quarter)s?\b|\d:\d|\b0\.\d",
        asked=r"\baccura\w+",
    ),
    _answer_type("version", WORDS.version, r"\bv?\d+\.\d+(?:\.\d+)*\b"),
    _answer_type("measure", WORDS.measure, rf"\d ?{UNIT}\b"),
    _answer_type("count", WORDS.count, rf"\b{NUMERAL}\b", 0.8),
    _answer_type(
        "person",
        WORDS.person,
        r"\b[A-Z][a-zé]+(?: [A-Z]\.?)*(?: (?:van|von|de|la|der))* [A-Z][a-zéö]+|"
        r"\b(?:by|emperor|king) [A-Z]\w+",
        asked=r"\b(?:which|what) (?:\w+ )?(?:person|people|man|men|woman|authors?|student|emperor|"
        r"king|queen|painter|composer|scholar|scientist)\b",
        exact=True,
    ),
    _answer_type(
        "place",
        WORDS.place,
        r"\b(?:in|at|near|from|of|to) (?:the )?[A-Z][a-z]+|, [A-Z][a-z]+\b",
        exact=True,
    ),
    _answer_type(
        "name",
        WORDS.name,
        r"(?<![.!?:|#-] )(?<!^)\b[A-Z][^\W\d_]+",
        0.5,
        asked=r"\bwhat (?:\w+ ){0,2}(?:company|firm|publisher|language|program|tool|instrument|"
        r"animal|framework|system|format|package|module|font|game|agency)\b|welche",
        exact=True,
    ),
    _answer_type(
        "code",
        WORDS.code,
        r"(?:^|[\s“\"'(])(?:[~.]?/[\w.]|--?[a-z])|\w+[._/:]\w+|\w\(\)|<\w+>|\b[a-z]+[A-Z]\w+|"
        r"\b[A-Z]+_?[A-Z]{2,}\b",
        0.6,
        exact=True,
    ),
)


def expected_types(ask: str) -> tuple[AnswerType, ...]:
    """The types of answer that an ask allows; none if it may be anything.

    Names and code, which nearly every text contains, are left out if the ask names a surer type.
    A default may accompany any type.
    """
    asked = [kind for kind in ANSWER_TYPES if kind.asked.search(ask)]
    sure = any(kind.worth >= SURE_WORTH for kind in asked if kind.name != DEFAULT)
    return tuple(kind for kind in asked if kind.worth >= SURE_WORTH or not sure)


def answer_worth(text: str, kinds: tuple[AnswerType, ...], question: str) -> float:
    """The weight of the best type that the text contains and the question (lower case) does not."""
    worths = (kind.worth for kind in kinds if any(_find_matches(text, kind, question)))
    return max(worths, default=0.0)


def missing_kinds(ask: str, text: str) -> tuple[str, ...]:
    """The names of the types that an ask allows, if the text contains a value of none of them."""
    kinds = _kinds_of_value(ask)
    return () if answer_worth(text, kinds, ask.lower()) else tuple(kind.name for kind in kinds)


def asks_for_kind(ask: str) -> bool:
    """Does an ask show what type its answer has, so that a text can be seen to hold one?"""
    return bool(_kinds_of_value(ask))


def _kinds_of_value(ask: str) -> tuple[AnswerType, ...]:
    return tuple(kind for kind in expected_types(ask) if kind.name != DEFAULT)


def _find_matches(text: str, kind: AnswerType, question: str) -> Iterator[str]:
    found = (match[0].strip().lower() for match in kind.shown.finditer(text))
    return (thing for thing in found if thing not in question)
