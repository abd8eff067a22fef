"""What a question means that goes on from the questions before it, by rule.

Three things make a question lean on those before it (Carbonell 1983, "Discourse pragmatics and
ellipsis resolution"): it lacks its own predicate ("And the other one?"), it points back ("its
default"), or it names only what sets a thing apart ("the strict one"). Such a question is read
with the words of what it leans on in brackets behind it, in the spelling of the conversation.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from forager.data.word_lists import all_words, match_any, match_words, spaced_words, unspaced_words
from forager.domain.state import Meaning
from forager.questions.question_words import WORDS
from forager.questions.search_queries import names, telling
from forager.text.answer_types import unsaid

OPENING: Final = re.compile(
    rf"^(?:(?:{match_any(spaced_words(WORDS.openings))})\b[\s,:]*"
    rf"|(?:{match_any(unspaced_words(WORDS.openings))})\s*)+",
    re.IGNORECASE,
)
"""What joins a question to the one before."""
ABOUT: Final = re.compile(rf"^(?:{match_any(all_words(WORDS.same_of))})\b|呢[?？]?$", re.IGNORECASE)
"""What asks the same of something else."""
ASKING: Final = re.compile(match_words(WORDS.asking), re.IGNORECASE)
"""What a question has that is more than a name."""
BACK: Final = re.compile(
    r"\b(?:it|its|itself|they|them|their|theirs|he|him|his|she|her|hers|there|those|these|"
    r"(?:that|this)(?= (?:one|case|mode|time|way|file|option|value)\b|[\s,]*[?.]|$)|"
    r"the (?:same|other|others|former|latter|first|second)|instead|"
    r"er|ihn|ihm|ihr|ihre[nrms]?|sie|seine?[nrms]?|deren|dessen|dort|davon|dafür|damit|darin|"
    r"diese[nrms]?|dieselbe[n]?|"
    r"ils?|elles?|lui|leurs?|son|sa|ses|celui|celle|ceux|celles|cela|ça|y|en)\b|"
    r"它|他们|她|其(?!他|它|余)|这|那(?!么)|该|前者|后者",
    re.IGNORECASE,
)
"""What points back, unless there is something to point to within the question."""
ONE: Final = re.compile(
    r"\b(?:the|that|this|which|any) (?:[\w-]+ ){0,3}?ones?\b|\bone of (?:them|those|these)\b|"
    r"\bd(?:er|ie|as) (?!die\b)[\w-]+e[nr]?\?$",
    re.IGNORECASE,
)
"""A thing named by what sets it apart from one that was spoken of."""
APART: Final = re.compile(r"\bthe (?!same |very )(?:[\w-]+ ){1,3}?ones?\b", re.IGNORECASE)
"""One that is another than the thing spoken of."""
THING: Final = re.compile(
    r"\b(?:an?|eine?[nrms]?|une?|every|each|jede[nrms]?|chaque) [\w-]{3,}", re.IGNORECASE
)
"""What brings up a thing that a later word of the same question may point to."""
IMPERSONAL: Final = re.compile(
    r"\b(?:it (?:is|was|takes?|does|possible)|is it|does it take|il y a|il faut|est-il|y a-t-il|"
    r"gibt es|es gibt|there (?:is|are|was|were|a|an|any)|(?:is|are|was|were) there|"
    r"en [A-Z\d]\w*|the (?:first|second) (?!one)[\w-]+)\b",
)
"""What only looks as if it pointed back."""
VERB: Final = rf"(?:{match_any(all_words(WORDS.verbs))})\b"
MANNER: Final = re.compile(r"\b(?:how|wie) (?!do\b|does\b|did\b|is\b|are\b|can\b)[\w-]+", re.I)
KIND: Final = re.compile(
    rf"\b(which|what|welche[rsnm]?|quel(?:le)?s?) (?!{VERB})"
    rf"((?:[\w'’-]+ ){{0,3}}?)([\w-]+) (?={VERB})",
    re.IGNORECASE,
)
ASKED: Final = re.compile(
    r"哪[一个种些]*|多少|什么|几[个种]?|\b(?:combien|where|when|who|wo|wann|wer|où|quand|qui)\b",
    re.I,
)
"""What is asked of a thing: how long, which model, where."""
DASH: Final = "—"
BY_DEFAULT: Final = "by default"
POSSESSIVE: Final = re.compile(r"['’]s?$")
SHORTENED: Final = re.compile(r"['’](?:t|re|ve|ll|m|d)$", re.IGNORECASE)
MOST_WORDS: Final = 24
"""Words of a context; the first ones count most."""
SHORT: Final = 8
"""Words up to which a question without a predicate is a fragment."""


class Exchange(NamedTuple):
    """A question of the conversation as it was meant, about what, and its answer."""

    question: str
    context: str = ""
    answer: str = ""


def resolve_followup(question: str, earlier: Sequence[Exchange]) -> Meaning:
    """The question, with what it leans on behind it; one that stands alone as it is."""
    if not earlier or stands_alone(question):
        return Meaning(text=question)
    context = _context_words(question, earlier)
    if not context:
        return Meaning(text=question)
    asked = question.rstrip(" ?？.。")
    if is_elliptic(question) and (wanted := _what_was_asked(earlier[-1])):
        asked = f"{asked} {DASH} {wanted}"
    return Meaning(text=f"{asked} ({context})?", context=context)


def without_context(question: str, context: str) -> str:
    """What a question itself asks, without the words it leans on."""
    return question.replace(f" ({context})", "", 1) if context else question


def asks_of_another(question: str) -> bool:
    """Does it ask of another thing what was asked before: is that in place of the first thing?"""
    return is_elliptic(question) or APART.search(question) is not None


def own_clause(question: str) -> str:
    """The question without what the one before it asked of its own thing."""
    return question.partition(f" {DASH} ")[0] if is_elliptic(question) else question


def stands_alone(question: str) -> bool:
    """Can it be understood without the questions before?"""
    text = question.strip()
    if OPENING.match(text) or ABOUT.search(text) or is_elliptic(text) or ONE.search(text):
        return False
    bare = IMPERSONAL.sub(" ", text)
    back = BACK.search(bare)
    return back is None or _has_antecedent(bare[: back.start()])


def is_elliptic(question: str) -> bool:
    """Does it lack what it asks of the things that it names?"""
    text = OPENING.sub("", question.strip()).partition(f" {DASH} ")[0]
    if ABOUT.search(text):
        return True
    joined = OPENING.match(question.strip()) is not None
    return (joined or len(text.split()) <= SHORT) and not ASKING.search(text)


def _what_was_asked(before: Exchange) -> str:
    """What the question before asked of its thing, in its words: `how long`, `which model`."""
    text = without_context(before.question, before.context)
    kind = KIND.search(text)
    manner = MANNER.search(text)
    found = manner or ASKED.search(text)
    wanted = found[0].lower() if found else ""
    if kind and not (manner and manner.start() < kind.start()):
        wanted = f"{kind[1].lower()} {kind[3]}"
    return f"{BY_DEFAULT} {wanted}".strip() if unsaid(text) else wanted


def _has_antecedent(before: str) -> bool:
    """Is there a thing in the words before that those behind may point to?"""
    return bool(names(f". {before}") or THING.search(before))


def _context_words(question: str, earlier: Sequence[Exchange]) -> str:
    """The words of the conversation that a question leans on, but for its own.

    Those of the question before; where that lacks its own predicate, also those of the one it has
    it from; and the things that were named since the last question that stands alone. Where none
    was, those that were named last before it.
    """
    own = {word.lower() for word in _content_words(question)}
    chain = _chain_of(earlier)
    asking = next((each for each in chain if not _leans_on_others(each)), chain[-1])
    words = [
        word
        for each in dict.fromkeys((chain[0], asking))
        for word in _content_words(_own_text(each))
    ]
    named = [name for each in _not_replaced(chain, asking) for name in _named_things(each)]
    told = (_named_things(each) for each in reversed(earlier))
    named = named or list(next(filter(None, told), ()))
    words += [word for name in named for word in _content_words(name)]
    found = dict.fromkeys(word for word in words if word.lower() not in own)
    once = {word.lower(): word for word in reversed(found)}
    return " ".join([word for word in found if once[word.lower()] == word][:MOST_WORDS])


def _chain_of(earlier: Sequence[Exchange]) -> Sequence[Exchange]:
    """The questions since the last one that stands alone, the newest first, and that one last."""
    newest_first = earlier[::-1]
    alone = (place for place, each in enumerate(newest_first) if not each.context)
    return newest_first[: next(alone, len(earlier) - 1) + 1]


def _not_replaced(chain: Sequence[Exchange], asking: Exchange) -> Iterator[Exchange]:
    """Those whose things a later one of the chain has not put another in the place of."""
    replaced = False
    for each in chain:
        other = asks_of_another(_own_text(each)) and each not in (asking, chain[-1])
        if not (other and replaced):
            yield each
        replaced = replaced or other


def _leans_on_others(each: Exchange) -> bool:
    """Does a question lean on others for what it asks?"""
    own = _own_text(each)
    return is_elliptic(own) or len(_content_words(own)) < SHORT // 2


def _named_things(each: Exchange) -> tuple[str, ...]:
    """The things that a question names itself, also with its first word."""
    return names(f"{DASH} {_own_text(each)}")


def _own_text(each: Exchange) -> str:
    """A question without the words that it leans on."""
    return without_context(each.question, each.context).partition(f" {DASH} ")[0]


def _content_words(text: str) -> list[str]:
    """The words that tell what a text is about, without the endings of English."""
    plain = (POSSESSIVE.sub("", word) for word in telling(text))
    return [word for word in plain if word and not SHORTENED.search(word)]
