"""Words to index terms: stems, numbers, parts of identifiers, bigrams of Chinese and Japanese."""

import re
import unicodedata
from functools import lru_cache

import Stemmer

STOPWORDS = frozenset(
    """
    a an the of in on at to for from by with and or but if then than that this these those is
    are was were be been being am do does did done doing have has had having it its itself they
    them their theirs he she his her hers him i me my mine we us our you your yours what which
    who whom whose when where why how as so not no nor can could may might must shall should
    will would about into onto over under between after before during through one each any all
    some such there here also only just more most many much very get gets got without within
    upon against per own same other another way long say says said name named names call called
    go goes going give gives given take takes taken make makes made use used uses using let put
    tell told know known manual according s t ll ve re der die das den dem des ein eine einer
    eines einem einen und oder ist sind war waren wird wurde wurden welche welcher welches
    welchem welchen was wer wem wen wie wo wann warum wofür aus mit von vom zu zum zur im in am
    an auf bei für nach über unter sich nicht auch als dass sein seine seiner ihr ihre kann soll
    sollte es er sie le la les un une des du de et ou est sont était étaient que qui quoi quel
    quelle quels quelles dont où quand comment pourquoi combien par pour dans sur avec sans ce
    cet cette ces son sa ses leur leurs il elle ils elles on ne pas plus se au aux en laquelle
    lequel
    """.split()  # noqa: SIM905
)


WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:[\u0300-\u036f]+[^\W\d_]*)*")
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
HUMP = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
STEMMER = Stemmer.Stemmer("english")


def tokenize(text: str) -> list[str]:
    """Index terms in order of appearance; numbers and one-letter words are kept."""
    return [term for word in WORD.findall(text) for term in terms_of(word)]


def keywords(text: str) -> tuple[str, ...]:
    """The distinct index terms of a query, without function words."""
    words = (word for word in WORD.findall(text) if word.lower() not in STOPWORDS)
    return tuple(dict.fromkeys(term for word in words for term in terms_of(word)))


@lru_cache(maxsize=200_000)
def terms_of(word: str) -> tuple[str, ...]:
    """The index terms of one word: its stem, and those of the humps of a CamelCase identifier."""
    if CJK.search(word):
        return bigrams(word)
    if word.isascii() and (word.islower() or word[0].isdigit()):
        return (STEMMER.stemWord(word),)
    humps = HUMP.findall(word) if word.isascii() else []
    pieces = [word, *humps] if len(humps) > 1 else [word]
    return tuple(dict.fromkeys(STEMMER.stemWord(unaccented(piece)) for piece in pieces))


def unaccented(word: str) -> str:
    """Lower case, compatibility forms folded, Latin letters without diacritics."""
    if word.isascii():
        return word.lower()
    split = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in split if not unicodedata.combining(letter))


def bigrams(word: str) -> tuple[str, ...]:
    """Overlapping pairs of characters of each Chinese or Japanese run; the rest as words."""
    terms: list[str] = []
    for run in CJK.findall(word):
        terms += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
    terms += [unaccented(rest) for rest in CJK.split(word) if rest]
    return tuple(terms)
