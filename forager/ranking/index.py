"""An inverted index over the units and pages of documents, in flat arrays that load quickly."""

import io
import json
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from forager.ports import Matcher
from forager.ranking.token_match import UnitTokens, make_rows
from forager.text.languages import ENGLISH
from forager.text.quotes import split_sentences
from forager.text.tokens import WORD, own_stem, tokenize

MIN_UNIT_WORDS = 14
"""Fragments are joined until they have this many words."""
MAX_UNIT_WORDS = 40
COMPLETE_SENTENCE = re.compile(r"[.!?。！？…][\"'”’»)\]]*$")


class Unit(NamedTuple):
    """A piece `text[start:end]` of a document, and the index of its heading (-1: none)."""

    start: int
    end: int
    heading: int


def split_units(text: str, headings: Sequence[int] = ()) -> Iterator[Unit]:
    """Split a document's text into units; `headings` are the ascending offsets of its headings."""
    start = end = words = 0
    section = -1
    for left, right in split_sentences(text):
        sentence = text[left:right]
        count = len(sentence.split())
        opens = section + 1 < len(headings) and left >= headings[section + 1]
        if words and (opens or words + count > MAX_UNIT_WORDS):
            yield Unit(start, end, section)
            words = 0
        while section + 1 < len(headings) and left >= headings[section + 1]:
            section += 1
        start = start if words else left
        end, words = right, words + count
        if not opens and (words >= MIN_UNIT_WORDS or COMPLETE_SENTENCE.search(sentence)):
            yield Unit(start, end, section)
            words = 0
    if words:
        yield Unit(start, end, section)


Floats = NDArray[np.float32]
Ints = NDArray[np.int32]

TITLE_WEIGHT = 3
URL_WORDS = re.compile(r"[A-Za-z]+|\d+")


class Source(NamedTuple):
    """The indexed content of a page: `headings` as (offset, text), `anchors` as link texts.

    Stems of words in its `language` are indexed in addition to their terms.
    """

    url: str
    title: str
    text: str
    headings: tuple[tuple[int, str], ...] = ()
    anchors: tuple[str, ...] = ()
    depth: int = 0
    language: str = ENGLISH


@dataclass(frozen=True)
class Postings:
    """Term t occurs in `items[bounds[t]:bounds[t + 1]]`, with the `counts` at the same indices."""

    bounds: Ints
    items: Ints
    counts: NDArray[np.uint16]

    def items_with(self, term: int | None) -> tuple[Ints, NDArray[np.uint16]]:
        """The items with a term, and its count in each; empty for None."""
        if term is None or term + 1 >= len(self.bounds):
            return self.items[:0], self.counts[:0]
        held = slice(int(self.bounds[term]), int(self.bounds[term + 1]))
        return self.items[held], self.counts[held]


