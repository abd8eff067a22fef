"""Scores how well each unit of a site or page answers a part, and chooses the spans to quote.

A unit's score is the weighted share of the part's terms found in its surroundings (Okapi BM25's
saturation, Robertson & Zaragoza 2009, over counts smoothed along the page), plus the same for its
page, plus a bonus if it contains the expected answer type; for the best units also the similarity
of embeddings and the log-odds that a cross-encoder gives them. `exp(score / TEMPERATURE)` is the
odds that the answer is in the unit; spans are chosen to cover as much of these odds as possible.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from forager.domain.state import SubQuestion
from forager.ports import Embedder, Matcher, RatedPassage, Rater, ReadTokens
from forager.ranking.index import PLACE_MARK, Floats, Index, Postings
from forager.ranking.token_match import match_units
from forager.text.answer_types import answer_worth, expected_types
from forager.text.tokens import compounds

Doubles = NDArray[np.float64]

SATURATION = 0.8
UNIT_LENGTH_WEIGHT = 0.4
PAGE_LENGTH_WEIGHT = 0.75
SURROUNDINGS = {1: 0.6, 2: 0.4, 3: 0.3, 4: 0.2, 5: 0.1, -1: 0.4, -2: 0.2}
"""The share of a term's count that a unit receives from n units before (negative: after) it."""
HEADING_WEIGHT = 0.5
PAGE_WEIGHT = 0.3
ANSWER_TYPE_BONUS = 0.2
MATCH_WEIGHT = 1.6
"""Of tokens that mean nearly the same as those of the question, in choosing what is compared."""
SIMILARITY_WEIGHT = 0.15
PAGE_SIMILARITY_WEIGHT = 0.3
UNREAD_SIMILARITY = 0.3
"""The similarity assumed for a unit that was not embedded while another of its page was."""
RATING_WEIGHT = 0.05
"""Of a rating, in score per nat."""
RATING_LIMIT = 6.0
UNRATED = -3.0
"""The rating assumed for a unit that was not rated, if none of the rated ones is lower."""
UNNAMED_PENALTY = 2.0
"""Nats that a rating loses if the passage is about none of the question's names in code."""
UNIT_IDF_SHARE = 0.7
TEMPERATURE = 0.05
MAX_CANDIDATES = 400
UNITS_A_SPAN = 3
MAX_SPAN = 6000
"""The most characters of a span."""
SENTENCE_STOP = re.compile(r"[.!?](?=\s)")
"""Ends a sentence when counting those of a span, which has at most UNITS_A_SPAN of them too."""
EMBEDDED_CHARACTERS = 400
CHARACTERS_BEFORE = 240
"""Of the text before a passage, what its rating sees."""


class UnitSpan(NamedTuple):
    """Units `first` through `last` of one page, and their share of the answer's odds."""

    first: int
    last: int
    mass: float


def idf(
    index: Index, terms: Iterable[str], stems: Mapping[str, Iterable[str]] | None = None
) -> dict[str, float]:
    """Inverse document frequency in nats, mixed from units and pages; 0 for a term found nowhere.

    An item that has a term's stem in its own language has the term.
    """
    found: dict[str, float] = {}
    for term in terms:
        numbers = [index.terms.get(each) for each in (term, *(stems or {}).get(term, ()))]
        pages = _count_holding(index.page_postings, numbers)
        held = _count_holding(index.unit_postings, numbers)
        by_page = math.log(1 + (len(index.urls) - pages + 0.5) / (pages + 0.5))
        by_unit = math.log(1 + (index.size - held + 0.5) / (held + 0.5))
        mixed = UNIT_IDF_SHARE * by_unit + (1 - UNIT_IDF_SHARE) * by_page
        found[term] = mixed if pages else 0.0
    return found


def page_shares(
    index: Index, terms: Iterable[str], stems: Mapping[str, Iterable[str]]
) -> dict[str, float]:
    """The share of pages with each term, or with a stem of it."""
    found: dict[str, float] = {}
    for term in terms:
        numbers = [index.terms.get(each) for each in (term, *stems.get(term, ()))]
        found[term] = _count_holding(index.page_postings, numbers) / len(index.urls)
    return found


