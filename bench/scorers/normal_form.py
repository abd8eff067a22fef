"""Text normalization: FanOutQA's normal form with lemmas or stems, and SQuAD's words."""

import re
import unicodedata
from collections.abc import Callable

import Stemmer

STEMMER = Stemmer.Stemmer("english")
QUOTES = str.maketrans("‘’‚‛“”„‟", "''''\"\"\"\"")
NUMBER = re.compile(r"(?:\d+,)+\d+(?:\.\d+)?")
SPLIT = re.compile(r"'s\b|,|(?<=\w\w)[;:!?]|(?<=\))\.")
FINAL_STOP = re.compile(r"(?<=\w\w)\.(?=\s|$)")
SIGN = re.compile(r"[$€£¥%()\[\]{}\"“”/+*=~#|]|(?<=\d)[-–](?=\d)|[–—]|(?<=[^\W\d_])-(?=[^\W\d_])")
GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
LETTERS = re.compile(r"[^\W\d_]+")
PUNCTUATION = re.compile(r"[,.?!:;]")
SPACE = re.compile(r"\s+")
INNER = re.compile(r"(?<!\d)[.']|[.'](?!\d)")
CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
WORD = re.compile(rf"[{CJK}]|(?:(?![{CJK}])[^\W_])+(?:\.\d+)*")
ARTICLES = frozenset({"a", "an", "the"})


def fold_text(text: str) -> str:
    """Fold case and compatibility forms, straighten quotes, and collapse white space."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return SPACE.sub(" ", folded.translate(QUOTES)).strip()


def stem_text(text: str) -> str:
    """Return nearly FanOutQA's normal form (fanoutqa/norm.py), without its models.

    NFKC replaces ftfy, so mis-decoded text is not repaired, and Porter stems replace lemmas:
    irregular forms (`was`, `children`) stay as they are, words of one stem (`universal`,
    `university`) become equal, and names are stemmed too. Signs are separated by blanks as spaCy
    does, except in most abbreviations.
    """
    plain = NUMBER.sub(lambda number: number[0].replace(",", ""), fold_text(text))
    signs = SIGN.sub(r" \g<0> ", FINAL_STOP.sub(" .", SPLIT.sub(r" \g<0>", plain)))
    stems = LETTERS.sub(lambda word: STEMMER.stemWord(word[0]), signs)
    return SPACE.sub(" ", PUNCTUATION.sub("", stems.strip()))


def lemma_text(text: str, repair: Callable[[str], str], lemmatize: Callable[[str], str]) -> str:
    """Return FanOutQA's normal form: lower case, ftfy, lemmas joined by blanks, no `,.?!:;`.

    A reference that ends in a full stop keeps a blank at its end, as in the original.
    """
    plain = NUMBER.sub(lambda number: number[0].replace(",", ""), repair(text.lower()))
    return SPACE.sub(" ", PUNCTUATION.sub("", lemmatize(plain)))


def split_words(text: str) -> list[str]:
    """Split text into words as SQuAD's scorer does (Rajpurkar et al. 2016), but keep articles.

    Unlike there, a hyphen separates words, numbers keep the decimal point and lose the commas
    between thousands, and each Chinese or Japanese character is a word.
    """
    return WORD.findall(INNER.sub("", GROUPED.sub("", fold_text(text))))


def content_words(text: str) -> list[str]:
    """Split text into words without articles."""
    return [word for word in split_words(text) if word not in ARTICLES]
