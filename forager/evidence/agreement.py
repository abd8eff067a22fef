"""Compares two passages of different pages on one sub-question: do they agree or conflict?

Rule-based, without a model. Two sentences are compared only if they share most words and name the
same thing. A version, option, number, name or condition that only one of them has means that they
are about different things. A missed conflict costs less than a false alarm about two pages that are
both right.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from forager.data.word_lists import match_words
from forager.domain.state import Passage, SubQuestion
from forager.questions.qualifiers import WORDS
from forager.text.numbers import GERMAN_WORDS, WORD, digit_numbers, find_numerals, proper_names
from forager.text.quantities import (
    Value,
    ValueType,
    are_comparable,
    expected_value_types,
    find_values,
    same_value,
    without_values,
)
from forager.text.quotes import split_sentences
from forager.text.tokens import keywords, tokenize

Agreement = Literal["same words", "agree", "conflict", ""]
STRONG_SCORE = 0.65
"""The score from which a passage answers a sub-question."""
BEST_SCORE_MARGIN = 0.2
SAME_WORDS = 0.8
SHARED, SHARED_AGREEING = 0.75, 0.4
"""The share of their words, values aside, that two sentences must have in common."""
LEAST_SHARED = 3
LEAST_WEIGHT_SHARE = 0.5
"""The share of a sub-question's term weight that both sentences must cover."""
HEAVY_TERM_SHARE = 0.5
"""A term with at least this share of the heaviest term's weight belongs to the subject."""
SIMILAR_PLACES = 0.6
"""The share of common words from which the titles and sections of two pages are similar."""
VERSIONED = re.compile(
    r"(?:(?i:\b(?:version|release)s? |\bv\.? ?)|\b[A-Z]\w+ (?=\d+\.\d))(\d[\d.]*)"
    r"|\b(\d+\.\d+\.\d[\d.]*)"
)
SEGMENT = re.compile(r"\s+[|·•:–—-]\s+|\s*[»›]\s*")
SECOND = re.compile(r"(?<=\w )([A-Z][a-z]\w+)")
ENUMERATED = re.compile(
    r"^(?:chapter |section |appendix )?(?:\d{1,3}(?:\.\d+)*|[A-Z](?:\.\d+)+)[.:]? ", re.IGNORECASE
)
CONDITION = re.compile(rf"{match_words(WORDS.conditions)}|\w+n't\b", re.IGNORECASE)
VARIANT = re.compile(match_words(WORDS.variants), re.IGNORECASE)


class Clash(NamedTuple):
    """Two sentences that give different values for the same thing."""

    one: str
    other: str


class _Sentence(NamedTuple):
    text: str
    terms: frozenset[str]


def compare_passages(
    one: Passage, other: Passage, part: SubQuestion, best: float = 0.0
) -> Agreement:
    """Compare two passages on a sub-question that both answer well.

    `best` is the best score that any passage has for it. Empty if they cannot be compared.
    """
    if not on_different_pages(one, other):
        return ""
    if have_same_words(one, other):
        return "same words"
    least = max(STRONG_SCORE, best - BEST_SCORE_MARGIN)
    if min(each.scores.get(part.id, 0.0) for each in (one, other)) < least:
        return ""
    if find_clash(one, other, part):
        return "conflict"
    return "agree" if _values_agree(one, other, part) else ""


def on_different_pages(one: Passage, other: Passage) -> bool:
    """Are the passages from different pages?"""
    return one.blob != other.blob and _page_url(one) != _page_url(other)


def have_same_words(one: Passage, other: Passage) -> bool:
    """Are the passages near duplicates with the same facts?"""
    return repeats_passage(one, other) and repeats_passage(other, one)


def repeats_passage(new: Passage, known: Passage) -> bool:
    """Does every sentence of `new` have a near duplicate in `known`?"""
    told = [_marked_words(said.text) for said in _prose_sentences(known.text)]
    said = [_marked_words(said.text) for said in _prose_sentences(new.text)]
    return bool(said) and all(any(_similar_words(words, each) for each in told) for words in said)


