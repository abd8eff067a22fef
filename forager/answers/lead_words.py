"""The words of a sentence that answer a question: a value, a date, a name, a code, Yes or No.

Two logistic regressions tell which: one over signs of form and place and what a trained reader
sees (fitted by `bench.ranker.leads`), and for Yes and No one over the words of the question and the
sentence (fitted by `bench.ranker.yes_no`).
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from forager.answers.likelihood import SignWeights, read_sign_weights
from forager.answers.reading import Reading
from forager.domain.answers import LeadKind
from forager.questions.list_intent import asks_how
from forager.text.answer_types import DEFAULT, MONTH, NUMERAL, TIME, expected_types
from forager.text.numbers import POWER
from forager.text.sentences import Span
from forager.text.tokens import keywords, tokenize, word_terms

ASKS: Final = re.compile(
    r"(?:^|[,:;?] ?)"
    r"(do|does|did|can|could|is|are|was|were|will|would|may|must|should|has|have)\b",
    re.IGNORECASE,
)
NEGATION: Final = re.compile(r"\b(?:not|no|never|cannot|neither|nor)\b|\w+n['’]t\b", re.IGNORECASE)
IN_CODE: Final = re.compile(
    r"\b(?:NOT|NO)\b(?:(?= [A-Z][A-Z_]+\b)|(?<=[A-Z]{2} NOT)|(?<=[A-Z]{2} NO))"
)
"""A negation that is part of code, as in NOT NULL, and denies nothing."""
CLAUSE_END: Final = re.compile(
    r"[,;:.()—–|\n]+(?=\s|$)|\s(?=(?:because|since|so|which|that|while|although|though|if|when"
    r"|unless|where)\b)",
    re.IGNORECASE,
)
SAID: Final[Mapping[str, re.Pattern[str]]] = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "negation": NEGATION.pattern,
        "demand": r"\bonly\b|\bmust\b|\brequires?\b|\bneed",
        "condition": r"\bunless\b|\bexcept\b|\bif\b|\bwhen\b",
        "contrast": r"\bhowever\b|\bbut\b|\binstead\b|\balthough\b",
        "permission": r"\bcan\b|\bmay\b|\bpossible\b|\ballow|\bable\b|\bsupport",
        "generality": r"\bwill\b|\bautomatic|\balways\b|\balso\b|\beven\b|\bany\b|\bboth\b",
        "refusal": r"\b(?:un|in|im|dis)[a-z]{4,}|\bwithout\b|\bfail|\bignore|\brefuse|\breject|"
        r"\bdeprecated|\bremoved|\bobsolete|\bforbid|\bprevent|\blacks?\b|\brather than\b",
    }.items()
}
"""Words of the sentence."""
ASKED_FOR: Final[Mapping[str, re.Pattern[str]]] = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "need": r"\bneed|\bhave to\b|\bmust\b",
        "any": r"\bany\b",
        "only": r"\bonly\b",
        "same": r"\bsame\b",
        "without": r"\bwithout\b",
    }.items()
}
"""Words of the question."""
MOST_NEGATIONS = 3
MIN_SHARE = 0.15
"""The share of the question's words that a sentence must have to be about the same thing."""
MOST_AFFIRMED = 0.75
"""The share of them from which a clause affirms what is asked, if the denying ones have fewer."""


YES_NO_WEIGHTS: Final = read_sign_weights("yes_no")
"""Of Yes; the negative ones speak for No."""


def asks_yes_or_no(question: str) -> bool:
    """Does a question, or a part of it, want a Yes or a No?"""
    return ASKS.search(question) is not None


def answer_yes_or_no(
    question: str, sentence: str, weights: SignWeights = YES_NO_WEIGHTS
) -> tuple[str, Span] | None:
    """`Yes` or `No` and the words that say so; None if neither is likely enough.

    A question that is negated is not answered so: to the same fact some say Yes and some say No.
    """
    signs = yes_no_signs(question, sentence)
    if NEGATION.search(_without_code(question)) or signs["share"] < MIN_SHARE:
        return None
    log_odds = weights.log_odds(signs)
    if abs(log_odds) < weights.least:
        return None
    said = _without_code(sentence)
    if log_odds < 0 and not _denies(question, said):
        return None
    answer, word = ("Yes", "permission") if log_odds > 0 else ("No", "negation")
    found = SAID[word].search(said)
    return answer, found.span() if found else (0, len(sentence))


