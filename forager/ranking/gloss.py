"""Tells a question word by word in the language of a site.

Each word is replaced by the word of the site's pages that is nearest to it in a space of sentence
vectors that many languages share (Yang et al. 2020, arXiv 1907.04307). What results is no sentence,
but it has the words by which pages are ranked.
"""

import re
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from forager.data.word_lists import UNSPACED, ByLanguage, WordLists, read_word_lists
from forager.ports import Embedder, Vectors
from forager.ranking.index import Index
from forager.text.languages import ENGLISH, detect_language, stop_words
from forager.text.tokens import CJK, WORD

CHINESE = "zh"
OWN_SHARE = 0.1
"""If a greater share of a site's pages is in the language of a question, it needs no gloss."""
MAX_WORDS = 6_000
WORD_LENGTH = range(3, 24)
LIKE = 0.6
"""The least cosine between a word and its gloss."""
LIKE_ASKING = 0.75
"""The same for words by which a question asks, such as "how many"."""
PHRASE_LIKE = 0.8
"""The same for a phrase such as "mot de passe", which must be nearer to it than its words are."""
MAX_TEXT = 1000
"""So many characters of a question are told; the time grows with them."""
MAX_SITES = 3
"""Vocabularies held in memory; each takes up to 20 MB."""
MAX_PHRASE = 3
MAX_CHARACTERS = 4
"""The most characters of a Chinese or Japanese word."""
PLAIN_COSINE = 0.4
"""The cosine of words that have nothing to do with each other."""
PIECE = re.compile(rf"{CJK.pattern}|(?:(?!{CJK.pattern})\S)+")
PUNCTUATION = ".,;:!?¿¡\"“”„«»()[]…’'‘，。？！：；、"
ELISION = re.compile(r"^(?:[cdjlmnst]|qu)['’](?=\w)", re.IGNORECASE)
JOINED = re.compile(r"-t-(?=il|elle|on)|-", re.IGNORECASE)
"""What joins the parts of a word such as "Cache-Datei" or "utilise-t-il"."""
CODE = re.compile(r"[\d_/]|^--?\w|\w[.:]+\w|^[A-Z]{2,}$")
"""What is written the same in every language."""


class AskingWords(WordLists):
    """The lists of `data/glosses.toml`."""

    asking: ByLanguage


ASKING = dict[str, tuple[str, ...]](read_word_lists("glosses", AskingWords).asking.items())


class Vocabulary(NamedTuple):
    """The words of a site's pages in their `language`, and after them those by which one asks.

    `content` is the number of the former; `vectors` has a row for each word.
    """

    language: str
    words: tuple[str, ...]
    content: int
    vectors: Vectors


def question_language(text: str) -> str:
    """The language of a question; empty if it is in another script and not known."""
    if CJK.search(text):
        return CHINESE
    letters = [each for each in text if each.isalpha()]
    latin = sum(each.isascii() for each in letters)
    return detect_language(text, ENGLISH if 2 * latin >= len(letters) else "")


def foreign_language(index: Index, language: str) -> str:
    """The language of most pages, if hardly any is in the given one; else empty.

    It is empty too if that language does not separate words by spaces.
    """
    pages = Counter(index.languages)
    own = pages.pop(language, 0)
    most = max(pages, key=lambda each: pages[each], default="")
    return "" if own > OWN_SHARE * len(index.languages) or most in UNSPACED else most


def page_words(index: Index, language: str) -> tuple[str, ...]:
    """The words of the pages in a language, those that most units have first."""
    stops = stop_words(language)
    units = Counter[str]()
    for unit in range(index.size):
        if index.languages[index.page[unit]] == language:
            units.update({word.lower() for word in WORD.findall(index.unit_text(unit))})
    known = (
        word
        for word in sorted(units, key=lambda word: (-units[word], word))
        if len(word) in WORD_LENGTH and word.isalpha() and word not in stops
    )
    return tuple(islice(known, MAX_WORDS))


def embed_vocabulary(words: Sequence[str], language: str, embedder: Embedder) -> Vocabulary:
    """The vocabulary of pages in a language."""
    every = (*words, *ASKING.get(language, ()))
    return Vocabulary(language, every, len(words), embedder.embed(every))


def gloss(text: str, vocabulary: Vocabulary, embedder: Embedder) -> dict[str, str]:
    """What to say for the words and phrases of a text; nothing ("") for most stop words.

    Names and code are left out, as they are written the same.
    """
    runs = list(_runs(_split(text[:MAX_TEXT])))
    stops = stop_words(question_language(text))
    wanted = list(dict.fromkeys(_candidates(runs)))
    if not wanted:
        return {}
    spoken = [ELISION.sub("", each).lower() for each in wanted]
    nearest = dict(zip(wanted, _nearest(embedder.embed(spoken), vocabulary), strict=True))
    known = frozenset(vocabulary.words[: vocabulary.content])
    told: dict[str, str] = {}
    for run, unspaced in runs:
        if unspaced:
            told |= _gloss_characters(run[0], nearest, stops)
        else:
            told |= _gloss_words(run, nearest, stops, known)
    return told


def apply_gloss(text: str, told: Mapping[str, str]) -> str:
    """The text with its words and phrases replaced."""
    if not told:
        return text
    longest_first = sorted(told, key=len, reverse=True)
    spaced = [re.escape(each) for each in longest_first if not CJK.search(each)]
    other = [re.escape(each) for each in longest_first if CJK.search(each)]
    either = [rf"(?<!\w)(?:{'|'.join(spaced)})(?!\w)"] if spaced else []
    pattern = re.compile("|".join((*either, *other)))
    return " ".join(pattern.sub(lambda found: f" {told[found[0]]} ", text).split())