def find_clash(one: Passage, other: Passage, part: SubQuestion) -> Clash | None:
    """The first two sentences that contradict each other, or None."""
    if one.text == other.text or _about_different_things(one, other, part):
        return None
    found: Clash | None = None
    for type in expected_value_types(part.text):
        known = part.text.lower()
        every = [_values_of_type(_collapse_spaces(each.text), type, known) for each in (one, other)]
        if any(same_value(left, right) for left in every[0] for right in every[1]):
            return None
        found = found or _find_clash_of_type(one, other, part, type)
    return found


def _find_clash_of_type(
    one: Passage, other: Passage, part: SubQuestion, type: ValueType
) -> Clash | None:
    for left in _prose_sentences(one.text):
        for right in _prose_sentences(other.text):
            pair = [_values_of_type(each.text, type, part.text.lower()) for each in (left, right)]
            if any(len(each) != 1 for each in pair) or not are_comparable(pair[0][0], pair[1][0]):
                continue
            rests = [
                without_values(each.text, found)
                for each, found in zip((left, right), pair, strict=True)
            ]
            if _about_same_thing(rests, (one, other), part):
                return Clash(left.text, right.text)
    return None


def _about_same_thing(
    rests: Sequence[str], passages: tuple[Passage, Passage], part: SubQuestion
) -> bool:
    """Are two sentences, values masked, about the same thing under the same conditions?"""
    left, right = map(_keyword_set, rests)
    if not left or _find_qualifiers(rests[0]) != _find_qualifiers(rests[1]):
        return False
    shared, differing = left & right, left ^ right
    if len(shared) < SHARED * len(left | right) or differing & _name_terms(*rests):
        return False
    if any(term[0].isdigit() for term in differing):
        return False
    here, there = (_place_terms(each) for each in passages)
    likeness = _place_similarity(*passages)
    if len(shared) < LEAST_SHARED and (differing or likeness < SIMILAR_PLACES):
        return False
    named = _name_terms(part.text) & frozenset(tokenize(" ".join(each.text for each in passages)))
    if likeness < SIMILAR_PLACES and not (named and named <= shared):
        return False
    return _weight_share(shared | (here & there), part) >= LEAST_WEIGHT_SHARE


def _values_agree(one: Passage, other: Passage, part: SubQuestion) -> bool:
    """Do sentences about the same thing give the same value of the type asked for?"""
    if _about_different_things(one, other, part):
        return False
    for type in expected_value_types(part.text):
        for left, right in _sentence_pairs(one, other):
            pair = [_values_of_type(each.text, type, part.text.lower()) for each in (left, right)]
            if not any(same_value(a, b) for a in pair[0] for b in pair[1]):
                continue
            shared = left.terms & right.terms
            if len(shared) < SHARED_AGREEING * min(len(left.terms), len(right.terms)):
                continue
            if (
                _weight_share(shared | (_place_terms(one) & _place_terms(other)), part)
                >= LEAST_WEIGHT_SHARE
            ):
                return True
    return False


def _sentence_pairs(one: Passage, other: Passage) -> Iterator[tuple[_Sentence, _Sentence]]:
    return (
        (left, right)
        for left in _prose_sentences(one.text)
        for right in _prose_sentences(other.text)
    )


def _about_different_things(one: Passage, other: Passage, part: SubQuestion) -> bool:
    """Do versions, numbers in titles, conditions or subject terms set the passages apart?"""
    if expected_value_types(part.text) != ("version",) and _find_versions(one) != _find_versions(
        other
    ):
        return True
    places = [f"{each.title} {ENUMERATED.sub('', each.section)}" for each in (one, other)]
    if digit_numbers(places[0]) != digit_numbers(places[1]):
        return True
    if _find_all(VARIANT, places[0]) != _find_all(VARIANT, places[1]):
        return True
    subject = _subject_terms(part)
    told = [_place_terms(each) | set(tokenize(f"{each.text} {each.url}")) for each in (one, other)]
    return subject & told[0] != subject & told[1]


def _subject_terms(part: SubQuestion) -> frozenset[str]:
    """The subject of a sub-question: the terms of its names, or else its heaviest terms."""
    if found := _name_terms(part.text):
        return found
    weights = _term_weights(part)
    heaviest = max(weights.values(), default=0.0)
    return frozenset(
        term for term, weight in weights.items() if weight >= HEAVY_TERM_SHARE * heaviest
    )