@dataclass(frozen=True)
class Index:
    """The units of all pages in reading order, page by page; arrays are parallel to units or pages.

    `languages` are those of the pages; `tokens` are there if a matcher was at hand.
    """

    terms: dict[str, int]
    urls: tuple[str, ...]
    titles: tuple[str, ...]
    depths: tuple[int, ...]
    texts: tuple[str, ...]
    unit_postings: Postings
    page_postings: Postings
    heading_postings: Postings
    page: Ints
    start: Ints
    end: Ints
    heading: Ints
    length: Floats
    page_length: Floats
    headings: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    tokens: UnitTokens | None = None
    _same: dict[int, NDArray[np.bool_]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def size(self) -> int:
        """The number of units."""
        return len(self.page)

    def heading_text(self, unit: int) -> str:
        """The heading above a unit, or the title of its page."""
        return self._heading_or_title(int(self.page[unit]), int(self.heading[unit]))

    def place_text(self, page: int, heading: int) -> str:
        """The title of a page and a heading on it (-1: none) in one line."""
        return place_line(self.titles[page], self._heading_or_title(page, heading))

    def _heading_or_title(self, page: int, heading: int) -> str:
        return (self.headings[heading] if heading >= 0 else "") or self.titles[page]

    def same_page(self, step: int) -> NDArray[np.bool_]:
        """For each unit: is the unit `step` positions later on the same page?"""
        known = self._same.get(step)
        if known is None:
            known = np.zeros(self.size, bool)
            pairs = max(0, self.size - step)
            known[:pairs] = self.page[step:] == self.page[:pairs]
            self._same[step] = known
        return known

    def same_section(self, step: int) -> NDArray[np.bool_]:
        """For each unit: is the unit `step` positions later under the same heading of its page?"""
        same = self.same_page(step).copy()
        pairs = max(0, self.size - step)
        same[:pairs] &= self.heading[step:] == self.heading[:pairs]
        return same

    def unit_text(self, unit: int) -> str:
        """The verbatim text of a unit."""
        return self.span_text(unit, unit)

    def span_text(self, first: int, last: int) -> str:
        """The verbatim text from one unit through another on the same page."""
        return str(self.texts[self.page[first]][self.start[first] : self.end[last]])


@dataclass
class _Builder:
    """Collects the terms of items in order, and sorts them into postings once."""

    terms: dict[str, int]
    rows: "array[int]" = field(default_factory=lambda: array("i"))
    counts: "array[int]" = field(default_factory=lambda: array("I"))
    items: "array[int]" = field(default_factory=lambda: array("i"))
    sizes: "array[int]" = field(default_factory=lambda: array("i"))

    def add(self, item: int, counts: Counter[str]) -> None:
        self.rows.extend(map(self.terms.__getitem__, counts))
        self.counts.extend(counts.values())
        self.items.append(item)
        self.sizes.append(len(counts))

    def build(self) -> Postings:
        rows = np.asarray(self.rows, np.int32)
        order = np.argsort(rows, kind="stable")
        bounds = np.searchsorted(rows[order], np.arange(len(self.terms) + 1)).astype(np.int32)
        items = np.repeat(np.asarray(self.items, np.int32), np.asarray(self.sizes, np.int32))
        counts = np.minimum(np.asarray(self.counts, np.uint32), 65535).astype(np.uint16)
        return Postings(bounds, items[order], counts[order])


class _Numbers(dict[str, int]):
    """The number of each term, in the order in which they were first asked for."""

    def __missing__(self, term: str) -> int:
        return self.setdefault(term, len(self))


def build_index(sources: Iterable[Source], matcher: Matcher | None = None) -> Index:
    """Index documents; for a page, title and URL words count three times, link texts once."""
    terms = _Numbers()
    by_unit, by_page, by_heading = _Builder(terms), _Builder(terms), _Builder(terms)
    kept: list[Source] = []
    columns: list[tuple[int, int, int, int, int]] = []
    page_length: list[int] = []
    headings: list[str] = []
    for number, source in enumerate(sources):
        kept.append(source)
        label, anchors, language = _page_label(source), " ".join(source.anchors), source.language
        whole = Counter(dict.fromkeys(tokenize(label), TITLE_WEIGHT))
        whole.update(tokenize(anchors))
        stems = Counter(dict.fromkeys(_own_stems(label, language), TITLE_WEIGHT))
        stems.update(_own_stems(anchors, language))
        said: list[str] = []
        for unit in split_units(source.text, [offset for offset, _ in source.headings]):
            text = source.text[unit.start : unit.end]
            words, own = tokenize(text), _own_stems(text, language)
            by_unit.add(len(columns), Counter(words + own))
            heading = len(headings) + unit.heading if unit.heading >= 0 else -1
            columns.append((number, unit.start, unit.end, heading, len(words)))
            said += words
            stems.update(own)
        for offset, (_, text) in enumerate(source.headings):
            held = dict.fromkeys([*tokenize(text), *_own_stems(text, language)], 1)
            by_heading.add(len(headings) + offset, Counter(held))
        headings += [text for _, text in source.headings]
        whole.update(said)
        by_page.add(number, whole + stems)
        page_length.append(whole.total())
    table = np.array(columns, np.int32).reshape(-1, 5)
    index = Index(
        terms=dict(terms),
        urls=tuple(source.url for source in kept),
        titles=tuple(source.title for source in kept),
        depths=tuple(source.depth for source in kept),
        texts=tuple(source.text for source in kept),
        unit_postings=by_unit.build(),
        page_postings=by_page.build(),
        heading_postings=by_heading.build(),
        page=table[:, 0].copy(),
        start=table[:, 1].copy(),
        end=table[:, 2].copy(),
        heading=table[:, 3].copy(),
        length=table[:, 4].astype(np.float32),
        page_length=np.array(page_length, np.float32),
        headings=tuple(headings),
        languages=tuple(source.language for source in kept),
    )
    return replace(index, tokens=_tokenize_units(index, matcher)) if matcher else index


def _tokenize_units(index: Index, matcher: Matcher) -> UnitTokens:
    pairs = list(zip(index.page.tolist(), index.heading.tolist(), strict=True))
    numbers = {pair: number for number, pair in enumerate(dict.fromkeys(pairs))}
    places = [index.place_text(page, heading) for page, heading in numbers]
    texts = [index.unit_text(unit) for unit in range(index.size)]
    return UnitTokens(
        units=make_rows(matcher.tokenize(texts)),
        places=make_rows(matcher.tokenize(places)),
        place=np.array([numbers[pair] for pair in pairs], np.int32),
    )


PLACE_MARK = " > "


def place_line(title: str, heading: str) -> str:
    """The title of a page and a heading on it in one line, as the rater was trained on it."""
    return (
        f"{title[:70]}{PLACE_MARK}{heading[:80]}" if heading and heading != title else title[:120]
    )


def _own_stems(text: str, language: str) -> list[str]:
    """The stems of words in their own language, where they differ from the index terms."""
    if language == ENGLISH:
        return []
    return [stem for word in WORD.findall(text) if (stem := own_stem(word, language))]


def _page_label(source: Source) -> str:
    path = source.url.partition("://")[2].partition("/")[2]
    return f"{source.title} {' '.join(URL_WORDS.findall(path))}"


ARRAYS = ("page", "start", "end", "heading", "length", "page_length")
POSTINGS = ("unit_postings", "page_postings", "heading_postings")


def dump_index(index: Index) -> bytes:
    """Serialize an index to bytes."""
    arrays = {name: getattr(index, name) for name in ARRAYS}
    for name in POSTINGS:
        postings: Postings = getattr(index, name)
        arrays |= {
            f"{name}.{part}": getattr(postings, part) for part in ("bounds", "items", "counts")
        }
    lists = [
        list(index.terms),
        index.urls,
        index.titles,
        index.depths,
        index.texts,
        index.headings,
        index.languages,
    ]
    if index.tokens:
        arrays |= index.tokens.to_arrays()
    arrays["lists"] = np.frombuffer(json.dumps(lists, ensure_ascii=False).encode(), np.uint8)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def load_index(data: bytes) -> Index:
    """Load an index from bytes of `dump_index`."""
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        lists = json.loads(arrays["lists"].tobytes())
        terms, urls, titles, depths, texts, headings, languages = lists
        return Index(
            terms={term: number for number, term in enumerate(terms)},
            urls=tuple(urls),
            titles=tuple(titles),
            depths=tuple(depths),
            texts=tuple(texts),
            headings=tuple(headings),
            languages=tuple(languages),
            unit_postings=_load_postings(arrays, "unit_postings"),
            page_postings=_load_postings(arrays, "page_postings"),
            heading_postings=_load_postings(arrays, "heading_postings"),
            page=arrays["page"],
            start=arrays["start"],
            end=arrays["end"],
            heading=arrays["heading"],
            length=arrays["length"],
            page_length=arrays["page_length"],
            tokens=UnitTokens.from_arrays(arrays),
        )


def _load_postings(arrays: Mapping[str, NDArray[Any]], name: str) -> Postings:
    return Postings(*(arrays[f"{name}.{part}"] for part in ("bounds", "items", "counts")))
