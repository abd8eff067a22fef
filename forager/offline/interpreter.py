"""Resolves a follow-up question from the conversation, without a model.

A question depends on earlier ones if it has no predicate ("And the other one?"), if it points back
("its default"), or if it names only what sets a thing apart ("the strict one"); see Carbonell 1983,
"Discourse pragmatics and ellipsis resolution". Such a question is followed by the words it depends
on, in brackets and as the conversation spells them.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from forager.data.word_lists import all_words, match_any
from forager.domain.state import Meaning
from forager.questions.anaphora import stands_alone
from forager.questions.followups import (
    DASH,
    MAX_ELLIPTIC_WORDS,
    Exchange,
    asks_of_another,
    is_elliptic,
    without_context,
)
from forager.questions.question_words import WORDS
from forager.questions.search_queries import distinctive_words, find_names
from forager.text.answer_types import default_keyword, expected_types

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
"""What is asked about a thing: how long, which model, where."""
PERSON: Final = re.compile(r"\b(?:he|him|his|she|her|hers)\b|(?<![其吉])他(?!们)|她(?!们)", re.I)
QUOTATION: Final = re.compile('[“”„"«»]')
BY_DEFAULT: Final = "by default"
POSSESSIVE: Final = re.compile(r"['’]s?$")
SHORTENED: Final = re.compile(r"['’](?:t|re|ve|ll|m|d)$", re.IGNORECASE)
MAX_WORDS: Final = 24
"""Words of a context. The first ones count most."""


def resolve_followup(question: str, earlier: Sequence[Exchange]) -> Meaning:
    """The question, followed by the context it depends on; unchanged if it stands alone."""
    if not earlier or stands_alone(question):
        return Meaning(text=question)
    context = _person_meant(question, earlier) or _context_words(question, earlier)
    if not context:
        return Meaning(text=question)
    asked = question.rstrip(" ?？.。")
    if is_elliptic(question) and (wanted := _what_was_asked(earlier[-1])):
        asked = f"{asked} {DASH} {wanted}"
    return Meaning(text=f"{asked} ({context})?", context=context)


def _person_meant(question: str, earlier: Sequence[Exchange]) -> str:
    """Whom "he" or "she" is: the answer to the last question for a person, if it names one."""
    if not PERSON.search(question):
        return ""
    for each in reversed(earlier):
        own = _own_text(each)
        if PERSON.search(own) and each.context:
            return each.context
        if any(kind.name == "person" for kind in expected_types(own)):
            told = QUOTATION.sub(" ", each.answer.partition("\n")[0])
            names = find_names(f"{DASH} {told}")
            return next((name for name in names if " " in name and name not in own), "")
    return ""


def _what_was_asked(before: Exchange) -> str:
    """What the previous question asked, in its own words: `how long`, `which model`."""
    text = without_context(before.question, before.context)
    kind = KIND.search(text)
    manner = MANNER.search(text)
    found = manner or ASKED.search(text)
    wanted = found[0].lower() if found else ""
    if kind and not (manner and manner.start() < kind.start()):
        wanted = f"{kind[1].lower()} {kind[3]}"
    return f"{BY_DEFAULT} {wanted}".strip() if default_keyword(text) else wanted


def _context_words(question: str, earlier: Sequence[Exchange]) -> str:
    """The words of the conversation that a question depends on, except its own.

    They come from the previous question; if that one is elliptic, also from the question it
    inherits its predicate from; and from the things named since the last question that stands
    alone, or, if none were, from the things named last.
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
    return " ".join([word for word in found if once[word.lower()] == word][:MAX_WORDS])


def _chain_of(earlier: Sequence[Exchange]) -> Sequence[Exchange]:
    """The questions back to the last one that stands alone, newest first."""
    newest_first = earlier[::-1]
    alone = (place for place, each in enumerate(newest_first) if not each.context)
    return newest_first[: next(alone, len(earlier) - 1) + 1]


def _not_replaced(chain: Sequence[Exchange], asking: Exchange) -> Iterator[Exchange]:
    """The exchanges whose things no later one of the chain has replaced."""
    replaced = False
    for each in chain:
        other = asks_of_another(_own_text(each)) and each not in (asking, chain[-1])
        if not (other and replaced):
            yield each
        replaced = replaced or other


def _leans_on_others(each: Exchange) -> bool:
    """Does a question depend on others for what it asks?"""
    own = _own_text(each)
    return is_elliptic(own) or len(_content_words(own)) < MAX_ELLIPTIC_WORDS // 2


def _named_things(each: Exchange) -> tuple[str, ...]:
    """The things that a question names itself, the first word included."""
    return find_names(f"{DASH} {_own_text(each)}")


def _own_text(each: Exchange) -> str:
    """A question without its context and without what it inherited."""
    return without_context(each.question, each.context).partition(f" {DASH} ")[0]


def _content_words(text: str) -> list[str]:
    """The content words of a text, without English possessives and contractions."""
    plain = (POSSESSIVE.sub("", word) for word in distinctive_words(text))
    return [word for word in plain if word and not SHORTENED.search(word)]
