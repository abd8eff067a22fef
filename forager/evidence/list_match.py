"""Finds the enumeration of a page that is the list a question asks for."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from forager.data.word_lists import all_words, match_any
from forager.domain.state import SubQuestion
from forager.questions.list_intent import ListIntent
from forager.text.lists import Enumeration, find_enumerations
from forager.text.page_words import PAGE_WORDS
from forager.text.tokens import keywords, tokenize

ROWS_WEIGHT = 2.0
"""Weight of a word that names what to list, relative to the question's other words."""
OUTER_HEADING_WEIGHT = 0.8
TITLE_WEIGHT = 0.6
ROW_WEIGHT = 0.5
"""Weight of a word in an outer heading, in the title and in all rows; next to the list it is 1."""
COLUMNS_BONUS = 0.2
NO_COLUMNS_PENALTY = 0.15
NARROW_PENALTY = 0.3
COUNT_BONUS = 0.4
TOO_MANY_PENALTY = 0.2
SIZE_BONUS = 0.2
NAMED_BONUS = 0.5
"""Bonus if a heading or caption names what to list, with hardly any other words."""
UNNAMED_PENALTY = 0.4
"""Penalty if nothing names what to list."""
FULL_SIZE = 20
ROW_PREVIEW_LENGTH = 60
LOOSE_PENALTY = 0.1
"""Penalty of sections and similar paragraphs, which are lists only by their shape."""
CHROME_PENALTY = 0.8
CHROME_NAMES = re.compile(
    rf"\W*(?:{match_any(all_words(PAGE_WORDS.chrome_headings))})\b", re.IGNORECASE
)
MENU = frozenset(all_words(PAGE_WORDS.menu))
"""A list with hardly any other items is the site's navigation."""
PART_OF = re.compile(
    r"\b(?:part|page|teil|seite|partie)\s*(\d+|[ivx]+)\s*(?:of|/|von|sur|de)\s*(\d+|[ivx]+)|第\s*\d+\s*[页部]|"
    r"\b([a-z0])\s*[-–—]\s*([a-z9])\b|\bcontinued\b|\bfortsetzung\b|\bsuite\b",
    re.IGNORECASE,
)
"""Matches a title or heading of a list that continues on another page."""
ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}


BEYOND_HEAD = re.compile(
    r"\s(?:of|in|on|from|for|that|which|who|whose|by|with|to|under|at|and|used|supported|defined|"
    r"von|der|des|in|für|aus|die|das|de|du|dans|pour|qui|que)\s|的",
    re.IGNORECASE,
)
"""Matches the start of a qualifier, such as “of the house” in “rooms of the house”."""


class RankedEnumeration(NamedTuple):
    """An enumeration and how well it fits the question, from about 0 to 2."""

    fit: float
    found: Enumeration


def rank_enumerations(
    text: str, title: str, listing: ListIntent, question: str, parts: Iterable[SubQuestion]
) -> list[RankedEnumeration]:
    """The enumerations of a text, best fit first."""
    wanted = _wanted_terms(listing, question, tuple(parts))
    inner = [
        RankedEnumeration(_fit_score(text, title, each, listing, wanted), each)
        for each in find_enumerations(text)
    ]
    return sorted(inner, key=lambda each: -each.fit)


def describe_enumeration(text: str, found: Enumeration) -> str:
    """Describe an enumeration in one line: its size, place, columns and first rows."""
    place = " › ".join((*found.headings[-2:], *filter(None, [found.caption])))
    columns = f"; columns {' | '.join(found.columns)}" if found.columns else ""
    first = "; ".join(text[row.start : row.end][:ROW_PREVIEW_LENGTH] for row in found.rows[:2])
    return f"{len(found.rows)} rows ({place}){columns}; first: {first}"


def continues_elsewhere(*names: str) -> bool:
    """Does a title or heading say that its list continues on another page?"""
    return any(PART_OF.search(name) for name in names)


def part_number(name: str) -> int:
    """The number of a list's part by its title, or the code of its first letter; 0 if neither."""
    found = PART_OF.search(name)
    if found is None:
        return 0
    if found[1]:
        return int(found[1]) if found[1].isdigit() else ROMAN.get(found[1].lower(), 0)
    return ord(found[3].lower()) if found[3] else 0


def without_part_number(name: str) -> str:
    """A title or heading without its part number, folded for comparison."""
    bare = re.sub(r"[\W\d_]+", " ", PART_OF.sub(" ", name))
    return " ".join(bare.lower().split())


class _WantedTerms(NamedTuple):
    """Each term's weight, the spellings the site uses for it, and the terms that name the rows."""

    weights: dict[str, float]
    spellings: dict[str, dict[str, float]]
    head: frozenset[str]