class Glossary:
    """Glosses questions to sites, whose vocabularies it keeps; safe to share between threads."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: OrderedDict[tuple[str, str, int, int], Vocabulary] = OrderedDict()
        self._lock = threading.Lock()

    def gloss(self, text: str, site: str, index: Index) -> dict[str, str]:
        """As `gloss`; empty if the pages of the site are in the language of the text."""
        language = foreign_language(index, question_language(text))
        if not language:
            return {}
        with self._lock:
            vocabulary = self._vocabulary(site, index, language)
        return gloss(text, vocabulary, self._embedder)

    def _vocabulary(self, site: str, index: Index, language: str) -> Vocabulary:
        key = site, language, index.size, len(index.terms)
        vocabulary = self._known.pop(key, None)
        if vocabulary is None:
            words = page_words(index, language)
            vocabulary = embed_vocabulary(words, language, self._embedder)
        self._known[key] = vocabulary
        if len(self._known) > MAX_SITES:
            self._known.popitem(last=False)
        return vocabulary


class _Near(NamedTuple):
    """The nearest word of the pages and the nearest one by which one asks, with their cosines."""

    word: str
    like: float
    asking: str
    like_asking: float

    @property
    def asks(self) -> bool:
        return self.like_asking >= max(LIKE_ASKING, self.like)


def _nearest(vectors: Vectors, vocabulary: Vocabulary) -> list[_Near]:
    cosines = vectors @ vocabulary.vectors.T
    words = [_best(vocabulary.words, row, 0, vocabulary.content) for row in cosines]
    asking = [_best(vocabulary.words, row, vocabulary.content, row.size) for row in cosines]
    return [_Near(*word, *ask) for word, ask in zip(words, asking, strict=True)]


def _best(words: Sequence[str], cosines: Vectors, start: int, end: int) -> tuple[str, float]:
    if start == end:
        return "", 0.0
    place = start + int(np.argmax(cosines[start:end]))
    return words[place], float(cosines[place])


def _split(text: str) -> Iterator[str]:
    for found in PIECE.finditer(text):
        piece = found[0].strip(PUNCTUATION)
        parts = [piece] if CODE.search(piece) else JOINED.split(piece)
        yield from filter(None, parts)


def _candidates(runs: Iterable[tuple[list[str], bool]]) -> Iterator[str]:
    """What may be looked up: phrases of words, and short runs of characters."""
    for run, unspaced in runs:
        parts, most = (run[0], MAX_CHARACTERS) if unspaced else (run, MAX_PHRASE)
        for start in range(len(parts)):
            for end in range(start + 1, min(len(parts), start + most) + 1):
                yield "".join(parts[start:end]) if unspaced else " ".join(parts[start:end])


def _runs(pieces: Iterable[str]) -> Iterator[tuple[list[str], bool]]:
    """Words that follow each other together, each run of characters alone."""
    words: list[str] = []
    for piece in pieces:
        if not CJK.search(piece):
            words.append(piece)
            continue
        if words:
            yield words, False
            words = []
        yield [piece], True
    if words:
        yield words, False


def _gloss_words(
    words: Sequence[str],
    nearest: Mapping[str, _Near],
    stops: frozenset[str],
    known: frozenset[str],
) -> dict[str, str]:
    told: dict[str, str] = {}
    start = 0
    while start < len(words):
        size = next(
            size
            for size in range(min(MAX_PHRASE, len(words) - start), 0, -1)
            if size == 1 or _is_phrase(words[start : start + size], nearest, stops)
        )
        text = " ".join(words[start : start + size])
        start += size
        near = nearest[text]
        if size == 1 and _is_same(text, stops, known):
            continue
        if near.asks:
            told[text] = near.asking
        elif stops.issuperset(text.lower().split()):
            told[text] = ""
        elif near.like >= LIKE:
            told[text] = near.word
    return told


def _is_phrase(words: Sequence[str], nearest: Mapping[str, _Near], stops: frozenset[str]) -> bool:
    """Do words mean something together? ("mot de passe", "wie viele")"""
    near, lowered = nearest[" ".join(words)], [word.lower() for word in words]
    if stops.isdisjoint(lowered):
        return False
    if near.asks or stops.issuperset(lowered):
        return near.asks and near.like_asking > max(nearest[word].like_asking for word in words)
    if lowered[0] in stops or lowered[-1] in stops:
        return False
    return near.like >= max(PHRASE_LIKE, *(nearest[word].like for word in words))


def _is_same(word: str, stops: frozenset[str], known: frozenset[str]) -> bool:
    """Is a word the site's own, or code?"""
    parts = {part.lower() for part in WORD.findall(word)}
    return bool(CODE.search(word)) or (parts <= known and stops.isdisjoint(parts))


def _gloss_characters(
    run: str, nearest: Mapping[str, _Near], stops: frozenset[str]
) -> dict[str, str]:
    """The words of a run of characters: the nearest to words of the site."""
    worth, begins = [0.0], [0]
    for end in range(1, len(run) + 1):
        options = [
            (worth[start] + _worth(nearest[run[start:end]]) * (end - start), start)
            for start in range(max(0, end - MAX_CHARACTERS), end)
        ]
        most, begin = max(options)
        worth.append(most)
        begins.append(begin)
    told: dict[str, str] = {}
    end = len(run)
    while end:
        piece = run[begins[end] : end]
        end = begins[end]
        near = nearest[piece]
        if near.asks:
            told[piece] = near.asking
        else:
            told[piece] = near.word if near.like >= LIKE and piece not in stops else ""
    return told


def _worth(near: _Near) -> float:
    return max(0.0, max(near.like, near.like_asking) - PLAIN_COSINE)