def _term_weights(part: SubQuestion) -> dict[str, float]:
    return part.terms or dict.fromkeys(keywords(part.text), 1.0)


def _weight_share(terms: frozenset[str], part: SubQuestion) -> float:
    weights = _term_weights(part)
    held = sum(weight for term, weight in weights.items() if term in terms)
    return held / (sum(weights.values()) or 1.0)


def _similar_words(one: frozenset[str], other: frozenset[str]) -> bool:
    differing = one ^ other
    if any(term[0].isdigit() or term[0] == "!" for term in differing):
        return False
    return bool(one) and len(one & other) >= SAME_WORDS * len(one | other)


@lru_cache(maxsize=4096)
def _values_of_type(text: str, type: ValueType, known: str) -> tuple[Value, ...]:
    return tuple(find_values(text, type, known))


@lru_cache(maxsize=4096)
def _keyword_set(text: str) -> frozenset[str]:
    return frozenset(keywords(text))


@lru_cache(maxsize=1024)
def _marked_words(text: str) -> frozenset[str]:
    """The words of a text without headings; names, conditions and numbers also marked with `!`."""
    said = " ".join(each.text for each in _prose_sentences(text)) or text
    marked = {f"!{word.lower()}" for name in _find_names(said) for word in name.split()}
    marked |= {f"!{word}" for word in _find_qualifiers(said)}
    marked |= {f"!{found.value}" for found in find_numerals(said) if found.value is not None}
    return frozenset(tokenize(said)) | marked


@lru_cache(maxsize=1024)
def _prose_sentences(text: str) -> tuple[_Sentence, ...]:
    """The sentences that contain words, without headings and code fences."""
    said = (_collapse_spaces(text[start:end]) for start, end in split_sentences(text))
    return tuple(
        _Sentence(each, terms)
        for each in said
        if not each.startswith("#") and (terms := frozenset(keywords(each)))
    )


def _collapse_spaces(text: str) -> str:
    return " ".join(text.split())


def _name_terms(*texts: str) -> frozenset[str]:
    """The terms of all names in these texts."""
    return frozenset(
        term for text in texts for name in _find_names(text) for term in tokenize(name)
    )


def _find_names(text: str) -> set[str]:
    """The names in a text, including a capitalised second word of a sentence."""
    if not GERMAN_WORDS.isdisjoint(WORD.findall(text)):
        return proper_names(text)
    return proper_names(text) | {found[1] for found in SECOND.finditer(text)}


@lru_cache(maxsize=4096)
def _find_qualifiers(text: str) -> frozenset[str]:
    return _find_all(CONDITION, text) | _find_all(VARIANT, text)


def _find_all(pattern: re.Pattern[str], text: str) -> frozenset[str]:
    return frozenset(found[0].lower() for found in pattern.finditer(text))


def _find_versions(passage: Passage) -> frozenset[str]:
    said = f"{passage.title} {ENUMERATED.sub('', passage.section)} {passage.text}"
    return frozenset((found[1] or found[2]).rstrip(".") for found in VERSIONED.finditer(said))


def _place_terms(passage: Passage) -> frozenset[str]:
    return frozenset(keywords(f"{passage.title} {passage.section}"))


def _place_similarity(one: Passage, other: Passage) -> float:
    """The share of words that the titles and sections of two passages have in common.

    The site's name is ignored. 0 if each title has a word that the other lacks, since the pages
    are then about different things.
    """
    titles = [SEGMENT.split(each.title) for each in (one, other)]
    site = set(titles[0]) & set(titles[1]) if titles[0] != titles[1] else set()
    own = [
        frozenset(keywords(" ".join(each for each in title if each not in site)))
        for title in titles
    ]
    if own[0] - own[1] and own[1] - own[0]:
        return 0.0
    left, right = own[0] | set(keywords(one.section)), own[1] | set(keywords(other.section))
    return len(left & right) / (len(left | right) or 1)


def _page_url(passage: Passage) -> str:
    return passage.url.partition("#")[0]
