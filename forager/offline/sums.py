"""Does a question ask for something to be worked out, and of which things?

Only questions of a few plain forms are taken, those that name each thing: a wrong formula is worse
than none.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from forager.answers.arithmetic import Operation
from forager.data.word_lists import Language
from forager.offline.comparatives import (
    COMPARED,
    COUNTED,
    FEWER,
    MEASURED,
    MORE,
    PLAIN,
    WORDS,
    Measure,
)
from forager.text.tokens import keywords
from forager.text.units import named

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
    """A pattern for a question, its language, and the operation that it asks for."""

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


MAX_SIDE = 200
LISTS: frozenset[Operation] = frozenset(["sum", "greatest"])
LISTED = re.compile(r",\s+(?!\d)|、")
COMPOUND = re.compile(
    r"\b(?:combined|multiplied|divided|sum|on the days?|respective|or|it|they"
    r"|(?:when|als|wenn|quand) (?:he|she|it|they|er|sie|il|elle))\b"
)
"""Words of things that have no value of their own: more than one step would be needed."""


class WantedSum(NamedTuple):
    """The operation, a text for each thing that has a value, and what is measured of them.

    `nouns` are the words for what is counted; `turned` when the second thing comes first, and
    `sorted` when the greater one does. `lead` begins the line of the formula, `yes` and `no` that
    of a comparison.
    """

    operation: Operation
    sides: tuple[str, ...]
    measure: Measure
    nouns: tuple[str, ...] = ()
    turned: bool = False
    sorted: bool = False
    lead: str = "Worked out"
    yes: str = "Yes"
    no: str = "No"


def parse_sum_question(question: str) -> WantedSum | None:
    """What is to be worked out; None where nothing is, or the things are not named."""
    plain = " ".join(question.split())
    for form in FORMS:
        found = form.pattern.search(plain)
        read = _read_form(form, found) if found else None
        if read:
            said = {name: words[form.language] for name, words in WORDS.leads.items()}
            return read._replace(lead=said["worked_out"], yes=said["yes"], no=said["no"])
    return None


def _read_form(form: Form, found: re.Match[str]) -> WantedSum | None:
    """What a form wants; None where its words name nothing that is measured or counted."""
    given = {name: (value or "").strip() for name, value in found.groupdict().items()}
    sides = _sides_of(form.operation, given["a"], given["b"])
    unit, noun, word = (given.get(name, "").lower() for name in ("unit", "noun", "cmp"))
    compared = COMPARED.get(word.removeprefix("more ").strip())
    if not sides or unit == "times" or (word and not compared):
        return None
    if form.operation == "years":
        return WantedSum(_time_operation(unit), sides, MEASURED["year"])
    counts = compared in (MORE, FEWER) or form.operation in ("sum", "ratio")
    measure, nouns = _measure_named(compared, [unit, *noun.split()], counts)
    if measure is None:
        return None
    operation: Operation = form.operation
    if operation == "difference" and "date" in measure.quantities:
        operation = _time_operation(unit)
    if operation == "greatest" and measure.falls:
        operation = "least"
    sorted = compared is None or "by how" in form.pattern.pattern
    return WantedSum(operation, sides, measure, nouns, turned=measure.falls, sorted=sorted)


def _sides_of(operation: Operation, first: str, last: str) -> tuple[str, ...]:
    """The things, each with words of its own; none where one of them has none."""
    sides = (*LISTED.split(first.rstrip(", ")), last) if operation in LISTS else (first, last)
    named = all(map(keywords, sides)) and max(map(len, sides)) <= MAX_SIDE
    plain = not first.endswith(" or") and not any(map(COMPOUND.search, sides))
    return sides if named and plain else ()


def _time_operation(unit: str) -> Operation:
    found = named(unit)
    if found and found.symbol == "months":
        return "months"
    return "days" if found and found.quantity == "time" else "years"


def _measure_named(
    compared: Measure | None, words: list[str], counts: bool
) -> tuple[Measure | None, tuple[str, ...]]:
    """What is measured by a comparative, a unit, a noun; any noun will do for what is counted."""
    base = compared or Measure(PLAIN)
    words = [word for word in words if word]
    for word in words:
        unit = named(word)
        if unit and "date" not in base.quantities:
            return base._replace(quantities=frozenset([unit.quantity])), ()
        if word in MEASURED:
            return MEASURED[word]._replace(falls=base.falls), ()
        if word in COUNTED:
            return base._replace(quantities=PLAIN), (word,)
    if compared and compared.quantities:
        return compared, ()
    return (base, tuple(words)) if counts and words else (None, ())
