"""Which sentence of some quotes answers a question.

A conditional logistic regression (McFadden 1974) over four signs; its weights are fitted by
`bench.ranker.lead_sentences`.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from forager.answers.lead_words import asks_how, find_candidates, rate_candidates
from forager.answers.sign_weights import read_sign_weights
from forager.answers.yes_no import asks_yes_or_no
from forager.domain.state import SubQuestion
from forager.ports import RatedPassage, Rater
from forager.questions.repetition import repeats_question
from forager.questions.subquestions import weighted_share
from forager.ranking.scoring import CHARACTERS_BEFORE, rate_passages
from forager.text.quotes import Span, split_sentences
from forager.text.sentences import HEADING
from forager.text.tokens import tokenize

LEAST_WORDS, MOST_WORDS = -4.0, 4.0
"""Log-odds; the first is also that of a sentence without any words that may answer."""


class Quote(NamedTuple):
    """A quote, where it stands, and its score for the question."""

    place: str
    text: str
    score: float


class Sentence(NamedTuple):
    """The number of a quote, and a sentence of it."""

    quote: int
    span: Span


WEIGHTS: Final = read_sign_weights("lead_sentence")


def find_sentences(quotes: Sequence[Quote], question: str) -> list[Sentence]:
    """The sentences of each quote but its headings and what repeats the question.

    A quote of nothing else is one.
    """
    return [
        Sentence(number, span)
        for number, quote in enumerate(quotes)
        for span in _sentences(quote.text, question)
    ]


def choose_sentence(part: SubQuestion, quotes: Sequence[Quote], rater: Rater | None) -> Sentence:
    """The sentence that most likely answers; without a rater the one with most of the words."""
    every = find_sentences(quotes, part.text)
    if rater is None:
        worth = [
            quotes[number].score + _word_share(part, quotes[number].text[slice(*span)])
            for number, span in every
        ]
    else:
        worth = [WEIGHTS.log_odds(signs) for signs in find_signs(part, quotes, every, rater)]
    return every[int(np.argmax(worth))]


def find_signs(
    part: SubQuestion, quotes: Sequence[Quote], every: Sequence[Sentence], rater: Rater
) -> list[dict[str, float]]:
    """The size of each sentence's signs: the score of its quote below the best one's, its rating,
    the share of the terms that it has, and the log-odds of its answering words."""
    rated = rate_passages(part.text, [_to_rate(quotes[n], span) for n, span in every], rater)
    best = max(quote.score for quote in quotes)
    texts = [quotes[number].text[slice(*span)] for number, span in every]
    return [
        {
            "score": quotes[sentence.quote].score - best,
            "rating": float(rating),
            "terms": weighted_share(part.terms, frozenset(tokenize(text))),
            "words": _answering_words(part.text, text),
        }
        for sentence, rating, text in zip(every, rated, texts, strict=True)
    ]


def _answering_words(question: str, text: str) -> float:
    """The log-odds of the words of a sentence that most likely answer, within limits."""
    if asks_yes_or_no(question) or asks_how(question):
        return 0.0
    found = rate_candidates(question, text, find_candidates(question, text))
    return min(max(found, default=LEAST_WORDS), MOST_WORDS)


def _word_share(part: SubQuestion, text: str) -> float:
    asked = set(tokenize(part.text))
    return len(asked & set(tokenize(text))) / (len(asked) or 1)


def _to_rate(quote: Quote, span: Span) -> RatedPassage:
    return RatedPassage(
        quote.place, quote.text[: span[0]][-CHARACTERS_BEFORE:], quote.text[slice(*span)]
    )


def _sentences(text: str, question: str) -> list[Span]:
    spans = [
        span
        for span in split_sentences(text)
        if not HEADING.match(text, span[0]) and not repeats_question(text[slice(*span)], question)
    ]
    return spans or [(0, len(text))]