def _without_code(text: str) -> str:
    """A text without negations that are code; offsets stay."""
    return IN_CODE.sub(lambda found: "_" * len(found[0]), text)


def _denies(question: str, sentence: str) -> bool:
    """Does a sentence deny or refuse something, and not while it affirms what is asked?

    It affirms that if a clause without a negation has most of the question's words, and each
    clause with one has fewer.
    """
    if not NEGATION.search(sentence):
        return SAID["refusal"].search(sentence) is not None
    terms = set(keywords(question))
    shares: dict[bool, float] = {}
    for clause in CLAUSE_END.split(sentence):
        denied = NEGATION.search(clause) is not None
        share = len(terms & set(tokenize(clause))) / (len(terms) or 1)
        shares[denied] = max(share, shares.get(denied, 0.0))
    affirmed = shares.get(False, 0.0)
    return affirmed < MOST_AFFIRMED or affirmed <= shares.get(True, 0.0)


def yes_no_signs(question: str, sentence: str) -> dict[str, float]:
    """The size of the signs of a question and a sentence."""
    terms = set(keywords(question))
    share = len(terms & set(tokenize(sentence))) / (len(terms) or 1)
    plain = _without_code(sentence)
    negations = len(NEGATION.findall(plain))
    said = {name for name, pattern in SAID.items() if pattern.search(plain)}
    asked = {name for name, pattern in ASKED_FOR.items() if pattern.search(question)}
    verbs = {found[1].lower() for found in ASKS.finditer(question)}
    present = (
        *(f"says {name}" for name in sorted(said)),
        *(f"asks {name}" for name in sorted(asked | verbs)),
    )
    return {
        "bias": 1.0,
        "share": share,
        "share if negated": share if negations else 0.0,
        "negations": min(negations, MOST_NEGATIONS) / MOST_NEGATIONS,
        "length": math.log1p(len(sentence) / 200),
        **dict.fromkeys(present, 1.0),
    }


CONDITION: Final = re.compile(
    r"(?<!\bas )(?<!\beven )(?<!\bsee )(?<!\bcheck )(?<!\bask )(?<!\btest )"
    r"\b(?:only (?:if|when|for|with)|if|unless|when|as long as|provided(?: that)?|except)\b"
    r" [^,;.:()\n|]{3,90}(?=$|[,;.:()\n])",
    re.IGNORECASE,
)
"""Words of a sentence without which a Yes or a No would say too much."""


def find_condition(sentence: str) -> str:
    """The condition that a sentence names, in its own words; empty if it names none."""
    found = CONDITION.search(sentence)
    return " ".join(found[0].split()) if found else ""