def _wanted_terms(listing: ListIntent, question: str, parts: Sequence[SubQuestion]) -> _WantedTerms:
    weights: dict[str, float] = {}
    spellings: dict[str, dict[str, float]] = {}
    for term in keywords(question):
        rarity = [part.terms[term] for part in parts if term in part.terms]
        weights[term] = max(rarity, default=1.0)
        near = {
            word: worth for part in parts for word, worth in part.variants.get(term, {}).items()
        }
        spellings[term] = {**near, term: 1.0}
    head = keywords(BEYOND_HEAD.split(listing.rows, maxsplit=1)[0]) or keywords(listing.rows)
    for term in head:
        if term in weights:
            weights[term] *= ROWS_WEIGHT
    return _WantedTerms(weights, spellings, frozenset(head))


def _fit_score(
    text: str, title: str, found: Enumeration, listing: ListIntent, wanted: _WantedTerms
) -> float:
    close = " ".join((found.caption, *found.headings[-1:], *found.columns))
    places = [
        (close, 1.0),
        (" ".join(found.headings[:-1]), OUTER_HEADING_WEIGHT),
        (title, TITLE_WEIGHT),
    ]
    words = [(set(tokenize(place)), worth) for place, worth in places]
    held = _row_shares(text, found)
    total = sum(wanted.weights.values()) or 1.0
    covered = 0.0
    for term, weight in wanted.weights.items():
        best = 0.0
        for spelling, near in wanted.spellings[term].items():
            inside = ROW_WEIGHT * min(1.0, 2 * held.get(spelling, 0.0))
            outside = max((worth for terms, worth in words if spelling in terms), default=0.0)
            best = max(best, near * max(inside, outside))
        covered += weight * best
    return (
        covered / total
        + _naming_score(found, title, wanted, held)
        + _shape_score(text, found, listing)
    )


def _naming_score(
    found: Enumeration, title: str, wanted: _WantedTerms, held: Mapping[str, float]
) -> float:
    """How closely a heading, the caption or the title names what to list."""
    best = 0.0
    for place in (found.caption, *found.headings, title, *found.columns[:1]):
        terms = set(keywords(place))
        own = sum(
            any(near in terms for near in wanted.spellings.get(term, (term,)))
            for term in wanted.head
        )
        others = len(terms - wanted.weights.keys())
        best = max(best, own / (len(wanted.head) or 1) * own / (own + others or 1))
    if not best and not wanted.head & held.keys():
        return -UNNAMED_PENALTY
    return NAMED_BONUS * best


def _row_shares(text: str, found: Enumeration) -> dict[str, float]:
    """For each term, the share of rows that contain it."""
    counts: dict[str, int] = {}
    for row in found.rows:
        for term in set(tokenize(text[row.start : row.end])):
            counts[term] = counts.get(term, 0) + 1
    return {term: count / len(found.rows) for term, count in counts.items()}


def _shape_score(text: str, found: Enumeration, listing: ListIntent) -> float:
    """The score of an enumeration's shape: its kind, rows and columns."""
    rows = len(found.rows)
    width = max(len(row.cells) for row in found.rows)
    worth = SIZE_BONUS * min(rows, FULL_SIZE) / FULL_SIZE
    if listing.columns and found.columns:
        worth += COLUMNS_BONUS * len(match_columns(found.columns, listing)) / len(listing.columns)
    worth -= NARROW_PENALTY * max(0, len(listing.columns) - width) / (len(listing.columns) or 1)
    if listing.columns and width == 1:
        worth -= NO_COLUMNS_PENALTY
    if listing.count:
        worth += COUNT_BONUS * (rows == listing.count) - TOO_MANY_PENALTY * (rows > listing.count)
    if found.kind in ("sections", "paragraphs"):
        worth -= LOOSE_PENALTY
    menu = sum(text[row.start : row.end].strip(" |«»").lower() in MENU for row in found.rows)
    if menu * 3 >= rows:
        worth -= CHROME_PENALTY
    if CHROME_NAMES.match(found.caption) or CHROME_NAMES.match(" ".join(found.headings[-1:])):
        worth -= CHROME_PENALTY
    return worth


def match_columns(columns: Sequence[str], listing: ListIntent) -> dict[str, int]:
    """For each column asked for, the index of the header column that shares most words with it."""
    places: dict[str, int] = {}
    for asked in listing.columns:
        terms = set(tokenize(asked))
        shares = [len(terms & set(tokenize(name))) for name in columns]
        best = max(range(len(columns)), key=lambda place: shares[place], default=-1)
        if best >= 0 and shares[best]:
            places[asked] = best
    return places
