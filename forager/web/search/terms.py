"""Text and queries as the full-text index takes them.

Its tokenizer knows words by their letters and stems English ones. It would take a whole sentence
of Chinese for one word, so each such character is set apart as a word of its own, by a mark that
nobody sees, and a query asks for pairs of them that stand side by side.
"""

import re

from forager.text.tokens import STOPWORDS, WORD

APART = "\u200b"
IDEOGRAM = (
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f]"
)
EACH = re.compile(IDEOGRAM)
RUN = re.compile(f"{IDEOGRAM}+")
MAX_TERMS = 64


def marked(text: str) -> str:
    """The text with its Chinese, Japanese and Korean characters set apart."""
    return EACH.sub(rf"{APART}\g<0>{APART}", text.replace("\0", " "))


def unmarked(text: str) -> str:
    """The text as it was before."""
    return text.replace(APART, "")


def expression(query: str) -> str:
    """An FTS5 query for pages with any of the words; every term is quoted, so none is syntax.

    Empty where the query holds no word.
    """
    words = WORD.findall(query)
    telling = [word for word in words if word.lower() not in STOPWORDS]
    terms = dict.fromkeys(term for word in telling or words for term in _terms(word))
    return " OR ".join(f'"{term}"' for term in list(terms)[:MAX_TERMS])


def _terms(word: str) -> list[str]:
    terms = [rest.lower() for rest in RUN.split(word) if rest]
    for run in RUN.findall(word):
        terms += [f"{run[i]} {run[i + 1]}" for i in range(len(run) - 1)] or [run]
    return terms