def score_units(
    index: Index, part: SubQuestion, question: str, embedder: Embedder, embedded: int
) -> Doubles:
    """Score each unit, about 0 to 2; `embedded` of them are also compared by embeddings.

    These are chosen by their words and by words that mean nearly the same.
    """
    score = lexical_scores(index, part)
    match = match_scores(index, part.in_context, score, embedder.matcher)
    candidates = _best_units(score + match, MAX_CANDIDATES)
    kinds = expected_types(part.asked)
    asked = question.lower()
    for unit in candidates:
        score[unit] += ANSWER_TYPE_BONUS * answer_worth(index.unit_text(unit), kinds, asked)
    compared = _best_units(score + match, embedded) if embedder.available else []
    if compared:
        told = part.gloss or question, part.gloss or part.query
        _add_similarity(index, score, compared, told, embedder)
    if compared and embedder.rater:
        rated = _best_units(score + match, embedded)
        _add_ratings(index, score, rated, part, embedder.rater)
    return score


def lexical_scores(index: Index, part: SubQuestion) -> Doubles:
    """The scores without embeddings and answer types."""
    total = sum(part.terms.values()) or 1.0
    units = np.zeros(index.size)
    pages = np.zeros(len(index.urls))
    lengths = 1 + UNIT_LENGTH_WEIGHT * (_smooth_counts(index, index.length) / part.unit_length - 1)
    page_lengths = 1 + PAGE_LENGTH_WEIGHT * (index.page_length / part.page_length - 1)
    for term, weight in part.terms.items():
        numbers = _term_numbers(index, part, term)
        if not numbers:
            continue
        counts = _spread_counts(index.unit_postings, numbers, index.size)
        headings = _spread_counts(index.heading_postings, numbers, len(index.headings) + 1)
        counts = _smooth_counts(index, counts) + HEADING_WEIGHT * headings[index.heading]
        units += weight * _saturate(counts, lengths)
        on_pages = _spread_counts(index.page_postings, numbers, len(index.urls))
        pages += weight * _saturate(on_pages, page_lengths)
    score: Doubles = (units + PAGE_WEIGHT * pages[index.page]) / total
    return score


def match_scores(index: Index, question: str, score: Doubles, matcher: Matcher | None) -> Doubles:
    """What the tokens of like meaning add to these scores of units, above 0, in choosing."""
    if matcher is None or index.tokens is None:
        return np.zeros(index.size)
    [asked] = matcher.tokenize([question])
    matched = match_units(index.tokens, asked, matcher.vectors, index.same_page(1))
    return np.where(score > 0, MATCH_WEIGHT * matched, 0.0)


def mean_context_length(index: Index) -> float:
    """The average length of a unit with its surroundings, in terms."""
    return float(_smooth_counts(index, index.length).mean()) if index.size else 40.0


def choose_spans(index: Index, masses: Sequence[Doubles], count: int) -> list[UnitSpan]:
    """Choose at most `count` runs of up to three units that cover the most of all masses.

    Each is in one section, and none is longer than a quote may be.
    """
    mass = np.sum(masses, axis=0) if masses else np.zeros(index.size)
    free = index.end - index.start <= MAX_SPAN
    seen: set[str] = set()
    chosen: list[UnitSpan] = []
    follows = [index.same_section(step) for step in range(UNITS_A_SPAN)]
    while len(chosen) < count:
        left = np.where(free, mass, 0.0)
        runs = left.copy()
        unbroken = free.copy()
        for step in range(1, UNITS_A_SPAN):
            fits = index.end[step:] - index.start[:-step] <= MAX_SPAN
            unbroken[:-step] &= follows[step][:-step] & free[step:] & fits
            unbroken[-step:] = False
            runs[:-step] += np.where(unbroken[:-step], left[step:], 0.0)
        first = int(runs.argmax()) if index.size else 0
        if not index.size or runs[first] <= 0 or not free[first]:
            break
        last = _run_end(index, free, first)
        free[first : last + 1] = False
        text = index.span_text(first, last)
        if text not in seen:
            chosen.append(UnitSpan(first, last, float(runs[first])))
        seen.add(text)
    return chosen