POSSESSIVE: Final = re.compile(r"['’]s\b")
OTHER_MONTH: Final = (
    r"januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|"
    r"août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|"
    r"septiembre|octubre|noviembre|diciembre"
)
IN_WORDS: Final = rf"(?:{MONTH}|{OTHER_MONTH})\b"
UNIT: Final = rf"%|°C?|[kKMGTµm]?i?[bBsmg]\b|[kMG]?Hz\b|(?:{TIME})\b|[a-z]{{3,}}\b"
AFTER_NUMERAL: Final = re.compile(
    rf" (?:{TIME}|percent|(?:kilo|mega|giga|tera)?bytes?)\b", re.IGNORECASE
)
DURATION: Final = re.compile(
    rf"\d+ (?:{TIME})\b(?:(?:,|,? and)? \d+(?:[.,]\d+)? (?:{TIME})\b)+", re.IGNORECASE
)
"""As in "2 hours and 40 minutes"."""
EVERY: Final = re.compile(r"\b(?:every|each)\s+\Z", re.IGNORECASE)
"""What makes a time one that is repeated, as in "every two weeks"."""
TIME_UNIT: Final = re.compile(rf"\b{TIME}\b", re.IGNORECASE)
JOINED_BEFORE: Final = re.compile(r"(?<!\w)(?:\w+(?:[.@/-]|::|://?))+\Z|\b(?:https?|ftp):\Z")
JOINED_AFTER: Final = re.compile(r"(?:(?:[.@/-]|::)\w+)*/?")
"""What stands before and behind words without a space, as parts of one name, number or address."""
MAX_JOINED = 120
SAME_IN_DIGITS: Final = re.compile(r" \([^()\s]*\d[^()]{0,10}\)")
"""As in "four megabytes (4MB)"."""
FORMS: Final[Mapping[str, re.Pattern[str]]] = {
    "date": re.compile(
        rf"\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}(?:st|nd|rd|th)?[-. ]+(?:de |of )?{IN_WORDS}"
        rf"(?:[-., ]*\d{{4}})?|\b{IN_WORDS}\.?(?: \d{{1,2}}\b)?(?:,? \d{{4}})|\b1\d{{3}}\b|"
        r"\b20\d\d\b|\d+年(?:\d+月)?(?:\d+日)?",
        re.IGNORECASE,
    ),
    "version": re.compile(r"\bv?\d+(?:\.\d+)+(?:[-.][\w]+)*"),
    "value": re.compile(rf"(?<![\w.])[-+−]?\d+(?:[.,:]\d+)*(?:{POWER})?(?: ?(?:{UNIT}))?(?!\w)"),
    "number": re.compile(rf"\b{NUMERAL}\b(?<!\d)", re.IGNORECASE),
    "option": re.compile(r"(?<![\w/-])--?[A-Za-z][\w-]*"),
    "path": re.compile(r"(?<![\w/])(?:[~.$]?/[\w./*-]+\w|[\w-]+(?:\.[\w-]+)*\.[a-z]\w{1,5}\b)"),
    "code": re.compile(
        r"(?<![\w/])(?:<[\w/.-]+>|[\w$]+(?:(?:::|[._:#-])[\w$]+)*(?:::|[._#])[\w$]+(?:\(\))?|"
        r"\w+\(\)|\$\w+|[a-z]+[A-Z]\w+|[A-Z][A-Z_\d]{2,})(?!\w)"
    ),
    "quoted": re.compile(r"(?<=[\"“'‘`])[^\"“”'‘’`\s][^\"“”'‘’`]{0,38}(?=[\"”'’`])"),
    "title": re.compile(r"\b[A-Z][\w+#-]*(?: (?:(?:of|de|van|von|the|and) )?[A-Z][\w+#-]*)*"),
}
KINDS: Final[Mapping[str, LeadKind]] = {
    "date": "date",
    "version": "value",
    "value": "value",
    "number": "value",
}
"""The kind of lead of each form; the others are names."""
ASKED: Final = {
    "date": {"date", "year"},
    "version": {"version"},
    "value": {"duration", "share", "measure", "count"},
    "default": {DEFAULT},
    "person": {"person"},
    "place": {"place"},
    "code": {"code"},
    "name": {"name"},
}
"""What a question asks for, by the answer types that it expects."""
BEFORE: Final[Mapping[str, re.Pattern[str]]] = {
    "default": re.compile(r"default\w*\W+(?:(?:value )?(?:is|of|to|are|=)\W+)?$", re.IGNORECASE),
    "sign": re.compile(r"[:=(]\W*$"),
    "is": re.compile(r"\b(?:is|are|was|were|be|to|than|least|most|with|called|named)\W+$"),
    "by": re.compile(r"\bby\W+$"),
    "use": re.compile(
        r"\b(?:use|using|with|via|set|run|see|type|give|option|flag|command|file|function)\W+$",
        re.I,
    ),
    "since": re.compile(r"\b(?:since|from|version|release|until|in|on|of)\W+$", re.IGNORECASE),
}
AFTER: Final[Mapping[str, re.Pattern[str]]] = {
    "noun": re.compile(
        r"^\W*(?:option|flag|command|file|function|parameter|method|module|variable|class)\b", re.I
    ),
    "sign": re.compile(r"^\W*[:=–—]"),
    "end": re.compile(r"^\W*$"),
}


WEIGHTS: Final = read_sign_weights("lead_words")
UNREAD_WEIGHTS: Final = read_sign_weights("lead_words_unread")
"""Where there is no reader."""
WHY: Final = re.compile(r"\bwhy\b|\bwarum\b|\bpourquoi\b|\bpor qué\b|为什么", re.IGNORECASE)
COUNTED: Final = re.compile(
    r"\b(?:how many|wie viele?|combien d[e'’])\s*([\w-]+(?: [\w-]+)?)", re.IGNORECASE
)
"""What a question asks the number of."""
MEASURED: Final = re.compile(
    r"\bhow (high|tall|long|wide|broad|deep|thick|old|heavy|far)\b", re.IGNORECASE
)
"""Of what it asks the size, as in "38 metres high"."""
NOUNS: Final = {
    **dict.fromkeys(("high", "tall"), "height"),
    **dict.fromkeys(("wide", "broad"), "width"),
    "long": "length duration",
    "deep": "depth",
    "thick": "thickness",
    "old": "age",
    "heavy": "weight",
    "far": "distance",
}
"""What these sizes are called in the columns of a table."""
WORD: Final = re.compile(r"\w+")
SAME_COUNT: Final = "counts what is asked"
COUNTED_WITHIN = 3
"""The words after a number in which what it counts or measures is named."""
FAR = 200
"""The distance in characters of a candidate from words that are not in its sentence."""


