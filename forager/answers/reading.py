"""Where in a sentence a trained reader sees the answer.

The head on the last hidden states of the cross-encoder is trained by `bench.ranker.train_reader`,
as in Devlin et al. 2019, section 4.2 (arXiv 1810.04805).
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Final

import numpy as np

from forager.ports import ReadTokens, Vectors
from forager.text.sentences import Span

MOST_TOKENS = 16
"""Answers are no longer."""
LEAST: Final = -12.0
"""The log of a chance that is none."""
UNREAD: Final = {"read": LEAST, "read best": 0.0, "read inside": -4.0}
"""The signs of what stands behind the tokens that were read."""
PAIRS: Final = (("(", ")"), ("[", "]"), ("“", "”"))
QUOTATION: Final = " \n,;:\"'“”‘’`"


class Reading:
    """How likely stretches of a sentence are the answer."""

    def __init__(self, text: str, tokens: ReadTokens) -> None:
        self._text = text
        self._spans, self._scores = tokens

    def signs(self, start: int, end: int) -> Mapping[str, float]:
        """Of characters `start` to `end`: the log of the chance that they are the answer, whether
        none are likelier, and the mean log-odds that their tokens are in it."""
        first, last = self._tokens(start, end)
        if last < first:
            return UNREAD
        chance = float(self._chances[first, last])
        return {
            "read": max(chance, LEAST),
            "read best": float(chance >= self._chances.max()),
            "read inside": float(self._scores[first : last + 1, 2].mean()),
        }

    def likeliest(self, count: int) -> list[Span]:
        """The stretches of whole words that are most likely the answer, at most so many."""
        found: dict[Span, None] = {}
        if not len(self._spans):
            return []
        for place in np.argsort(-self._chances, axis=None)[: 2 * count]:
            first, last = divmod(int(place), len(self._spans))
            if self._chances[first, last] > LEAST and (
                span := self._whole_words(int(self._spans[first, 0]), int(self._spans[last, 1]))
            ):
                found[span] = None
        return list(found)[:count]

    @cached_property
    def _chances(self) -> Vectors:
        """The log of the chance of each first and last token."""
        begins, ends = (scores - np.logaddexp.reduce(scores) for scores in self._scores[:, :2].T)
        shape = (len(begins), len(ends))
        possible = np.triu(np.ones(shape)) - np.triu(np.ones(shape), MOST_TOKENS) > 0
        return np.where(possible, begins[:, None] + ends, np.float32(2 * LEAST))

    def _tokens(self, start: int, end: int) -> Span:
        """The first and the last token that these characters touch; none if the last is before."""
        touched = (self._spans[:, 0] < end) & (self._spans[:, 1] > start)
        places = np.flatnonzero(touched)
        return (int(places[0]), int(places[-1])) if len(places) else (0, -1)

    def _whole_words(self, start: int, end: int) -> Span | None:
        """The span without outer marks; None if it cuts a word or a pair of brackets in two."""
        start += len(self._text[start:end]) - len(self._text[start:end].lstrip(QUOTATION))
        end = start + len(self._text[start:end].rstrip(f"{QUOTATION}."))
        said = self._text[start:end]
        around = self._text[start - 1 : start + 1], self._text[end - 1 : end + 1]
        cut = any(len(each) > 1 and each.isalnum() for each in around)
        unpaired = any(said.count(opens) != said.count(closes) for opens, closes in PAIRS)
        return None if cut or unpaired or not said else (start, end)
