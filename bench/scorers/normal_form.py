"""Text normalization: FanOutQA's normal form with stems as lemmas, and SQuAD's words."""

import re
import unicodedata

import Stemmer

STEMMER = Stemmer.Stemmer("english")
QUOTES = str.maketrans("‘’‚‛“”„‟", "''''\"\"\"\"")
THOUSANDS = re.compile(r"(?<=\d),(?=\d)")
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
    """Return FanOutQA's normal form (fanoutqa/norm.py) without its models.

    The original: lower case, ftfy, no commas within numbers, lemmas of spaCy's en_core_web_sm, none
    of `,.?!:;`, single blanks. Here NFKC replaces ftfy, so mis-decoded text is not repaired, and
    Porter stems replace lemmas: irregular forms (`was`, `children`) stay as they are, words of one
    stem (`universal`, `university`) become equal, and names are stemmed too. spaCy separates the
    signs of `$5` or `94-102` by blanks; here they stay together.
    """
    plain = THOUSANDS.sub("", fold_text(text))
    stems = LETTERS.sub(lambda word: STEMMER.stemWord(word[0]), plain)
    return SPACE.sub(" ", PUNCTUATION.sub("", stems)).strip()


def split_words(text: str) -> list[str]:
    """Split text into words as SQuAD's scorer does (Rajpurkar et al. 2016), but keep articles.

    Unlike there, a hyphen separates words, numbers keep the decimal point and lose the commas
    between thousands, and each Chinese or Japanese character is a word.
    """
    return WORD.findall(INNER.sub("", GROUPED.sub("", fold_text(text))))


def content_words(text: str) -> list[str]:
    """Split text into words without articles."""
    return [word for word in split_words(text) if word not in ARTICLES]