PHRASE: Final = "phrase"
"""The form of words that have none of `FORMS`, but that the reader sees as the answer."""
MOST_PHRASES = 5


class Candidate(NamedTuple):
    """Words of a sentence that may answer, and their form."""

    form: str
    start: int
    end: int


class FoundWords(NamedTuple):
    """Characters `start` to `end` of a sentence, and what they say."""

    kind: LeadKind
    text: str
    start: int
    end: int


def measured_nouns(question: str) -> str:
    """The nouns for what a question asks the size of; empty if it asks for none."""
    measured = MEASURED.search(question)
    return NOUNS[measured[1].lower()] if measured else ""


def kind_of(words: str) -> LeadKind:
    """The kind of a lead that has these words alone."""
    forms = (form for form, pattern in FORMS.items() if pattern.fullmatch(words))
    return KINDS.get(next(forms, ""), "name")


def find_words(
    question: str,
    sentence: str,
    read: Reading | None = None,
    weights: SignWeights | None = None,
) -> FoundWords | None:
    """The words that most likely answer a question; None if they are not likely enough.

    The only number of what the question counts or measures always is.
    """
    if asks_how(question) or WHY.search(question):
        return None
    if asks_yes_or_no(question):
        told = answer_yes_or_no(question, sentence)
        return FoundWords("yes_no", told[0], *told[1]) if told else None
    weights = weights or (WEIGHTS if read else UNREAD_WEIGHTS)
    every = find_candidates(question, sentence, read)
    log_odds = rate_candidates(question, sentence, every, read, weights)
    counting = [_counts_what_is_asked(question, sentence, each) for each in every]
    places = [place for place, fits in enumerate(counting) if fits or not any(counting)]
    best = max(places, key=lambda place: log_odds[place], default=None)
    if best is None:
        return None
    counted_once = counting[best] and all(_overlap(every[best], every[place]) for place in places)
    if log_odds[best] < weights.least and not counted_once:
        return None
    form, start, end = every[best]
    start, end = _whole_name(sentence, start, end)
    start, end = _whole_duration(sentence, start, _end_with_unit(form, sentence, end))
    start = repeated.start() if (repeated := EVERY.search(sentence[:start])) else start
    return FoundWords(KINDS.get(form, "name"), sentence[start:end], start, end)


def _whole_name(sentence: str, start: int, end: int) -> Span:
    """The span with what is joined to it without a space, as in `Lamp.pm` and `32-bit`."""
    left = max(0, start - MAX_JOINED)
    before = JOINED_BEFORE.search(sentence[left:start])
    after = JOINED_AFTER.match(sentence, end, end + MAX_JOINED)
    return left + before.start() if before else start, after.end() if after else end


def _whole_duration(sentence: str, start: int, end: int) -> Span:
    """The span of a duration in several units, of which these are one; else as it is."""
    for found in DURATION.finditer(sentence):
        units = [unit.lower().rstrip("s") for unit in TIME_UNIT.findall(found[0])]
        if found.start() <= start and end <= found.end() and len(set(units)) == len(units):
            return found.span()
    return start, end


def _end_with_unit(form: str, sentence: str, end: int) -> int:
    """Where a numeral ends with its unit, and an amount with the same in digits."""
    if form == "number" and (unit := AFTER_NUMERAL.match(sentence, end)):
        end = unit.end()
    if form in ("number", "value") and (same := SAME_IN_DIGITS.match(sentence, end)):
        end = same.end()
    return end


def find_candidates(question: str, sentence: str, read: Reading | None = None) -> list[Candidate]:
    """The values, dates, names and codes of a sentence that are not in the question, and the
    likeliest of what the reader sees in it."""
    said = f" {' '.join(word_terms(question))} "
    forms = [
        Candidate(form, *match.span())
        for form, pattern in FORMS.items()
        for match in pattern.finditer(sentence)
    ]
    phrases = [Candidate(PHRASE, *span) for span in read.likeliest(MOST_PHRASES)] if read else []
    found: dict[Span, Candidate] = {}
    for each in (*forms, *phrases):
        text = sentence[each.start : each.end]
        words = " ".join(word_terms(text)) or text.lower()
        if f" {words} " not in said and any(map(str.isalnum, text)):
            found.setdefault(each[1:], each)
    return sorted(found.values(), key=lambda each: each[1:])