def scores_to_odds(score: Doubles) -> Doubles:
    """The unnormalised odds that the answer is in each unit."""
    result: Doubles = np.exp(score / TEMPERATURE)
    return result


def score_to_odds(score: float) -> float:
    """The unnormalised odds that the answer is in a unit with this score."""
    return math.exp(score / TEMPERATURE)


def odds_to_score(odds_held: float) -> float:
    """The score of a unit with these odds; the inverse of `score_to_odds`."""
    return TEMPERATURE * math.log(odds_held) if odds_held > 0 else 0.0


def odds_shares(scores_by_part: Sequence[Mapping[str, float]]) -> list[dict[str, float]]:
    """For each passage, its share of each part's odds among all passages."""
    parts = {part for scored in scores_by_part for part in scored}
    top = {part: max(s.get(part, -math.inf) for s in scores_by_part) for part in parts}
    odds = [
        {part: math.exp((score - top[part]) / TEMPERATURE) for part, score in scored.items()}
        for scored in scores_by_part
    ]
    totals = {part: sum(passage.get(part, 0.0) for passage in odds) for part in parts}
    return [{part: odd / totals[part] for part, odd in passage.items()} for passage in odds]


def _add_similarity(
    index: Index, score: Doubles, units: Sequence[int], queries: tuple[str, str], embedder: Embedder
) -> None:
    """Add the similarity of embeddings for these units and their pages to the scores."""
    texts = [_with_context(index, unit) for unit in units]
    similar = (embedder.embed(texts) @ embedder.embed(queries).T).mean(axis=1)
    best = np.full(len(index.urls), -1.0)
    np.maximum.at(best, index.page[units], similar)
    read = best[index.page] > -1
    near = np.full(index.size, UNREAD_SIMILARITY)
    near[units] = similar
    score += np.where(
        read, PAGE_SIMILARITY_WEIGHT * best[index.page] + SIMILARITY_WEIGHT * near, 0.0
    )


def _add_ratings(
    index: Index, score: Doubles, units: Sequence[int], part: SubQuestion, rater: Rater
) -> None:
    """Add the ratings of these units to the scores; the others count as `UNRATED` at most."""
    rated = rate_for_part(part, [passage_at(index, unit) for unit in units], rater)
    ratings = np.full(index.size, min(UNRATED, float(rated.min())))
    ratings[units] = rated
    score += np.where(score > 0, RATING_WEIGHT * ratings, 0.0)


def rate_for_part(part: SubQuestion, passages: Sequence[RatedPassage], rater: Rater) -> Doubles:
    """The log-odds that each passage answers a part, between -/+ `RATING_LIMIT`.

    If the part follows another one on which it leans, they are the mean of the ratings without and
    with that; a passage that answers the other one rather than both is rated lower.
    """
    if part.gloss or not part.follows:
        return rate_passages(_asked_alone(part), passages, rater)
    alone, both, before = (
        rate_passages(asked, passages, rater)
        for asked in (_asked_alone(part), f"{part.text} {part.leans_on}", part.follows)
    )
    rated = (alone + both) / 2 - np.maximum(before - both, 0.0)
    return np.clip(rated, -RATING_LIMIT, RATING_LIMIT)


def read_for_part(
    part: SubQuestion, passages: Sequence[RatedPassage], rater: Rater
) -> list[ReadTokens]:
    """Where in each passage the answer to a part may stand, as `rate_for_part` rates it alone."""
    return rater.read(_asked_alone(part), passages)


def _asked_alone(part: SubQuestion) -> str:
    """What is asked of a passage; a part that follows another one stands without that."""
    return part.text if part.follows and not part.gloss else part.in_context


