"""Text that asks what the question asks, such as a link to the page with the answer."""

import re
from typing import Final

from forager.data.word_lists import match_words
from forager.questions.question_words import WORDS
from forager.text.tokens import keywords, tokenize

CLAUSE: Final = re.compile(
    rf"(?:^|[.:;,?!|–—])\W*({match_words(WORDS.question_words)})", re.IGNORECASE
)
"""The word that begins an asking clause."""
CHOICE: Final = re.compile(
    rf"^\W*{match_words(WORDS.auxiliaries)}|{match_words(WORDS.conjunctions)}", re.IGNORECASE
)
"""What shows that a question offers its answers: yes and no, or things joined by a word."""
LEAST_ROOT: Final = 4
MAX_ENDING: Final = 3
"""The longest ending of a word, in letters."""
LEAST_SHARE: Final = 0.5
"""The share of the question's words that a repetition has."""


def repeats_question(text: str, question: str) -> bool:
    """Does a text ask what a question asks, in its words and no others? Then it answers nothing."""
    asking = [found[1] for found in CLAUSE.finditer(text.strip())]
    if not asking:
        return False
    said, asked = set(tokenize(text)), set(tokenize(question))
    begins = any(set(tokenize(word)) <= asked for word in asking)
    return begins and said <= asked and len(said) >= LEAST_SHARE * len(asked)


def names_subject(text: str, question: str) -> bool:
    """Does a text name what is asked, in words of the question alone? Then it answers nothing.

    Words of one root are the same, such as `keeper` and `keeps`.

    It may answer a question that offers its answers ("Which is higher, Skarn or Holm?").
    """
    said, asked = keywords(text), set(tokenize(question))
    if not CLAUSE.search(question) or CHOICE.search(question):
        return False
    return bool(said) and all(any(_share_root(one, other) for other in asked) for one in said)


def _share_root(one: str, other: str) -> bool:
    root = max(LEAST_ROOT, max(len(one), len(other)) - MAX_ENDING)
    return one == other or (len(one) >= root and one[:root] == other[:root])
