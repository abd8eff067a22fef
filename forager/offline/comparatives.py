"""Words that compare or measure, by language, and the forms of questions that ask for a sum."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from forager.answers.arithmetic import Operation
from forager.data.word_lists import ByLanguage, Language, WordLists, all_words, read_word_lists

DATE = frozenset(["date"])
LENGTH = frozenset(["length"])
MONEY = frozenset(["dollars", "euros", "pounds", "yen"])
SIZE = frozenset(["area", "volume", "information", "length", "pixels", "mass"])
PLAIN: frozenset[str] = frozenset()


class Measure(NamedTuple):
    """Quantities (of `text.units`, or `date`; none for plain counts) and words about them.

    `falls` if it compares downwards: shorter, younger, cheaper, earlier.
    """

    quantities: frozenset[str]
    cues: tuple[str, ...] = ()
    falls: bool = False


Name = Literal[
    "long", "high", "deep", "wide", "heavy", "old", "early", "large", "fast", "far", "hot", "dear",
    "more",
]  # fmt: skip
QUANTITIES: Mapping[Name, frozenset[str]] = {
    "long": LENGTH | {"time"},
    "high": LENGTH,
    "deep": LENGTH,
    "wide": LENGTH | {"angle", "cents"},
    "heavy": frozenset(["mass"]),
    "old": DATE,
    "early": DATE,
    "large": SIZE,
    "fast": frozenset(["speed", "time", "frequency"]),
    "far": LENGTH,
    "hot": frozenset(["celsius", "fahrenheit"]),
    "dear": MONEY,
    "more": PLAIN,
}
FALLING: frozenset[Name] = frozenset(["old", "early"])
"""What is older, or earlier, has the smaller date."""


class ComparativeWords(WordLists):
    """The lists of `data/comparatives.toml`, which says what each is for."""

    up: Mapping[Name, ByLanguage]
    down: Mapping[Name, ByLanguage]
    nouns: Mapping[Name, ByLanguage]
    cues: Mapping[Name, ByLanguage]
    counted: ByLanguage
    leads: Mapping[Literal["worked_out", "yes", "no"], Mapping[Language, str]]


WORDS: Final = read_word_lists("comparatives", ComparativeWords)
MEASURES: Mapping[Name, Measure] = {
    name: Measure(quantities, all_words(WORDS.cues.get(name, {})), name in FALLING)
    for name, quantities in QUANTITIES.items()
}
MORE = MEASURES["more"]
FEWER = MORE._replace(falls=True)
COUNTED = frozenset(all_words(WORDS.counted))
"""Nouns of what is a number whatever its unit."""


def _measures(lists: Mapping[Name, ByLanguage]) -> dict[str, Measure]:
    return {word: MEASURES[name] for name, words in lists.items() for word in all_words(words)}


COMPARED: Mapping[str, Measure] = {
    **_measures(WORDS.up),
    **{
        word: measure._replace(falls=not measure.falls)
        for word, measure in _measures(WORDS.down).items()
    },
}
MEASURED: Mapping[str, Measure] = _measures(WORDS.nouns)

_COMPARED = "|".join(sorted(filter(str.isascii, COMPARED), key=len, reverse=True))
_THING = r"(?:(?!(?<=[a-zà-ÿ]{2})\.\s)[^?!;？！；。])+?"
_CLAUSE = r"(?:and|but|how|which|what|who|when|where|according|going|based|using|by)"
TOKENS: Mapping[str, str] = {
    "<a>": f"(?P<a>{_THING})",
    "<b>": f"(?P<b>{_THING})",
    "<cmp>": rf"(?P<cmp>(?:more )?(?:{_COMPARED}))\b",
    "<kmp>": r"(?P<cmp>[\wäöüß]+er|mehr|weniger|moins|plus)\b",
    "<span>": r"(?P<unit>days|months|years)",
    "<unit>": r"(?P<unit>\w+)",
    "<noun>": r"(?P<noun>[\w-]+(?: [\w-]+)?)",
    "<word>": r"(?P<noun>\w+)",
    "<be>": r"(?:is|are|was|were)",
    "<do>": r"(?:is|are|was|were|do|does|did|has|have|had|can|could|would|will)",
    "<start>": r"(?:^|[.,;:!?] (?:and |but |or )?)",
    "<all>": r"(?:together|combined|in total|altogether|in all|taken together|all told)",
    "<end>": rf"(?:\s*$|\s*[?!;？！；。]|\.(?=\s|$)|,(?= {_CLAUSE}\b))",
}
TOKEN = re.compile("|".join(rf"(?<!\?P){token}" for token in TOKENS))
FORMS_OF: Mapping[Language, Sequence[tuple[Operation, str]]] = {
    "en": (
        ("years", r"how many <span> (?:\w+ ){0,4}between <a>,? and <b><end>"),
        ("years", r"how many <span> (?:\w+ ){0,3}from <a> (?:to|until|till) <b><end>"),
        ("years", r"how many <span> (?:after|before) <a>,? (?:was|were|did) <b><end>"),
        ("ratio", r"how many times (?:more )?<cmp>(?: <noun>)?? <do> <a> than <b><end>"),
        ("ratio", r"how many times as (?:many|much) <noun> <do> <a> as <b><end>"),
        ("ratio", r"how many times as (?P<noun>\w+) <be> <a> as <b><end>"),
        ("ratio", r"\bratio of the <word> of <a> to (?:that|the (?P=noun)) of <b><end>"),
        (
            "difference",
            r"how (?:much|many) (?:<unit> )?<cmp>(?: <noun>)?? <do> <a> (?:than|compared to) "
            r"<b><end>",
        ),
        ("difference", r"how (?:much|many) (?:<unit> )?<cmp> than <b> <be> <a><end>"),
        ("difference", r"\bdifference in <word> (?:between|of|for) <a>,? and <b><end>"),
        ("difference", r"\b<word> difference between <a>,? and <b><end>"),
        (
            "difference",
            r"\bdifference between the <word> of <a>,? and (?:that of |the (?P=noun) of )?<b><end>",
        ),
        (
            "difference",
            r"\bone <a>[,;] (?:and )?(?:of )?the other <b>[.;].*\b<cmp>.*"
            r"\bby how (?:much|many)(?: <unit>)?\b",
        ),
        (
            "difference",
            r"\b(?:which|who|what)\b[^?,:]*\b<cmp>[^?,:]*[,:] <a>,? or <b>,? (?:and )?"
            r"by how (?:much|many)(?: <unit>)?\b",
        ),
        ("greatest", r"\b(?:which|who|what)\b[^?,:]*\b<cmp>[^?,:]*[,:] <a>,? or <b><end>"),
        ("greatest", r"^<be> <a> <cmp> than <b><end>"),
        (
            "sum",
            r"how many <noun> (?:<be> there (?:in|on|at)|<do>) <a> and <b> <all><end>",
        ),
        ("sum", r"\b(?:total|combined) (?:number of )?<word> (?:of|in|on|at) <a> and <b><end>"),
        ("same", r"<start><do> <a> the same <word>(?: \w+)? as <b><end>"),
        ("same", r"^<a>[,;] and <do> (?P<b>[^?]+? the same <word>[^?]*)\?"),
        ("same", r"(?:^|[.?!:] )<do> <a> and <b> (?:\w+ )?the same <word><end>"),
    ),
    "de": (
        ("difference", r"wie ?viele? (?:<unit> )?<kmp>(?: <word>)?? (?:ist|sind|war|waren|hat|"
         r"haben|hatte|hatten) <a> als <b><end>"),
        ("difference", r"wie ?viele? (?:<unit> )?(?:ist|sind|war|waren) <a> <kmp> als <b><end>"),
        ("difference", r"\b(?P<noun>\w+?)s?unterschied zwischen <a> und <b><end>"),
        ("sum", r"wie ?viele <noun> (?:haben|hatten|gibt es (?:in|auf|bei)) <a> und <b> "
         r"(?:zusammen|insgesamt)<end>"),
        ("same", r"<start>(?:hat|haben|ist|verwendet|nutzt|benutzt) <a> "
         r"(?:d(?:en|as|er|ie)selben?|d\w+ gleiche[nrs]?) <word> wie <b><end>"),
    ),
    "fr": (
        ("difference", r"de combien (?:de <unit> )?<a> (?:est|sont|était)(?:-\w+)? plus "
         r"(?P<cmp>\w+) que <b><end>"),
        ("difference", r"combien (?:de |d['’])<word> (?:de )?<kmp> <a> que <b><end>"),
        ("sum", r"combien (?:de |d['’])<word> <a> et <b> (?:au total|ensemble|en tout)"
         r"<end>"),
        ("same", r"<start><a> (?:le|la) même <word> que <b>\s*\?"),
    ),
    "zh": (
        ("difference", r"(?P<a>[^，。]+?)比(?P<b>[^，。]+?)"
         r"(?P<cmp>年长|长|高|深|宽|重|早|晚|大|多|少|贵|短|低)(?:出|了)?(?:多少|几)(?P<noun>\w*)"),
        ("difference", r"(?P<a>[^，。]{1,20})[和与](?P<b>[^，。]{1,20})的"
         r"(?P<noun>高度|长度|深度|宽度|重量|面积|年份).{0,4}?差"),
        ("sum", r"(?P<a>[^，。的和与]{1,12})[和与](?P<b>[^，。的和与]{1,12})"
         r"(?:一共|总共|合计|加起来)\w{0,4}?(?:多少|几)个?(?P<noun>\w+)"),
        ("same", r"(?P<a>[^，。]{1,20})[和与](?P<b>[^，。]{1,20})的(?P<noun>\w+?)(?:是否)?"
         r"(?:相同|一样|相等)"),
    ),
}  # fmt: skip


class Form(NamedTuple):
    """A pattern for a question, its language, and the operation it asks for."""

    language: Language
    operation: Operation
    pattern: re.Pattern[str]


def _compile_form(language: Language, operation: Operation, text: str) -> Form:
    pattern = TOKEN.sub(lambda found: TOKENS[found[0]], text)
    return Form(language, operation, re.compile(pattern, re.IGNORECASE))


FORMS = tuple(
    _compile_form(language, operation, text)
    for language, forms in FORMS_OF.items()
    for operation, text in forms
)
