"""Text made comparable: FanOutQA's normal form with stems for lemmas, and words for overlaps."""

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


def fold(text: str) -> str:
    """Case and compatibility forms folded, straight quotes, each run of white space one blank."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return SPACE.sub(" ", folded.translate(QUOTES)).strip()


def stemmed(text: str) -> str:
    """FanOutQA's normal form (fanoutqa/norm.py) without its models.

    There: lower case, ftfy, no commas within numbers, lemmas of spaCy's en_core_web_sm, none of
    `,.?!:;`, single blanks. Here NFKC stands for ftfy, so that mis-decoded text is not repaired,
    and Porter's stems for the lemmas: an irregular form (`was`, `children`) stays what it is,
    words of one stem (`universal`, `university`) become one, and names are stemmed as well.
    spaCy puts blanks between the signs of `$5` or `94-102`; here they stay together.
    """
    plain = THOUSANDS.sub("", fold(text))
    stems = LETTERS.sub(lambda word: STEMMER.stemWord(word[0]), plain)
    return SPACE.sub(" ", PUNCTUATION.sub("", stems)).strip()


def words(text: str) -> list[str]:
    """Words as SQuAD's scorer compares them (Rajpurkar et al. 2016), articles included.

    Other than there: a hyphen parts words, decimals keep their point and lose the commas between
    thousands, and each Chinese or Japanese character is a word.
    """
    return WORD.findall(INNER.sub("", GROUPED.sub("", fold(text))))


def content_words(text: str) -> list[str]:
    """The same without articles, as there."""
    return [word for word in words(text) if word not in ARTICLES]
