"""Terms that an answer must contain: rare ones (unknown on their site), and identifiers.

An identifier is the name of a setting, an option or a function, such as `work_mem`, or a code, such
as E6.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from forager.domain.state import Evidence, SubQuestion
from forager.domain.survey import TermStatistics
from forager.questions.search_queries import distinctive_words, find_names
from forager.text.languages import ENGLISH
from forager.text.tokens import keywords, tokenize

IDENTIFIER = re.compile(
    r"(?<![\w./-])(?:[A-Za-z]+(?:_[A-Za-z0-9]+)+|--[a-z][a-z0-9-]*[a-z0-9]|[a-z]+(?:[A-Z][a-z0-9]+)+"
    r"|[A-Z]\d{1,3}(?!\.\d))(?![\w/-])"
)
"""Words with an underscore or a hump inside, long options, and codes of a letter and a number."""
OPTION_START = re.compile(r"--(?:no-)?")


def find_identifiers(text: str) -> tuple[str, ...]:
    """The distinct identifiers of a text as it writes them, in order."""
    return tuple(dict.fromkeys(IDENTIFIER.findall(text)))


def unwritten_identifiers(text: str, pages: Sequence[str]) -> tuple[str, ...]:
    """The identifiers of a text that none of the pages writes, in any case, in lower case.

    An option may be written without its dashes, or as `--[no-]name`.
    """
    wanted = {
        name.lower(): OPTION_START.sub("", name.lower(), 1) for name in find_identifiers(text)
    }
    for page in pages if wanted else ():
        lowered = page.lower()
        wanted = {name: written for name, written in wanted.items() if written not in lowered}
    return tuple(wanted)


HAS_DIGIT = re.compile(r"\d")
MIN_ADDED_SHARE = 0.2
"""The least share of a follow-up's own terms that its answer must contain."""
MAX_COUNT_DIGITS = 2
"""Numbers with at most this many digits are counts; longer ones are names."""
BOUND = re.compile(
    r"\b(?:before|after|since|until|than|over|under|above|below|within|at (?:least|most)|up to|vor"
    r"|nach|seit|bis|über|unter|avant|après|depuis|antes de|después de|desde) \d[\w.,]*",
    re.IGNORECASE,
)
"""A number that an answer is compared with, and need not mention."""
NAMED_SO = r"(?!(?:The|A|An|Of|In|On|This|That|Each|All|No)\b)[A-Z][\w'’-]*"
"""A capitalised word before the last one of a name."""
SAME_LANGUAGE = 2 / 3
"""If a smaller share of its other words is on the site, the ask is in another language."""


def find_required_terms(
    ask: str, known: TermStatistics, language: str = ENGLISH
) -> tuple[str, ...]:
    """The identifiers of an ask, and terms of its names, codes and long numbers, not on its site.

    If only some pages of the site are known: all terms of names, and unknown terms of other words.
    `language` is that of the question, used if the ask does not show its own.
    """
    named = _named_terms(ask)
    other = [term for term in keywords(ask, language) if term not in named]
    known_count = sum(bool(known.idf.get(term)) for term in other)
    own = _lowered_identifiers(ask)
    unwritten = [name for name in known.unwritten if name in own]
    if not known_count or known_count < SAME_LANGUAGE * len(other):
        return tuple(unwritten)
    missing = [term for term in (*named, *other) if term in known.idf and not known.idf[term]]
    if known.whole:
        return (*unwritten, *(term for term in missing if term in named))
    return tuple(dict.fromkeys((*unwritten, *named, *missing)))


def mentions_required(item: Evidence, part: SubQuestion) -> bool:
    """Does an entry contain all required names, half of the other required and some own terms?"""
    if added_share(item, part) < MIN_ADDED_SHARE:
        return False
    if not part.unknown:
        return True
    entry_terms = _entry_terms(item)
    named = set(part.unknown) & {*_named_terms(part.text), *_lowered_identifiers(part.text)}
    other = set(part.unknown) - named
    return named <= entry_terms and 2 * len(other & entry_terms) >= len(other)


def names_another(ask: str, place: str, text: str) -> bool:
    """Does a quote tell of another bearer of a name, as of Harrow Light instead of Corran Light?

    That is so if its place, which is its title and section, or its text has a name that ends as
    that one does, and neither has its other words; in the place, if neither has the whole name.
    Of 1,498 questions of SQuAD 2.0 with such names, the first is so for the paragraphs of 7 in 100
    without an answer and 1 in 100 with one.
    """
    told = f" {' '.join((*tokenize(place), *tokenize(text)))} "
    for *before, last in map(str.split, find_names(ask)):
        own = tokenize(" ".join(before))
        if not own or f" {' '.join((*own, *tokenize(last)))} " in told:
            continue
        alike = re.compile(rf"\b{NAMED_SO} {re.escape(last)}\b")
        if alike.search(place) or (alike.search(text) and not any(f" {it} " in told for it in own)):
            return True
    return False


def added_share(item: Evidence, part: SubQuestion) -> float:
    """The weighted share of a follow-up's own terms that an entry contains, 0 to 1.

    Its inherited words are in all pages read for earlier questions; only its own words tell its
    answer from theirs. For a question that is no follow-up, it is 1.
    """
    weights = {term: part.terms[term] for term in part.own if part.terms.get(term)}
    if not weights:
        return 1.0
    return _share_held(weights, part, _entry_terms(item))


def term_share(texts: Iterable[str], part: SubQuestion) -> float:
    """The weighted share of a part's terms that these texts contain, 0 to 1; 1 if it has none."""
    weights = {term: weight for term, weight in part.terms.items() if weight > 0}
    return _share_held(weights, part, set(tokenize(" ".join(texts)))) if weights else 1.0


def _share_held(weights: Mapping[str, float], part: SubQuestion, words: AbstractSet[str]) -> float:
    """The share of the weights whose term is among the words; of a variant, its likeness counts."""
    variants = {term: {**part.variants.get(term, {}), term: 1.0} for term in weights}
    held = sum(
        weight * max((like for word, like in variants[term].items() if word in words), default=0.0)
        for term, weight in weights.items()
    )
    return held / sum(weights.values())


def _entry_terms(item: Evidence) -> set[str]:
    passage = item.passage
    text = f"{passage.title} {passage.section} {passage.text} {passage.url}"
    return {*tokenize(text), *_lowered_identifiers(text)}


def _lowered_identifiers(text: str) -> set[str]:
    return {name.lower() for name in find_identifiers(text)}


def _named_terms(ask: str) -> tuple[str, ...]:
    coded = (
        word
        for word in distinctive_words(BOUND.sub(" ", ask))
        if len(word) > MAX_COUNT_DIGITS and HAS_DIGIT.search(word)
    )
    return keywords(" ".join((*find_names(ask), *coded)))


def keep_mentioning(
    ledger: Iterable[Evidence], parts: Sequence[SubQuestion]
) -> tuple[Evidence, ...]:
    """The entries that contain the required terms of any part; all entries if none does."""
    entries = tuple(ledger)
    kept = tuple(item for item in entries if any(mentions_required(item, part) for part in parts))
    return kept or entries
