"""The words of a look-up that no page had before it was asked: what answers it has them."""

import re
from collections.abc import Iterable, Sequence

from forager.domain.state import Evidence, SubQuestion
from forager.domain.survey import TermStatistics
from forager.questions.search_queries import distinctive_words, find_names
from forager.text.languages import ENGLISH
from forager.text.tokens import keywords, tokenize

HAS_DIGIT = re.compile(r"\d")
LEAST_ADDED_SHARE = 0.2
"""The share of what a follow-up adds that its answer says at the least."""
MOST_DIGITS = 2
"""Shorter numbers count things; longer ones name them."""
SAME_LANGUAGE = 2 / 3
"""With less of its other words on a site, an ask is in another language than the site."""


def find_required_terms(
    ask: str, known: TermStatistics, language: str = ENGLISH
) -> tuple[str, ...]:
    """Terms of an ask's names, codes and long numbers that stand nowhere on its site.

    Where only some of its pages are known: all terms of names, and of other words those unknown.
    `language` is that of the question, for an ask that tells none.
    """
    named = _named_terms(ask)
    other = [term for term in keywords(ask, language) if term not in named]
    there = sum(bool(known.idf.get(term)) for term in other)
    if not there or there < SAME_LANGUAGE * len(other):
        return ()
    new = [term for term in (*named, *other) if term in known.idf and not known.idf[term]]
    if known.whole:
        return tuple(term for term in new if term in named)
    return tuple(dict.fromkeys((*named, *new)))


def mentions_required(item: Evidence, part: SubQuestion) -> bool:
    """Does an entry have such names of a look-up, half of such other words, some of its own?"""
    if added_share(item, part) < LEAST_ADDED_SHARE:
        return False
    if not part.unknown:
        return True
    said = _entry_terms(item)
    named = set(part.unknown) & set(_named_terms(part.text))
    other = set(part.unknown) - named
    return named <= said and 2 * len(other & said) >= len(other)


def added_share(item: Evidence, part: SubQuestion) -> float:
    """How much of what a follow-up adds to the questions before it an entry says, 0 to 1.

    The words that it leans on stand in all that was read for those; what tells its answer from
    theirs are its own. Of a question that stands alone every entry says enough.
    """
    weights = {term: part.terms[term] for term in part.own if part.terms.get(term)}
    if not weights:
        return 1.0
    said = _entry_terms(item)
    near = {term: {**part.variants.get(term, {}), term: 1.0} for term in weights}
    held = sum(
        weight * max((like for word, like in near[term].items() if word in said), default=0.0)
        for term, weight in weights.items()
    )
    return held / sum(weights.values())


def _entry_terms(item: Evidence) -> set[str]:
    passage = item.passage
    return set(tokenize(f"{passage.title} {passage.section} {passage.text} {passage.url}"))


def _named_terms(ask: str) -> tuple[str, ...]:
    coded = (
        word
        for word in distinctive_words(ask)
        if len(word) > MOST_DIGITS and HAS_DIGIT.search(word)
    )
    return keywords(" ".join((*find_names(ask), *coded)))


def keep_mentioning(
    ledger: Iterable[Evidence], parts: Sequence[SubQuestion]
) -> tuple[Evidence, ...]:
    """The entries that have such words of one look-up; all, where none has."""
    entries = tuple(ledger)
    kept = tuple(item for item in entries if any(mentions_required(item, part) for part in parts))
    return kept or entries
