"""Which enumeration of a page is the list that a question asks for?"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from forager.data.word_lists import all_words, match_any
from forager.domain.state import Part
from forager.questions.list_intent import Listing
from forager.text.lists import Enumeration, enumerations
from forager.text.page_words import WORDS
from forager.text.tokens import keywords, tokenize

ROWS_WEIGHT = 2.0
"""A word of what is to be listed counts more than the others of the question."""
OUTER_HEADING_WEIGHT = 0.8
TITLE_WEIGHT = 0.6
ROW_WEIGHT = 0.5
"""What a word is worth in an outer heading, in the page's title, in all rows; next to it, 1."""
COLUMNS_BONUS = 0.2
NO_COLUMNS_PENALTY = 0.15
NARROW_PENALTY = 0.3
COUNT_BONUS = 0.4
TOO_MANY_PENALTY = 0.2
SIZE_BONUS = 0.2
NAMED_BONUS = 0.5
"""For a heading or caption that has the words of what is listed, and hardly others."""
UNNAMED_PENALTY = 0.4
"""Off, where what is listed is named nowhere."""
FULL_SIZE = 20
ROW_PREVIEW_LENGTH = 60
LOOSE_PENALTY = 0.1
"""Sections and like paragraphs are lists only by their shape."""
CHROME_PENALTY = 0.8
CHROME_NAMES = re.compile(rf"\W*(?:{match_any(all_words(WORDS.chrome_headings))})\b", re.IGNORECASE)
MENU = frozenset(all_words(WORDS.menu))
"""A list that has hardly other items leads around the site."""
PART_OF = re.compile(
    r"\b(?:part|page|teil|seite|partie)\s*(\d+|[ivx]+)\s*(?:of|/|von|sur|de)\s*(\d+|[ivx]+)|第\s*\d+\s*[页部]|"
    r"\b([a-z0])\s*[-–—]\s*([a-z9])\b|\bcontinued\b|\bfortsetzung\b|\bsuite\b",
    re.IGNORECASE,
)
"""Says that a list goes on elsewhere."""
ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}


BEYOND_HEAD = re.compile(
    r"\s(?:of|in|on|from|for|that|which|who|whose|by|with|to|under|at|and|used|supported|defined|"
    r"von|der|des|in|für|aus|die|das|de|du|dans|pour|qui|que)\s|的",
    re.IGNORECASE,
)
"""Begins what says more of the things that are listed."""


class RankedEnumeration(NamedTuple):
    """An enumeration and how well it is what was asked for, about 0 to 2."""

    fit: float
    found: Enumeration


def rank_enumerations(
    text: str, title: str, listing: Listing, question: str, parts: Iterable[Part]
) -> list[RankedEnumeration]:
    """The enumerations of a text, those that fit best first."""
    wanted = _wanted_terms(listing, question, tuple(parts))
    inner = [
        RankedEnumeration(_fit_score(text, title, each, listing, wanted), each)
        for each in enumerations(text)
    ]
    return sorted(inner, key=lambda each: -each.fit)


def describe_enumeration(text: str, found: Enumeration) -> str:
    """An enumeration in one line: where it stands, its size, its columns and its first rows."""
    place = " › ".join((*found.headings[-2:], *filter(None, [found.caption])))
    columns = f"; columns {' | '.join(found.columns)}" if found.columns else ""
    first = "; ".join(text[row.start : row.end][:ROW_PREVIEW_LENGTH] for row in found.rows[:2])
    return f"{len(found.rows)} rows ({place}){columns}; first: {first}"


def continues_elsewhere(*names: str) -> bool:
    """Does a title or heading say that its list goes on on another page?"""
    return any(PART_OF.search(name) for name in names)


def part_number(name: str) -> int:
    """Which part of a list a title or heading says to be, or the place of its first letter."""
    found = PART_OF.search(name)
    if found is None:
        return 0
    if found[1]:
        return int(found[1]) if found[1].isdigit() else ROMAN.get(found[1].lower(), 0)
    return ord(found[3].lower()) if found[3] else 0


def without_part_number(name: str) -> str:
    """A title or heading without what tells one part of a list from the next."""
    bare = re.sub(r"[\W\d_]+", " ", PART_OF.sub(" ", name))
    return " ".join(bare.lower().split())


class _WantedTerms(NamedTuple):
    """The weight of each term, and the spellings that a site has for it."""

    weights: dict[str, float]
    spellings: dict[str, dict[str, float]]
    head: frozenset[str]


def _wanted_terms(listing: Listing, question: str, parts: Sequence[Part]) -> _WantedTerms:
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
    text: str, title: str, found: Enumeration, listing: Listing, wanted: _WantedTerms
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
    """How nearly a heading, the caption or the title is a name for what is listed."""
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
    """The share of rows that each term stands in."""
    counts: dict[str, int] = {}
    for row in found.rows:
        for term in set(tokenize(text[row.start : row.end])):
            counts[term] = counts.get(term, 0) + 1
    return {term: count / len(found.rows) for term, count in counts.items()}


def _shape_score(text: str, found: Enumeration, listing: Listing) -> float:
    """What the number of rows and columns says."""
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


def match_columns(columns: Sequence[str], listing: Listing) -> dict[str, int]:
    """For each column asked for, which of the header's says the same in most of its words."""
    places: dict[str, int] = {}
    for asked in listing.columns:
        terms = set(tokenize(asked))
        shares = [len(terms & set(tokenize(name))) for name in columns]
        best = max(range(len(columns)), key=lambda place: shares[place], default=-1)
        if best >= 0 and shares[best]:
            places[asked] = best
    return places