def rate_passages(question: str, passages: Sequence[RatedPassage], rater: Rater) -> Doubles:
    """The log-odds that each passage answers the question, between -/+ `RATING_LIMIT`.

    They are rounded, since a model's last digits depend on what else it reads at once. The model
    reads pieces of words, so that a sibling of the setting that is asked about looks like it:
    where its name is missing, the rating is lower.
    """
    rated = rater.rate(question, passages).astype(np.float64)
    if names := frozenset(compounds(question)):
        rated -= UNNAMED_PENALTY * np.array([_unnamed_share(names, each) for each in passages])
    return np.clip(rated.round(1), -RATING_LIMIT, RATING_LIMIT)


def _unnamed_share(names: frozenset[str], passage: RatedPassage) -> float:
    """The share of the names in code that a passage is not about.

    It is about those of its own heading, or else about those that it or what is around it has.
    """
    heading = compounds(passage.heading.rpartition(PLACE_MARK)[2])
    said = heading or compounds(f"{passage.heading} {passage.before} {passage.text}")
    return len(names.difference(said)) / len(names)


def passage_at(index: Index, unit: int) -> RatedPassage:
    """A unit with its place and the end of the unit before it."""
    before = index.unit_text(unit - 1) if unit and index.page[unit - 1] == index.page[unit] else ""
    place = index.place_text(int(index.page[unit]), int(index.heading[unit]))
    return RatedPassage(place, before[-CHARACTERS_BEFORE:], index.unit_text(unit))


def _with_context(index: Index, unit: int) -> str:
    following = unit + 1
    last = (
        following if following < index.size and index.page[following] == index.page[unit] else unit
    )
    return f"{index.heading_text(unit)} {index.span_text(unit, last)}"[:EMBEDDED_CHARACTERS]


def _best_units(score: Doubles, count: int) -> list[int]:
    count = min(count, len(score))
    if not count:
        return []
    top = np.argpartition(-score, count - 1)[:count]
    return [int(unit) for unit in top[np.argsort(-score[top], kind="stable")] if score[unit] > 0]


def _saturate(counts: Floats, lengths: Floats) -> Doubles:
    result: Doubles = counts * (SATURATION + 1) / (counts + SATURATION * lengths)
    return result


def _term_numbers(index: Index, part: SubQuestion, term: str) -> dict[int, float]:
    """The numbers of a term and its variants in the index, each with its weight."""
    near = {
        other: worth
        for other, worth in part.variants.get(term, {}).items()
        if other not in part.terms
    }
    weights = {index.terms.get(word): worth for word, worth in {term: 1.0, **near}.items()}
    return {number: worth for number, worth in weights.items() if number is not None}


def _spread_counts(postings: Postings, numbers: Mapping[int, float], size: int) -> Floats:
    """Counts per item; of several terms, the one with the greatest weighted count."""
    counts = np.zeros(size, np.float32)
    for number, weight in numbers.items():
        items, term_counts = postings.items_with(number)
        counts[items] = np.maximum(counts[items], weight * term_counts)
    return counts


def _count_holding(postings: Postings, numbers: Sequence[int | None]) -> int:
    """The number of items with any of these terms."""
    held = [postings.items_with(number)[0] for number in numbers]
    return len(held[0]) if len(held) == 1 else len(np.unique(np.concatenate(held)))


def _smooth_counts(index: Index, counts: Floats) -> Floats:
    smoothed = counts.copy()
    for step, weight in SURROUNDINGS.items():
        same = index.same_page(abs(step))[: -abs(step)]
        if step > 0:
            smoothed[step:] += weight * np.where(same, counts[:-step], 0)
        else:
            smoothed[:step] += weight * np.where(same, counts[-step:], 0)
    return smoothed


def _run_end(index: Index, free: NDArray[np.bool_], first: int) -> int:
    last = first
    while (
        last - first + 1 < UNITS_A_SPAN
        and last + 1 < index.size
        and free[last + 1]
        and index.page[last + 1] == index.page[first]
        and index.heading[last + 1] == index.heading[first]
        and index.end[last + 1] - index.start[first] <= MAX_SPAN
        and len(SENTENCE_STOP.findall(index.span_text(first, last + 1).rstrip())) < UNITS_A_SPAN
    ):
        last += 1
    return last