def rate_candidates(
    question: str,
    sentence: str,
    every: Sequence[Candidate],
    read: Reading | None = None,
    weights: SignWeights | None = None,
) -> list[float]:
    """The log-odds that each candidate answers."""
    weights = weights or (WEIGHTS if read else UNREAD_WEIGHTS)
    return [weights.log_odds(signs) for signs in find_signs(question, sentence, every, read)]


def find_signs(
    question: str, sentence: str, every: Sequence[Candidate], read: Reading | None = None
) -> list[dict[str, float]]:
    """For each candidate the size of its signs: form by what is asked, words around it, place, and
    what the reader sees."""
    asked = _asked_kinds(question)
    terms = set(keywords(question))
    held = [
        match.span()
        for match in WORD.finditer(sentence)
        if not terms.isdisjoint(tokenize(match[0]))
    ]
    formed = [each for each in every if each.form != PHRASE]
    return [
        {f"{each.form} for {name}": 1.0 for name in asked}
        | _signs_around(sentence, each)
        | _signs_of_count(question, sentence, each)
        | _signs_among(each, formed)
        | _signs_of_place(each, held, len(sentence))
        | (dict(read.signs(each.start, each.end)) if read else {})
        for each in every
    ]


def _asked_kinds(question: str) -> list[str]:
    """What a question asks for; `any` if it may be anything."""
    names = {kind.name for kind in expected_types(POSSESSIVE.sub("", question))}
    return [name for name, types in ASKED.items() if names & types] or ["any"]


def _signs_around(sentence: str, each: Candidate) -> dict[str, float]:
    before, after = sentence[: each.start], sentence[each.end :]
    ahead = (f"after {name}" for name, pattern in BEFORE.items() if pattern.search(before))
    behind = (f"before {name}" for name, pattern in AFTER.items() if pattern.search(after))
    return dict.fromkeys((*ahead, *behind), 1.0)


def _signs_of_count(question: str, sentence: str, each: Candidate) -> dict[str, float]:
    """Whether a number counts what the question asks the number of."""
    asked = COUNTED.search(question)
    if asked is None or each.form not in ("value", "number"):
        return {}
    counted = _words_after_number(sentence, each)
    same = not set(tokenize(asked[1])).isdisjoint(tokenize(" ".join(counted)))
    return {SAME_COUNT if same else "counts something else": 1.0}


def _counts_what_is_asked(question: str, sentence: str, each: Candidate) -> bool:
    """Is a candidate a number of what the question counts or measures?"""
    measured = MEASURED.search(question)
    if measured and each.form in ("value", "number"):
        return measured[1].lower() in _words_after_number(sentence, each)
    return SAME_COUNT in _signs_of_count(question, sentence, each)


def _overlap(one: Candidate, other: Candidate) -> bool:
    return one.start < other.end and other.start < one.end


def _words_after_number(sentence: str, each: Candidate) -> list[str]:
    return WORD.findall(sentence[each.start :])[1 : 1 + COUNTED_WITHIN]


def _signs_among(each: Candidate, every: Sequence[Candidate]) -> dict[str, float]:
    others = [other for other in every if other != each]
    return {
        "bias": 1.0,
        "same form": math.log(1 + sum(other.form == each.form for other in others)),
        "others": math.log(1 + len(others)),
        "inside another": float(any(_holds(other, each) for other in others)),
        "holds another": float(any(_holds(each, other) for other in others)),
    }


def _signs_of_place(each: Candidate, held: Sequence[Span], length: int) -> dict[str, float]:
    """How near it is to the words of the question in `held`, how long it is, where it stands."""
    inside = [span for span in held if each.start <= span[0] and span[1] <= each.end]
    gaps = [
        max(each.start - end, start - each.end, 0)
        for start, end in held
        if (start, end) not in inside
    ]
    return {
        "near": 1 / (1 + min(gaps, default=FAR) / 8),
        "has a word of the question": float(bool(inside)),
        "length": min((each.end - each.start) / 20, 2.0),
        "place": each.start / (length or 1),
    }


def _holds(one: Candidate, other: Candidate) -> bool:
    return one.start <= other.start and other.end <= one.end
