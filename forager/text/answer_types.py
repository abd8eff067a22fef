"""The kinds of thing that questions ask for, and how a text shows that it holds one."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

DEFAULT: Final = "default"
SAY: Final = (
    r"(?:set|nam|giv|gave|specif|cho[os]|chang|say|said|tell|told|pass|configur|mention|provid|"
    r"select|pick|touch|defin|stat|overr[io]d|adjust)\w*"
)
WHO: Final = r"(?:I|you|we|one|they|he|she|it|nobody|no one|people|(?:an?|the|my) [\w-]+)"
NOT: Final = r"(?:do(?:es)? not|do(?:es)?n['’]t|did not|didn['’]t|never|ha(?:ve|s)(?: not|n['’]t))"
NOTHING: Final = r"(?:nothing|none|no(?: [\w-]+){1,3})"
WHEN: Final = r"(?:if|when|where|while|until|as long as)"
UNSAID: Final = re.compile(
    rf"— by default\b|\bout of the box\b|"
    rf"\bunless\b[^,.;?]{{0,40}}\b(?:otherwise|differently|{SAY})|"
    rf"\botherwise {SAY}|\b{WHEN} {WHO} {NOT} (?:\w+ )?{SAY}|"
    rf"\b{WHEN} {WHO} (?:\w+ )?{SAY} {NOTHING}\b|"
    rf"\b{WHEN} (?:nobody|no one) (?:\w+ )?{SAY}|"
    rf"\b{WHEN} {NOTHING} (?:is|are|was|were|has been|have been) {SAY}|"
    rf"\bleft (?:alone|unset|untouched|unchanged|as it is)\b|\bwithout {SAY}\b|"
    r"\bstandardmäßig\b|\bvoreingestellt|\bvoreinstellung|"
    r"\bwenn (?:\w+ )?(?:nichts|keine?[nrms]?)\b[^,.;?]{0,30}"
    r"(?:geb|gib|stell|änder|setz|wähl|nenn|nannt|sag)|"
    r"\bpar défaut\b|\bsi (?:\w+ |l['’]on )?n(?:e |['’])[^,.;?]{0,30}\b(?:rien|aucune?)\b|"
    r"默认|缺省|(?:不|没有?|未)(?:指定|设置|更改|改动?|说明)",
    re.IGNORECASE,
)
"""Says that nobody says otherwise."""

STATED: Final = re.compile(
    r"\bdefault(?:s|ed|ing)?\b(?: values?)?[\s:=“\"'`*]*(?:(?:is|are|to|of|was)\b[\s:=“\"'`*]*)?"
    r"[^\s.,;)”\"']+|\bby default\b",
    re.IGNORECASE,
)
"""States one."""


def unsaid(text: str) -> str:
    """The word by which pages tell what is asked, where a text means a default; else nothing."""
    return DEFAULT if UNSAID.search(text) else ""


SURE = 0.8
NUMERAL = (
    r"(?:\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|"
    r"fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|"
    r"ninety|hundred|thousand|million|billion|half|dozen|once|twice|single|several|couple|few)"
)
TIME = (
    r"(?:milli|micro|nano)?(?:seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|years?|"
    r"centur(?:y|ies)|ms|s)"
)
UNIT = (
    r"(?:°|degrees?|pixels?|dpi|metres?|meters?|miles?|feet|foot|inch(?:es)?|[kcmμµn]?m|km|kg|grams?|"
    r"tons?|[kmgt]i?b(?:ytes?)?|bytes?|bits?|hz|[kmg]hz|points?|cents?|percent|volts?|watts?)"
)
MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
)


class Kind(NamedTuple):
    """What asks for it, what shows it, and what that is worth beside the others."""

    name: str
    asked: re.Pattern[str]
    shown: re.Pattern[str]
    worth: float = 1.0


def _kind(name: str, asked: str, shown: str, worth: float = 1.0, *, exact: bool = False) -> Kind:
    flags = re.NOFLAG if exact else re.IGNORECASE
    return Kind(name, re.compile(asked, re.IGNORECASE), re.compile(shown, flags), worth)


KINDS = (
    Kind(DEFAULT, UNSAID, STATED, 1.5),
    _kind(
        "year",
        r"\b(?:year|when|century|decade|jahr|wann|année|quand|siècle)\b|哪一年|何时|年份",
        r"\b1\d\d\d\b|\b20\d\ds?\b|\b\d+ (?:BCE?|AD|CE)\b",
    ),
    _kind(
        "date",
        r"\b(?:dates?|when|on (?:what|which) day|month|datum|wann|quand)\b|日期",
        rf"\b{MONTH}\b\.? ?\d|\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}\b|\b\d{{4}}-\d\d-\d\d\b",
    ),
    _kind(
        "duration",
        rf"\bhow (?:long|quickly|soon|fast|old)\b|\b{TIME}\b|\btime-?outs?\b|"
        r"wie lange|combien de temps|多久",
        rf"\b{NUMERAL}(?:[ -]\w+)?[ -]?{TIME}\b",
    ),
    _kind(
        "share",
        r"\b(?:percent(?:age)?|share|proportions?|fraction|ratio|accura\w+|probability|chance|"
        r"rate)\b",
        r"\d ?%|\bper ?cent\b|\bhalf\b|\b(?:third|quarter)s?\b|\d:\d|\b0\.\d",
    ),
    _kind("version", r"\b(?:version|release)s?\b|版本", r"\bv?\d+\.\d+(?:\.\d+)*\b"),
    _kind(
        "measure",
        r"\bhow (?:wide|large|big|small|far|high|deep|tall|heavy|much|precise|fine)\b|"
        r"\b(?:height|width|length|depth|size|resolution|precision|distance|angle|memory|degrees?|met(?:re|er)s|pixels?|"
        r"cents?|weight|speed)\b",
        rf"\d ?{UNIT}\b",
    ),
    _kind(
        "count",
        r"\bhow (?:many|much|often|similar)\b|\b(?:numbers?|counts?|limit|threshold|maximum|"
        r"minimum|level|priority|value|factor|ports?|mode|score|age|rank|times|copies|anzahl|zahl|"
        r"wie (?:viele?|oft|hoch)|combien|nombre)\b|多少|几",
        rf"\b{NUMERAL}\b",
        0.8,
    ),
    _kind(
        "person",
        r"\b(?:who|whom|whose|(?:which|what) (?:\w+ )?(?:person|people|man|men|woman|authors?|"
        r"student|emperor|king|queen|painter|composer|scholar|scientist)|wer|wem|wen|qui)\b|谁|哪一?位",
        r"\b[A-Z][a-zé]+(?: [A-Z]\.?)*(?: (?:van|von|de|la|der))* [A-Z][a-zéö]+|"
        r"\b(?:by|emperor|king) [A-Z]\w+",
        exact=True,
    ),
    _kind(
        "place",
        r"\bwhere\b|\b(?:town|city|country|state|island|region|place|university|stadt|ville|pays|"
        r"ort)\b|哪里|城市",
        r"\b(?:in|at|near|from|of|to) (?:the )?[A-Z][a-z]+|, [A-Z][a-z]+\b",
        exact=True,
    ),
    _kind(
        "name",
        r"\b(?:name[ds]?|called|which|what (?:\w+ ){0,2}(?:company|firm|publisher|language|program|"
        r"tool|instrument|animal|framework|system|format|package|module|font|game|agency))\b|哪个|welche",
        r"(?<![.!?:|#-] )(?<!^)\b[A-Z][^\W\d_]+",
        0.5,
        exact=True,
    ),
    _kind(
        "code",
        r"\b(?:files?|folder|directory|path|command|option|flag|switch|variable|function|method|macro|"
        r"keyword|key|modules?|package|url|header|setting|driver|object|class|type|datei|fichier)\b",
        r"(?:^|[\s“\"'(])(?:[~.]?/[\w.]|--?[a-z])|\w+[._/:]\w+|\w\(\)|<\w+>|\b[a-z]+[A-Z]\w+|"
        r"\b[A-Z]+_?[A-Z]{2,}\b",
        0.6,
        exact=True,
    ),
)


def wanted(ask: str) -> tuple[Kind, ...]:
    """The kinds of thing that would answer an ask; none when it may be anything.

    What nearly every text holds, a name or a piece of code, only where nothing surer is asked for;
    a default is one of something, and may be beside anything.
    """
    asked = [kind for kind in KINDS if kind.asked.search(ask)]
    sure = any(kind.worth >= SURE for kind in asked if kind.name != DEFAULT)
    return tuple(kind for kind in asked if kind.worth >= SURE or not sure)


def holds(text: str, kinds: tuple[Kind, ...], question: str) -> float:
    """The worth of the best of these that a text holds and the question (lower case) does not."""
    worths = (kind.worth for kind in kinds if any(_shown(text, kind, question)))
    return max(worths, default=0.0)


def things(text: str, kinds: tuple[Kind, ...], question: str) -> frozenset[str]:
    """All things of these kinds in a text, in lower case, that the question does not say."""
    return frozenset(thing for kind in kinds for thing in _shown(text, kind, question))


def _shown(text: str, kind: Kind, question: str) -> Iterator[str]:
    found = (match[0].strip().lower() for match in kind.shown.finditer(text))
    return (thing for thing in found if thing not in question)
